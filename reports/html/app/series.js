// The page of `dmlcts report series`: verdicts and speed over runs.

function renderSeriesHeader(root) {
  const last = data.runs[data.runs.length - 1];
  root.append(
    make('p', {class: 'product'}, 'dmlcts ', make('span', {}, 'runs over time')),
    make('h1', {class: last && last.exitStatus ? 'bad' : 'good'},
      make('span', {class: 'mark', 'aria-hidden': 'true'}, last && last.exitStatus ? '✕' : '✓'),
      make('span', {}, last
        ? `${counted(data.runs.length, 'run')}; the last, ${last.filtered ? 'filtered, ' : ''}has `
          + counted(last.failed, 'failure') + (last.mishaps ? `, ${counted(last.mishaps, 'mishap')}` : '')
          + (last.totals.NotSupported ? `, ${number(last.totals.NotSupported)} NotSupported` : '')
        : 'No run')));
}

sections.push({
  id: 'over-time',
  title: 'Over time',
  pages: ['series'],
  render(root) {
    const {runs} = data;
    const labels = runs.map((run, i) => run.startedAt || `run ${i + 1}`);
    const note = (run) => [run.driver, run.suite].filter(Boolean).join(', ');
    const line = (label, valueOf) => ({label, points: runs.map((run, i) =>
      ({x: labels[i], y: valueOf(run), note: note(run)}))});
    const present = Object.keys(verdicts).filter((v) => v !== 'Pass' && runs.some((r) => r.totals[v]));
    root.append(
      lineChart([line('Pass', (run) => run.totals.Pass || 0), line('all cases', (run) => sum(run.totals))],
        {title: 'Cases and passes', x: 'start of the run', y: 'cases', categories: labels}),
      present.length > 0 ? lineChart(
        present.map((verdict) => line(verdict, (run) => run.totals[verdict] || 0)),
        {title: 'Other verdicts', x: 'start of the run', y: 'cases', categories: labels}) : '',
      lineChart([line('cases per second of case time', (run) => run.casesPerSecond)],
        {title: 'Speed', x: 'start of the run', y: 'cases per second', categories: labels}),
      table('Runs', [['Started'], ['Target'], ['Driver'], ['Suite'], ['Verdicts'],
        ['Cases per second', 'number']],
      runs.map((run, i) => [labels[i], run.target, run.driver, run.suite,
        (run.filtered ? 'filtered: ' : '') + listTotals(run.totals),
        number(Math.round(run.casesPerSecond))])));
  },
});
