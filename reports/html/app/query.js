// The query language of the command line (conformance/cases/query.h), matched against case strings.
// The page adds the keys "verdict" and "note" (why a case is waived, skipped or not asked), and "|"
// between queries of which one must match. Its filter box also takes words without a key that name
// no operator: values ("f16", "Fail") and any text.

// The syntax of each operator's case strings, from the harness.
const operators = Object.fromEntries(data.operators.map(({name, tensors, dims, index}) => [name, {
  tensors: tensors.map((tensor) => tensor.name),
  outputs: tensors.filter((tensor) => tensor.output).map((tensor) => tensor.name),
  types: Object.fromEntries(tensors.map((tensor) => [tensor.name, tensor.type])),
  dims,  // per count: the slot whose DimensionCount is the default, null for 0
  index,
}]));
const pageKeys = ['family', 'rule', 'rank', 'attributes', 'has', 'verdict', 'note'];

// Numbers that no case string spells out (conformance/cases/measures.h): key -> function of the
// words and the case string; undefined if this page does not know.
const capped = (count) => (count >> 64n ? (1n << 64n) - 1n : count);
const measures = {
  elements: (words) => {
    const [input] = tensorsOf(words) || [];
    return input && capped(elementCount(input.sizes));
  },
  denormals: (words, caseString) => (caseFacts.get(caseString) || {}).denormals,
  room: (words) => (tensorsOf(words) || []).reduce((most, {type, total}) => {
    const room = typeBytes[type] ? total / BigInt(typeBytes[type]) : 0n;
    return room > most ? room : most;
  }, 0n),
};
for (const key of ['outputs', 'tuple', 'batches', 'slice']) {
  measures[key] = (words) => (selectionOf(words) || {})[key];
}
const caseKeys = (() => {
  const keys = new Set(['operator', 'level']);
  for (const {tensors, dims, index} of Object.values(operators)) {
    for (const tensor of tensors) keys.add(tensor);
    if (dims.length > 0) keys.add('dims');
    keys.add('fill');
    if (index) keys.add('index');
    keys.add('seed');
    for (const tensor of tensors) keys.add(`layout.${tensor}`).add(`strides.${tensor}`);
    for (const tensor of tensors) keys.add(`total.${tensor}`);
    for (const tensor of tensors) keys.add(`align.${tensor}`).add(`flags.${tensor}`);
    for (const tensor of tensors) keys.add(`offset.${tensor}`);
    keys.add('mode').add('expect');
  }
  return [...keys];
})();

// Key -> [one value in words, characters that end a name in a value, the names].
const valueNames = {...data.valueNames, verdict: ['verdict', '', Object.keys(verdicts)]};

// Keys that "<", ">=" and the like compare beside these -> number of a value, or undefined.
const bounds = {
  level: (text) => (data.levels.includes(text) ? data.levels.indexOf(text) : undefined),
  rank: wholeNumber,
};
const notWhole = 'not a whole number below 2^64';

function wholeNumber(text) {
  const value = /^\d+$/.test(text) ? BigInt(text) : 1n << 64n;
  return value >> 64n ? undefined : value;
}

const compares = (relation, a, b) =>
  ({'=': a === b, '!=': a !== b, '>=': a >= b, '<=': a <= b, '>': a > b, '<': a < b})[relation];

// True if the whole text matches a pattern with "*" and "?".
function matchesPattern(pattern, text) {
  let p = 0, t = 0, star = -1, resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      ++p;
      ++t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') ++p;
  return p === pattern.length;
}

const suggestion = (meant) => (meant === undefined ? '' : `; did you mean "${meant}"?`);

// `meant` is the suggested token, if any; `known` lists the valid ones.
class QueryError extends Error {
  constructor(column, token, problem, meant, known = []) {
    const cut = [...token].map((c) => (c >= ' ' && c <= '~' ? c : '?')).join('').slice(0, 60);
    super(`column ${column}, "${cut}${token.length > 60 ? '…' : ''}": ${problem}`
      + (known.length > 0 ? `; there are ${known.join(', ')}` : '') + suggestion(meant));
    Object.assign(this, {column, token, meant, known});
  }
}

