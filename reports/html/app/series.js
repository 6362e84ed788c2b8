// Verdicts and speed over runs, on the page of `dmlcts report series`.

sections.push({
  id: 'over-time',
  title: 'Over time',
  pages: ['matrix'],
  absent: !data.series,
  render(root) {
    const runs = data.configurations;
    const labels = runs.map(({name}) => name);
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
        (run) => (run.caseSeconds > 0 ? sum(run.totals) / run.caseSeconds : 0))));
  },
});
