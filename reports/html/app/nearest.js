// Suggests the name that a mistyped one may mean, as conformance/cases/language/nearest.h does.

const lowered = (text) => new TextEncoder().encode(text.replace(/[A-Z]/g, (c) => c.toLowerCase()));

// Inserting, deleting or replacing a character, or swapping two neighbours, counts as one edit.
function editsBetween(a, b) {
  let before, above = Array.from({length: b.length + 1}, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      const same = (x, y) => a[x - 1] === b[y - 1];
      row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(i, j) ? 0 : 1));
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, above] = [above, row];
  }
  return above[b.length];
}

const longestName = 200;  // bytes

// Returns the name with the fewest edits, if these are at most one for every three characters.
function nearestTo(text, names) {
  const given = lowered(text);
  if (given.length > longestName) return undefined;
  let nearest, fewest = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    if (name.length > longestName) continue;
    const edits = editsBetween(given, lowered(name));
    if (edits < fewest && edits < name.length) [nearest, fewest] = [name, edits];
  }
  return nearest;
}