// A word without a key that is no operator: a level, verdict, family or rule by its name, a data
// type of any tensor, else text that the case string, note, family or a rule's name holds.
function looseTerm(word, column) {
  const lower = word.toLowerCase();
  const named = (names) => names.find((name) => name.toLowerCase() === lower);
  const kinds = {level: data.levels, verdict: Object.keys(verdicts),
    family: (data.families || []).map(({family}) => family), rule: (data.rules || []).map(({id}) => id)};
  for (const [key, names] of Object.entries(kinds)) {
    const name = named(names);
    if (name) return {key, pattern: name, negated: false, column};
  }
  const known = [...Object.keys(operators), ...Object.values(kinds).flat(), ...Object.keys(typeBytes)];
  return {key: 'text', text: named(Object.keys(typeBytes)) ? `=${lower}:` : lower, word, column, known};
}

// A level that there is not, as a QueryError.
function noLevel(at, pattern) {
  const among = data.levels.filter((level) => level.startsWith(`${pattern}.`));
  return among.length > 0
    ? new QueryError(at, pattern, `no such level; there are ${among.join(', ')}, and "${pattern}.*" is all of them`)
    : new QueryError(at, pattern, 'no such level', nearestTo(pattern, data.levels));
}

function parseTerm(word, column, loosely) {
  const equals = word.indexOf('=');
  const split = equals < 0 ? word.search(/[<>]/) : equals;
  let key = split < 0 ? 'operator' : word.slice(0, split);
  let pattern = word.slice(split + 1);
  let relation = split < 0 || word[split] === '=' ? '=' : word[split];
  if (equals >= 0 && /[!<>]$/.test(key)) {
    relation = `${key.slice(-1)}=`;
    key = key.slice(0, -1);
  }
  const negated = relation === '!=';
  const at = column + split + 1;
  if (pattern === '') throw new QueryError(at, key, 'a pattern is missing');
  if (Object.hasOwn(measures, key)) {
    const value = wholeNumber(pattern);
    if (value === undefined) throw new QueryError(at, pattern, notWhole);
    return {key, relation, value};
  }
  if (!pageKeys.includes(key) && !caseKeys.includes(key)) {
    const keys = [...pageKeys, ...caseKeys, ...Object.keys(measures)];
    throw new QueryError(column, key, 'no such key', nearestTo(key, keys), keys);
  }
  if (key === 'operator') {
    const names = Object.keys(operators);
    if (!names.some((op) => matchesPattern(pattern.toLowerCase(), op))) {
      if (loosely && split < 0) return looseTerm(word, column);
      throw new QueryError(at, pattern, 'no operator matches', nearestTo(pattern, names), names);
    }
    pattern = pattern.toLowerCase();
  }
  if (relation !== '=' && !negated) {
    if (!Object.hasOwn(bounds, key)) {
      throw new QueryError(column, key, 'not a number: "<" and ">" do not apply');
    }
    const value = bounds[key](pattern);
    if (value === undefined) throw key === 'level' ? noLevel(at, pattern) : new QueryError(at, pattern, notWhole);
    return {key, relation, value};
  }
  if (key === 'level' && !/[*?]/.test(pattern) && !data.levels.includes(pattern)) throw noLevel(at, pattern);
  return {key, pattern, negated, column: at};
}

