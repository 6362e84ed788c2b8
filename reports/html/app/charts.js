// Charts by Chart.js, which the page carries packed and unpacks when the first chart is drawn.

let chartLibrary;
async function loadCharts() {
  if (chartLibrary === undefined) {
    chartLibrary = unpack('charts').then((source) => {
      if (source === '') return undefined;
      // Its own wrapper looks for module systems first; a page has none.
      document.body.append(make('script', {}, document.createTextNode(source)));
      const {Chart} = window;
      Chart.defaults.animation = false;
      Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
      return Chart;
    });
  }
  return chartLibrary;
}

// Told apart by hue for any colour vision, and by dash and mark besides.
const strokes = [
  ['--good-fill', [], 'circle'], ['--bad-fill', [6, 3], 'rectRot'], ['--attention-fill', [2, 3], 'triangle'],
  ['--neutral-fill', [10, 3, 2, 3], 'rect'], ['--extra-fill', [4, 2], 'star'], ['--ink', [1, 2], 'cross'],
];

const charts = [];

// Draws lines into a new figure. series: [{label, points: [{x, y, note}], plain}]; options: {title, x, y,
// logX, logY, categories}. Returns the figure at once; the chart follows.
function lineChart(series, options) {
  const canvas = make('canvas', {role: 'img', 'aria-label': options.title});
  const box = make('div', {class: 'plot'}, canvas);
  const figure = make('figure', {class: 'chart'}, make('figcaption', {}, options.title), box);
  const draw = (Chart) => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = (title, log) => ({
      type: log ? 'logarithmic' : 'linear',
      title: {display: true, text: title, color: colour('--ink')},
      ticks: {color: colour('--soft'), maxTicksLimit: 9}, grid: {color: colour('--line')},
      ...(log ? {} : {beginAtZero: true}),
    });
    const x = options.categories
      ? {...axis(options.x), type: 'category', labels: options.categories} : axis(options.x, options.logX);
    if (!options.categories) delete x.beginAtZero;
    return new Chart(canvas, {
      type: 'line',
      data: {datasets: series.map(({label, points, plain}, i) => {
        const [name, dash, mark] = strokes[i % strokes.length];
        return {label, data: points, borderColor: colour(name), backgroundColor: colour(name),
          borderDash: dash, pointStyle: mark, borderWidth: 2, tension: 0, parsing: false,
          pointRadius: plain ? 0 : 4, normalized: true, ...(options.categories ? {parsing: {}} : {})};
      })},
      options: {
        responsive: true, maintainAspectRatio: false,
        interaction: {mode: 'nearest', intersect: false},
        plugins: {
          legend: {display: series.length > 1,
            labels: {color: colour('--ink'), usePointStyle: true, boxWidth: 7, boxHeight: 7}},
          tooltip: {callbacks: {afterLabel: (item) => item.raw.note || ''}},
        },
        scales: {x, y: axis(options.y, options.logY)},
      },
    });
  };
  loadCharts().then((Chart) => {
    if (!Chart) {
      box.replaceChildren(make('p', {class: 'aside'}, 'This page was built without a chart library; '
        + 'the numbers are in the table.'));
      return;
    }
    charts.push({draw, chart: draw(Chart), Chart});
    figure.dataset.drawn = 'yes';
  });
  return figure;
}

// In the other theme, and on paper, the colours are others.
function redrawCharts() {
  for (const entry of charts) {
    entry.chart.destroy();
    entry.chart = entry.draw(entry.Chart);
  }
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
window.addEventListener('beforeprint', redrawCharts);
window.addEventListener('afterprint', redrawCharts);
