// Failure rates by common properties, and the places of wrong elements in outputs.

// Known failures count, too: a fault does not depend on expectations.
const isWrong = (verdict) => toneOf(verdict) === 'bad' || ['Waived', 'Arguable'].includes(verdict);
const saysHowOften = (verdict) => verdict === 'Pass' || isWrong(verdict);

// Titles, and keys of facts.
const rateDimensions = [['type of the input', 'type'], ['rank of the input', 'rank'], ['level', 'level'],
  ['kind of indices', 'index'], ['layout', 'layout']];

// Returns [title, [[value, wrong, cases], …]] for each dimension of the chosen cases.
function countRates(chosen) {
  const rows = casesIn(chosen).filter(({verdict}) => saysHowOften(verdict));
  const wrong = rows.filter(({verdict}) => isWrong(verdict));
  const inOrder = [(a, b) => rankOfType(a[0]) - rankOfType(b[0]), (a, b) => a[0] - b[0],
    (a, b) => data.levelNames.indexOf(a[0]) - data.levelNames.indexOf(b[0])];
  return rateDimensions.map(([title, key], i) => {
    const failures = valuesOf(key, wrong);
    return [title, [...valuesOf(key, rows)].map(([value, n]) => [value, failures.get(value) || 0, n])
      .sort(inOrder[i] || ((a, b) => b[1] / b[2] - a[1] / a[2] || b[2] - a[2]))];
  });
}

const mostBars = 13;
const failureStroke = 1;  // index into `strokes`
const ofAll = ([, wrong, cases]) => `${number(wrong)} of ${number(cases)}`;

const rateChart = ([title, rows]) => barChart(rows.slice(0, mostBars).map((row) => `${row[0]}: ${ofAll(row)}`),
  [{label: title, stroke: failureStroke, values: rows.slice(0, mostBars).map(([, wrong, cases]) => ({y: 100 * wrong / cases}))}],
  {title: `Failure rate by ${title}${rows.length > mostBars ? `, the highest ${mostBars}` : ''}`,
    x: '% that fail', dense: true});

const rateTable = ([title, rows]) => table(`Failure rate by ${title}`,
  [[title[0].toUpperCase() + title.slice(1)], ['Fail', 'number'], ['Share', 'number']],
  rows.map((row) => [row[0], ofAll(row), `${(100 * row[1] / row[2]).toFixed(1)} %`]));

// Measures how much a dimension's rates differ: the dimension that tells most comes first.
function contrast([, rows]) {
  const cases = rows.reduce((n, row) => n + row[2], 0);
  const mean = rows.reduce((n, row) => n + row[1], 0) / cases;
  return rows.reduce((total, [, wrong, n]) => total + n * (wrong / n - mean) ** 2, 0) / cases;
}

const tile = 64;  // elements: two waves of 32 lanes, or one of 64

// Returns the place in a tile of each reported difference of a failure.
function placesOf({case: name, differences}) {
  const outputs = tensorsOf(rowOf(name)).filter(({isOutput}) => isOutput);
  return differences.filter(Array.isArray).flatMap(([wrong, element]) => {
    const tensor = outputs.find((each) => each.name === wrong);
    if (!tensor) return [];
    return [Number(element.reduce((before, coordinate, axis) =>
      before * BigInt(tensor.sizes[axis] ?? 1) + BigInt(coordinate), 0n) % BigInt(tile))];
  });
}

function countPlaces(placesOfEach) {
  const places = Array(tile).fill(0);
  for (const place of placesOfEach.flat()) ++places[place];
  return {places, failing: placesOfEach.filter((some) => some.length > 0).length, elements: placesOfEach.flat().length};
}

const placeChart = ({places, failing, elements}) => make('div', {class: 'curve'},
  barChart(places.map((_, at) => String(at)),
    [{label: 'Wrong elements', stroke: failureStroke, values: places.map((y) => ({y, note: `${number(y)} of ${number(elements)}`}))}],
    {title: 'Where the wrong elements lie', x: `number of the element, row-major, modulo ${tile}`,
      y: 'wrong elements', upright: true}),
  make('p', {class: 'aside'}, `A sample: ${counted(elements, 'element')}, the first that differ, at most 8 in `
    + `each of ${counted(failing, 'failing case')}.`));

const placeTable = ({places, elements}) => table('Wrong elements by place',
  [[`Place modulo ${tile}`], ['Wrong elements', 'number']],
  places.flatMap((count, at) => (count > 0 ? [[String(at), `${number(count)} of ${number(elements)}`]] : [])));

sections.push({
  id: 'rates',
  title: 'Failure rates',
  late: true,
  absent: data.page !== 'report' || !Object.keys(data.totals).some(isWrong),
  render(root) {
    this.body = make('div');
    root.append(make('p', {class: 'aside'}, 'How many fail of the cases that the filter lets through '
      + 'and that passed or failed, known failures among them.'), this.body);
    this.places = new Map(data.failures.map((failure) => [failure, placesOf(failure)]));
    this.select(undefined);
  },
  select(chosen) {
    const rates = countRates(chosen).filter(([, rows]) => rows.length > 0);
    const sample = countPlaces((chosen ? data.failures.filter(chosen.matches) : data.failures)
      .map((failure) => this.places.get(failure)));
    if (rates.length === 0) {
      this.body.replaceChildren(make('p', {class: 'aside'}, 'None.'));
      return;
    }
    const shown = rates.find(([title]) => title === this.by)
      || [...rates].sort((a, b) => contrast(b) - contrast(a))[0];
    const place = make('div', {}, rateChart(shown));
    const choice = make('select', {'aria-label': 'Failure rate by', onchange: () => {
      this.by = choice.value;
      place.replaceChildren(rateChart(rates.find(([title]) => title === choice.value)));
      forgetCharts();
    }}, rates.map(([title]) =>
      make('option', {value: title, selected: title === shown[0] ? '' : undefined}, `by ${title}`)));
    this.body.replaceChildren(
      make('div', {class: 'curves'}, make('div', {class: 'curve'}, choice, place),
        sample.elements > 0 && placeChart(sample)),
      folded('Numbers', rates.map(rateTable), sample.elements > 0 ? placeTable(sample) : ''));
    forgetCharts();
  },
});