// Returns a QueryError for the first value that names nothing of its kind; undefined without one.
function namesNothing(terms) {
  for (const {key, pattern, column, word, known} of terms) {
    if (key === 'text') {
      const meant = nearestTo(word, known);
      if (meant === undefined || meant.toLowerCase() === word.toLowerCase()) continue;
      const error = new QueryError(column, word, `nothing has "${word}"`, meant);
      error.why = `nothing has "${word}"${suggestion(meant)}`;
      return error;
    }
    if (pattern === undefined || !Object.hasOwn(valueNames, key)) continue;
    const [one, ends, names] = valueNames[key];
    const end = [...pattern].findIndex((c) => ends.includes(c));
    const value = end < 0 ? pattern : pattern.slice(0, end);
    // A wildcard may also stand for the text after a name.
    if (ends !== '' && /[*?]/.test(value)) continue;
    if (names.some((name) => matchesPattern(value, name))) continue;
    const error = new QueryError(column, value, `no ${one} is "${value}"`, nearestTo(value, names));
    error.why = `no ${one} is "${value}"${suggestion(error.meant)}`;
    return error;
  }
  return undefined;
}

// A list of queries, each a list of terms; `loosely` as the filter box takes them. Throws QueryError.
function parseQueries(text, loosely) {
  let column = 1;
  return text.split('|').map((part) => {
    const from = column;
    column += part.length + 1;
    const terms = [...part.matchAll(/[^ \t\r\n]+/g)]
      .map((word) => parseTerm(word[0], from + word.index, loosely));
    if (terms.length === 0) {
      throw new QueryError(from, part, 'an empty query; "*" names every case');
    }
    return terms;
  });
}

// Returns the words of a case string: {operator, KEY: VALUE, …}.
function wordsOf(caseString) {
  const words = {__proto__: null};
  for (const word of caseString.split(' ')) {
    const equals = word.indexOf('=');
    if (equals < 0) words.operator = words.operator || word;
    else words[word.slice(0, equals)] = word.slice(equals + 1);
  }
  return words;
}

const sizesOf = (text) => (text === 'none' ? [] : text.split('x').map(Number));
const joinedSizes = (sizes) => (sizes.length === 0 ? 'none' : sizes.join('x'));

// Returns a case's tensors: [{name, type, sizes, strides, layout, total, isOutput}], totals with
// their defaults. Undefined for operators that this page does not know.
function tensorsOf(words) {
  const operator = operators[words.operator];
  if (!operator) return undefined;
  const types = {};
  return operator.tensors.map((name) => {
    const text = words[name];
    const colon = text === undefined ? -1 : text.indexOf(':');
    const given = operator.types[name];
    types[name] = colon >= 0 ? text.slice(0, colon)
      : (given === 'input' ? types.input : given) || 'unknown';
    let sizes = [];
    if (text !== undefined) {
      sizes = sizesOf(text.slice(colon + 1));
    } else if (words.input !== undefined) {
      sizes = sizesOf(words.input.slice(words.input.indexOf(':') + 1)).map(() => 1);
    }
    const tensor = {name, type: types[name], sizes, isOutput: operator.outputs.includes(name)};
    const layout = words[`layout.${name}`];
    const strides = words[`strides.${name}`];
    if (layout !== undefined) tensor.strides = layoutStrides(layout, sizes);
    if (strides !== undefined) tensor.strides = strides.split(',').map(Number);
    tensor.layout = layout || (strides === undefined ? undefined : 'other');
    const total = words[`total.${name}`];
    tensor.total = total === undefined ? minimumTotalBytes(tensor) : BigInt(total);
    return tensor;
  });
}

// Returns the output's number of elements and, for operators with indices, the selection: {outputs,
// tuple, batches, slice}. These are 0 if the descriptor does not define them.
function selectionOf(words) {
  const tensors = tensorsOf(words);
  if (!tensors) return undefined;
  const nothing = {outputs: capped(elementCount(tensors.at(-1).sizes)), tuple: 0n, batches: 0n, slice: 0n};
  if (!operators[words.operator].index) return nothing;
  const [input, indices] = tensors;
  const [inputRank, , batchRank = 0] = fieldOf(words, 'dims')[0].split(',').map(Number);
  const tuple = indices.sizes.at(-1);
  if (tuple === undefined || inputRank > input.sizes.length || batchRank + tuple > inputRank) return nothing;
  const meaningful = input.sizes.slice(input.sizes.length - inputRank);
  return {...nothing, tuple: BigInt(tuple), batches: capped(elementCount(meaningful.slice(0, batchRank))),
    slice: capped(elementCount(meaningful.slice(batchRank + tuple)))};
}

