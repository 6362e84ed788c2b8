// Charts by Chart.js, which the page carries packed and unpacks for the first chart.

let chartLibrary;
async function loadCharts() {
  if (chartLibrary === undefined) {
    chartLibrary = unpack('charts').then((source) => {
      if (source === '') return undefined;
      // Chart.js's wrapper looks for module systems first; a page has none.
      document.body.append(make('script', {}, document.createTextNode(source)));
      const {Chart} = window;
      Chart.defaults.animation = false;
      Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
      return Chart;
    });
  }
  return chartLibrary;
}

// Hues that any colour vision tells apart; dashes and marks differ, too.
const strokes = [
  ['--good-fill', [], 'circle'], ['--bad-fill', [6, 3], 'rectRot'],
  ['--attention-fill', [12, 3, 3, 3], 'triangle'], ['--neutral-fill', [14, 4], 'rect'],
  ['--extra-fill', [8, 2], 'star'], ['--ink', [4, 4], 'cross'],
];

const strokeOf = (i) => strokes[(i + strokes.length) % strokes.length];
const referenceOf = (i) => [strokeOf(i)[0], [2, 4], 'line'];

const charts = [];

// Destroys charts that the page no longer shows.
function forgetCharts() {
  for (const entry of charts.splice(0)) {
    if (entry.chart.canvas.isConnected) charts.push(entry);
    else entry.chart.destroy();
  }
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const compact = new Intl.NumberFormat('en', {notation: 'compact', maximumSignificantDigits: 3});

// Labels powers of ten on logarithmic axes; on short axes also 2 and 5 times these.
function logLabel(value, at, ticks) {
  const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
  const mantissa = Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(3));
  return mantissa === 1 || (decades <= 2 && [2, 5].includes(mantissa)) ? compact.format(value) : '';
}

const axisOf = (title, log) => ({
  type: log ? 'logarithmic' : 'linear',
  title: {display: true, text: title, color: colourOf('--ink')},
  ticks: {color: colourOf('--soft'), maxRotation: 0,
    ...(log ? {callback: logLabel, autoSkip: false} : {maxTicksLimit: 9})},
  grid: {color: colourOf('--line')},
  ...(log ? {} : {beginAtZero: true}),
});

const pluginsOf = (count) => ({
  legend: {display: count > 1,
    labels: {color: colourOf('--ink'), usePointStyle: true, boxWidth: 7, boxHeight: 7}},
  tooltip: {callbacks: {afterLabel: (item) => item.raw.note || (item.dataset.notes || [])[item.dataIndex] || ''}},
});

// Returns the figure at once; new Chart(canvas, configure()) follows when the library is loaded.
function chartFigure(title, configure, height) {
  const canvas = make('canvas', {role: 'img', 'aria-label': title});
  const box = make('div', {class: 'plot'}, canvas);
  if (height) box.style.height = `${height}px`;
  const figure = make('figure', {class: 'chart'}, make('figcaption', {}, title), box);
  loadCharts().then((Chart) => {
    if (!Chart) {
      box.removeAttribute('style');
      box.className = '';
      box.replaceChildren(make('p', {class: 'aside'}, 'This page was built without a chart library; '
        + 'the numbers are in the table.'));
      return;
    }
    // When nothing else is to do: a filter that is being typed replaces charts at each key.
    requestIdleCallback(() => {
      if (!canvas.isConnected) return;
      const draw = () => new Chart(canvas, configure());
      charts.push({draw, chart: draw()});
      figure.dataset.drawn = 'yes';
    });
  });
  return figure;
}

// series: [{label, points: [{x, y, note}], reference, stroke}]; options: {title, x, y, logX,
// logY, categories, legend}. `stroke` is a number that keeps one style across charts, by default
// the place in the list. `reference` lines, such as the copy, are dotted and have no marks.
function lineChart(series, options) {
  return chartFigure(options.title, () => {
    const x = options.categories
      ? {...axisOf(options.x), type: 'category', labels: options.categories}
      : axisOf(options.x, options.logX);
    if (!options.categories) delete x.beginAtZero;
    return {
      type: 'line',
      data: {datasets: series.map(({label, points, reference, stroke}, i) => {
        const [name, dash, mark] = reference ? referenceOf(stroke ?? i) : strokeOf(stroke ?? i);
        const colour = colourOf(name);
        return {label, data: points, borderColor: colour, backgroundColor: colour,
          borderDash: dash, pointStyle: mark, borderWidth: reference ? 1.5 : 2, tension: 0, parsing: false,
          pointRadius: reference && points.length > 1 ? 0 : 4, normalized: true, ...(options.categories ? {parsing: {}} : {})};
      })},
      options: {
        responsive: true, maintainAspectRatio: false,
        interaction: {mode: 'nearest', intersect: false},
        plugins: pluginsOf(options.legend ? 2 : series.length),
        scales: {x, y: axisOf(options.y, options.logY)},
      },
    };
  });
}

// Splits a long name at "/" on narrow screens.
function linesOf(name) {
  if (innerWidth > 720 || name.length <= 22) return name;
  const lines = [''];
  for (const part of name.split(/(?<=[/])/)) {
    if (lines[lines.length - 1].length + part.length > 22) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines;
}

// Draws horizontal or `upright` bars in a group per name. series: [{label, values: [{y, note}],
// stroke}] with one value per name.
function barChart(names, series, options) {
  return chartFigure(options.title, () => {
    const namesAxis = {ticks: {color: colourOf('--soft'), maxRotation: 0}, grid: {display: false}};
    return {
    type: 'bar',
    data: {labels: names.map(linesOf), datasets: series.map(({label, values, stroke}, i) => {
      const colour = colourOf(strokeOf(stroke ?? i)[0]);
      return {label, data: values.map(({y}) => y), notes: values.map(({note}) => note),
        backgroundColor: colour, borderColor: colourOf('--ink'), borderWidth: i % 2};
    })},
    options: {
      indexAxis: options.upright ? 'x' : 'y', responsive: true, maintainAspectRatio: false,
      plugins: {...pluginsOf(series.length), legend: {...pluginsOf(series.length).legend,
        labels: {color: colourOf('--ink')}}},
      scales: options.upright ? {x: {...namesAxis, title: axisOf(options.x).title}, y: axisOf(options.y)}
        : {x: axisOf(options.x), y: {...namesAxis, ticks: {...namesAxis.ticks, autoSkip: false}}},
    },
  };
  }, options.upright ? 240 : 60 + names.length * Math.max(innerWidth > 720 ? 0 : 40, (options.dense ? 6 : 10) + 12 * series.length));
}

// The other theme and paper have other colours.
function redrawCharts() {
  for (const entry of charts) {
    entry.chart.destroy();
    entry.chart = entry.draw();
  }
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
window.addEventListener('beforeprint', redrawCharts);
window.addEventListener('afterprint', redrawCharts);
