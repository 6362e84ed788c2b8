// The page of `dmlcts report series`: verdicts and speed over runs.

function renderSeriesHeader(root) {
  const last = data.runs[data.runs.length - 1];
  root.append(
    make('p', {class: 'product'}, 'dmlcts ', make('span', {}, 'runs over time')),
    make('h1', {class: last && last.exitStatus ? 'bad' : 'good'},
      make('span', {class: 'mark', 'aria-hidden': 'true'}, last && last.exitStatus ? '✕' : '✓'),
      make('span', {}, last
        ? `${counted(data.runs.length, 'run')}; the last, ${last.filtered ? 'filtered, ' : ''}has `
          + counted(last.failed, 'failure') + (last.workerFailures ? `, ${counted(last.workerFailures, 'worker failure')}` : '')
          + (last.totals.NotSupported ? `, ${number(last.totals.NotSupported)} NotSupported` : '')
        : 'No run')),
    warningList(data.warnings));
}

sections.push({
  id: 'over-time',
  title: 'Over time',
  pages: ['series'],
  render(root) {
    const {runs} = data;
    const labels = runs.map((run, i) => run.startedAt || `run ${i + 1}`);
    const note = (run) => [run.target, run.tier, run.driver, run.suite].filter(Boolean).join(', ');
    // Runs of another target or tier have other cases, and so their own line.
    const kindOf = (run) => [run.target, run.tier, run.filtered && 'filtered'].filter(Boolean).join(', ');
    const kinds = [...new Set(runs.map(kindOf))];
    const linesOf = (label, valueOf, reference) => kinds.map((kind, stroke) => ({
      stroke, reference, label: kinds.length === 1 ? label : `${kind}${label && `: ${label}`}`,
      points: runs.map((run, i) => ({x: labels[i], y: valueOf(run), note: note(run), kind: kindOf(run)}))
        .filter((point) => point.kind === kind)})).filter(({points}) => points.some(({y}) => y > 0));
    const present = Object.keys(verdicts).filter((v) => v !== 'Pass' && runs.some((r) => r.totals[v]));
    const chart = (title, y, lines) => lineChart(lines, {title, x: 'start of the run', y, categories: labels, legend: kinds.length > 1});
    root.append(
      chart('Cases and passes', 'cases', [...linesOf('Pass', (run) => run.totals.Pass || 0),
        ...linesOf('all cases', (run) => sum(run.totals), true)]),
      present.length > 0 ? chart('Other verdicts', 'cases',
        present.flatMap((verdict) => linesOf(verdict, (run) => run.totals[verdict] || 0))
          .map((line, stroke) => ({...line, stroke}))) : '',
      chart('Speed', 'cases per second', linesOf(kinds.length === 1 ? 'cases per second of case time' : '',
        (run) => run.casesPerSecond)),
      table('Runs', [['Started'], ['Target'], ['Tier'], ['Driver'], ['Suite'], ['Verdicts'],
        ['Cases per second', 'number']],
      runs.map((run, i) => [labels[i], run.target, run.tier, run.driver, run.suite,
        (run.filtered ? 'filtered: ' : '') + listTotals(run.totals),
        number(Math.round(run.casesPerSecond))])));
  },
});