// Returns the tensors of a case string, [] if it cannot be read.
function tensorsIn(name) {
  try { return tensorsOf(wordsOf(name)) || []; } catch { return []; }
}

// Returns the canonical and the full form of a field's value; undefined if the case has none.
function fieldOf(words, key) {
  const operator = operators[words.operator];
  const given = words[key];
  if (!operator || key === 'operator' || key === 'level') return given && [given];
  const orElse = (value) => (given === undefined ? [value()] : [given]);
  if (operator.tensors.includes(key)) {
    if (given !== undefined && given.includes(':')) return [given];
    const tensor = tensorsOf(words).find(({name}) => name === key);
    const full = `${tensor.type}:${joinedSizes(tensor.sizes)}`;
    return given === undefined ? [full] : [full, given];
  }
  if (key === 'dims' && operator.dims.length > 0) {
    return orElse(() => {
      const tensors = tensorsOf(words);
      return operator.dims.map((slot) => (slot === null ? 0 : tensors[slot].sizes.length)).join(',');
    });
  }
  if (key === 'fill' || (key === 'index' && operator.index)) return orElse(() => 'random');
  if (key === 'seed') return orElse(() => '0');
  if (key === 'expect') return orElse(() => 'execute');
  if (key.startsWith('total.') && operator.tensors.includes(key.slice(6))) {
    return orElse(() => String(tensorsOf(words).find(({name}) => name === key.slice(6)).total));
  }
  if (/^(align|flags)[.]/.test(key) && operator.tensors.includes(key.slice(6))) {
    return orElse(() => '0');
  }
  return given && [given];
}

// A predicate for groups of cases that says true, false, or undefined where it depends on the case.
function matchesGroup({key, pattern, negated, relation, value, text}, group) {
  if (key === 'text') {
    return [group.note, group.family, ...(group.rules || [])].some((each) =>
      each && each.toLowerCase().includes(text)) || undefined;
  }
  if (relation && Object.hasOwn(bounds, key)) {
    return compares(relation, bounds[key](String(group[key])), value);
  }
  let found;
  if (key === 'rule') found = group.rules.some((rule) => matchesPattern(pattern, rule));
  else if (['operator', 'level', 'family', 'verdict', 'rank', 'note'].includes(key)) {
    found = matchesPattern(pattern, String(group[key]));
  } else return undefined;
  return found !== negated;
}

function matchesCase({key, pattern, negated, relation, value, text}, words, caseString) {
  if (key === 'text') return caseString.toLowerCase().includes(text);
  if (relation) {
    const measured = measures[key](words, caseString);
    return measured !== undefined && compares(relation, measured, value);
  }
  if (key === 'has' || key === 'attributes') {
    const known = caseFacts.get(caseString);
    if (!known) return false;
    return [known[key]].flat().some((word) => word && matchesPattern(pattern, word)) !== negated;
  }
  const values = fieldOf(words, key);
  return Boolean(values && values.some((value) => value && matchesPattern(pattern, value))) !== negated;
}

// Returns a function of (group, case string): true if any of the queries matches.
function matcherOf(queries) {
  let last, left;  // queries that the last group's cases may match, without group terms
  return (group, caseString) => {
    if (group !== last) {
      last = group;
      left = queries.filter((terms) => terms.every((term) => matchesGroup(term, group) !== false))
        .map((terms) => terms.filter((term) => matchesGroup(term, group) === undefined));
    }
    if (left.length === 0) return false;
    if (left.some((terms) => terms.length === 0)) return true;
    const words = wordsOf(caseString);
    return left.some((terms) => terms.every((term) => matchesCase(term, words, caseString)));
  };
}
