// Random queries made from the cases that they should find, the same in every run.

function drawsFrom(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * bound);
  };
}

// Turns "2x3x4" into "2x*", "*3x4", "2x?x4", …
function blurred(value, below) {
  const at = below(value.length + 1);
  switch (below(4)) {
    case 0: return `${value.slice(0, at)}*`;
    case 1: return `*${value.slice(at)}`;
    case 2: return at < value.length ? `${value.slice(0, at)}?${value.slice(at + 1)}` : value;
    default: return value;
  }
}

// entries: lines of a journal.
export function randomQueries(entries, count) {
  const below = drawsFrom(2024);
  const pick = (list) => list[below(list.length)];
  const numbers = [0, 1, 2, 3, 4, 5, 8, 16, 24, 64, 100, 1000, 4096, 65536];
  const term = (entry) => {
    const words = entry.case.split(' ');
    const not = below(4) === 0 ? '!' : '';
    switch (below(11)) {
      case 0: return `family${not}=${blurred(entry.family, below)}`;
      case 1: return `rule${not}=${blurred(pick(entry.rules || ['tensor.*']), below)}`;
      case 2: return `rank${not}=${blurred(String(entry.rank), below)}`;
      case 3: return `${pick(['elements', 'room', 'outputs', 'tuple', 'batches', 'slice'])}${pick(['=', '!=', '<=', '>='])}${pick(numbers)}`;
      case 4: return `denormals${pick(['=', '!=', '<=', '>='])}${pick(numbers)}`;
      case 9: return `has${not}=${pick(['nan', 'zero', 'one-*', 'negative-index', '*z*', 'denormal'])}`;
      case 10: return pick([`level${pick(['<=', '>='])}${entry.level}`,
        `rank${pick(['<=', '>='])}${below(9)}`, `attributes${not}=${pick(['*partial*', 'whole*', '*'])}`]);
      // Fields that most case strings leave out.
      case 5: return `${pick(['fill', 'index', 'seed', 'expect', 'dims', 'count', 'output', 'coords',
        'total.input', 'total.output', 'layout.input'])}${not}=${pick(['random', '0', '*', 'execute',
        '1?,*', '1x1*', 'f??:*', 'u32:*', '*2*', 'perm*'])}`;
      default: {
        const word = pick(words);
        const equals = word.indexOf('=');
        return equals < 0 ? word
          : `${word.slice(0, equals)}${not}=${blurred(word.slice(equals + 1), below) || '*'}`;
      }
    }
  };
  return Array.from({length: count}, () => {
    const entry = pick(entries);
    return Array.from({length: 1 + below(3)}, () => term(entry)).join(' ');
  });
}
