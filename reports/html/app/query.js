// The query language of the command line (conformance/cases/facts/query.h), matched against case strings.
// The page adds the keys "verdict" and "note" (why a case is waived, skipped or not asked), and "|"
// between queries of which one must match. Its filter box also takes words without a key that name
// no operator: values ("f16", "Fail") and any text.

// name -> {tensors, outputs (names), defaults (words that no case string needs)}, from the harness.
const operators = Object.fromEntries(data.operators.map((each) => [each.name, each]));
const pageKeys = ['family', 'rule', 'rank', 'attributes', 'has', 'verdict', 'note'];

const {measures, caseKeys} = data;  // keys of numbers, and of words of case strings

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
  if (measures.includes(key)) {
    const value = wholeNumber(pattern);
    if (value === undefined) throw new QueryError(at, pattern, notWhole);
    return {key, relation, value, toNumber: wholeNumber};
  }
  if (!pageKeys.includes(key) && !caseKeys.includes(key)) {
    const keys = [...pageKeys, ...caseKeys, ...measures];
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
    return {key, relation, value, toNumber: bounds[key]};
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

// Returns the words with everything spelled out that the case string omits or shortens.
function fullWordsOf(name) {
  const words = wordsOf(name);
  const {defaults = {}} = operators[words.operator] || {};
  return {__proto__: null, ...defaults, ...words, ...wordsOf(otherWords.get(name) || name)};
}

// Returns a case's tensors: [{name, type, sizes, strides, layout, total, isOutput}].
function tensorsIn(name) {
  const words = fullWordsOf(name);
  const {tensors = [], outputs = []} = operators[words.operator] || {};
  return tensors.filter((tensor) => words[tensor]).map((tensor) => {
    const [sizes, type = 'unknown'] = words[tensor].split(':').reverse();
    const layout = words[`layout.${tensor}`];
    const strides = words[`steps.${tensor}`] || words[`strides.${tensor}`];
    return {name: tensor, type, sizes: sizes === 'none' ? [] : sizes.split('x').map(Number),
      strides: strides && strides.split(',').map(Number), layout: layout || (strides && 'other'),
      total: BigInt(words[`total.${tensor}`] || 0), isOutput: outputs.includes(tensor)};
  });
}

// Returns a row's values of a key; undefined if nobody knows them.
function valuesOf(key, row, words, full) {
  if (key === 'rule') return row.rules;
  if (rowKeys.includes(key)) return [String(row[key])];
  if (['has', 'attributes', 'denormals'].includes(key)) return full().denormals && (full()[key] || '').split(',');
  return [full()[key], words()[key]];
}

const rowKeys = ['operator', 'level', 'family', 'verdict', 'rank', 'note'];
const isText = ({key}) => key === 'text';
const ofRow = ({key}) => key === 'rule' || rowKeys.includes(key);

// `words` returns the case string's words, `full` those of fullWordsOf().
function holds({pattern, negated, relation, value, toNumber}, values) {
  if (values === undefined) return false;
  if (relation) return values.some((each) => each && compares(relation, toNumber(each), value));
  return values.some((each) => each && matchesPattern(pattern, each)) !== negated;
}

const nameOf = (row) => row.name || row.case;

// Returns a function of a case, failure or change: true if any of the queries matches.
function matcherOf(queries) {
  // Terms of the words take longest.
  const sorted = queries.map((terms) => [...terms.filter(ofRow), ...terms.filter((term) => !ofRow(term))]);
  return (row) => {
    const name = nameOf(row);
    let some, all;
    const words = () => some ||= wordsOf(name);
    const full = () => all ||= fullWordsOf(name);
    const texts = () => [row.note, row.family, ...row.rules, name];
    return sorted.some((terms) => terms.every((term) => (isText(term)
      ? texts().some((each) => each && each.toLowerCase().includes(term.text))
      : holds(term, valuesOf(term.key, row, words, full)))));
  };
}
