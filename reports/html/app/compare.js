// The page of `dmlcts report diff`: what each run showed, and the cases that changed from the first
// to the last.

const several = data.page === 'diff' && data.runs.length !== 2;

const changes = [
  ['broken', '✕', 'bad', 'Broken', 'failed now, and did not before'],
  ['weakened', '!', 'attention', 'No longer proved', 'passed before and proves nothing now, or newly not supported'],
  ['byChance', '~', 'attention', 'Different by chance', 'Flaky in one, no failure in the other'],
  ['stillFailing', '✕', 'bad', 'Still failing', 'failed in both'],
  ['fixed', '✓', 'good', 'Fixed', 'failed before, and passes now'],
  ['otherwise', '~', 'neutral', 'Otherwise changed', 'another verdict, neither better nor worse'],
  ['inBetween', '~', 'neutral', 'Changed in between', 'the same in the first and the last run alone'],
  ['newlyCovered', '+', 'neutral', 'Newly covered', 'only in the last run'],
  ['noLongerRun', '–', 'neutral', 'No longer run', 'only in the first run'],
];

function renderDiffHeader(root) {
  const {before, after, counts, runs} = data;
  const shown = changes.filter(([key]) => several || key !== 'inBetween');
  root.append(
    ...titleParts(several ? `comparison of ${counted(runs.length, 'run')}` : 'comparison of two runs', data.exitStatus !== 0 ? 'bad' : 'good', data.headline),
    make('ul', {class: 'verdicts'}, shown.map(([key, symbol, tone, title, meaning]) =>
      make('li', {}, make('span', {class: `mark ${tone}`, 'aria-hidden': 'true'}, symbol),
        make('strong', {}, number(counts[key])), ' ',
        counts[key] ? linkTo({section: key}, title) : title,
        make('span', {class: 'meaning'}, meaning)))),
    ...(data.lostLevels.length > 0 ? [make('ul', {class: 'remarks lost'},
      data.lostLevels.map(({operator, from, through, why}) => make('li', {},
        badge('bad', '✕', 'No longer shown to conform'),
        ` ${operator} ${from === through ? from : `${from} to ${through}`}: ${why}.`)))] : []),
    warningList(data.warnings),
    several ? '' : table('The two runs', [['', 'tight'], ['First'], ['Second'], ['']],
      before.map(([name, value], i) => [name, value, after[i][1],
        value === after[i][1] ? '' : badge('attention', '≠', 'differs')])
        .filter(([, a, b]) => a || b)));
}

// A run's name leads to its own page, if that is known.
const runLink = ({name, page}) => (page
  ? make('a', {href: page.split('/').map(encodeURIComponent).join('/')}, code(name)) : code(name));

const verdictOrNone = (verdict) => (verdict ? verdictBadge(verdict) : badge('neutral', '', 'not run'));

// Shows "Pass → Fail"; of more than two runs, each verdict that differs from the one before it, and
// the name of its run.
const verdictChange = (row) => (row.verdicts
  ? row.verdicts.flatMap((verdict, i) => (i > 0 && verdict === row.verdicts[i - 1] ? []
    : [i > 0 ? ' → ' : '', verdictOrNone(verdict), i > 0 ? ` ${data.runs[i].name}` : '']))
  : [verdictOrNone(row.before), ' → ', verdictOrNone(row.after)]);

const brokenCluster = (cluster) => causeArticle(queryTitle(cluster.query), cluster,
  caseLink(cluster.shortest, 'broken'), cluster.message);

sections.push({
  id: 'runs',
  title: 'Runs',
  pages: ['diff'],
  render(root) {
    root.append(table('Runs, the last first',
      [['Run'], ['Started'], ['Target'], ['Driver'], ['Tier', 'tight'], ['Verdicts'], ['Cases/s', 'number'], ['Suite']],
      [...data.runs].reverse().map((run) => [runLink(run), run.startedAt, `${run.target} ${run.version}`, run.driver,
        run.tier, make('div', {}, listTotals(run.totals),
          run.workerFailures > 0 && `, ${counted(run.workerFailures, 'worker failure')}`,
          run.doubt && make('div', {}, badge('attention', '?', run.doubt)),
          run.note && make('div', {class: 'source'}, run.note)),
        run.caseSeconds > 0 ? number(Math.round(sum(run.totals) / run.caseSeconds)) : '',
        `${run.suite}, specification ${run.specification}`])));
  },
});

sections.push({
  id: 'over-time',
  title: 'Over time',
  pages: ['diff'],
  absent: !several,
  render(root) {
    const {runs} = data;
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
    const chart = (title, y, lines) => lineChart(lines, {title, x: 'run', y, categories: labels, legend: kinds.length > 1});
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

sections.push({
  id: 'causes',
  title: 'Causes by run',
  pages: ['diff'],
  absent: data.page !== 'diff' || data.causes.length === 0,
  render(root) {
    root.append(make('p', {class: 'aside'}, 'Causes of failures, and rules that are not kept without a failure, '
      + 'by target: in cases of those that could show them.'),
    ...data.causes.map((cause) => causeArticle([code(cause.target), ': ', queryTitle(cause.query || cause.rule)],
      cause, code(cause.shortest), cause.message,
      cause.rule && cause.query && make('p', {}, cause.ruleIs === 'broken' ? 'Breaks ' : 'Exercises ', code(cause.rule)),
      make('ul', {class: 'inline'}, cause.cells.flatMap(({found, of}, i) => (of === 0 ? [] : [make('li', {},
        badge(found > 0 ? 'bad' : 'good', found > 0 ? '✕' : '✓', data.runs[i].name),
        ` ${number(found)} of ${number(of)}`)]))))));
  },
});

sections.push({
  id: 'levels',
  title: 'Levels by run',
  pages: ['diff'],
  absent: data.page !== 'diff' || data.levels.length === 0,
  render(root) {
    const rowOf = ({operator, from, through, cells}) => [
      make('span', {}, code(operator), ` ${from === through ? from : `${from} to ${through}`}`),
      make('ul', {class: 'plain'}, groupsOf(cells.map((cell, run) => ({...cell, run})).filter(({status}) => status !== 'NotRun'),
        ({statement}) => statement).map(([, alike]) => make('li', {}, statementBadge(alike[0]), ' ',
        alike.map(({run, passed, of}) => data.runs[run].name + (of > 0 ? ` ${number(passed)} of ${number(of)}` : '')).join(', '))))];
    root.append(make('p', {class: 'aside'}, 'Cases that pass, of those that ran.'),
      table('Levels by run', [['Levels'], ['What each run shows', 'wide']], data.levels.map(rowOf)));
  },
});

for (const [key, , , title] of changes) {
  const rows = data.page === 'diff' ? data.changes[key] : [];
  const elsewhere = rows.length > 0 ? data.counts[key] - rows.length : 0;
  listCases({
    id: key,
    title,
    pages: ['diff'],
    absent: rows.length === 0,
    begin: () => (key === 'broken' ? data.clusters.map(brokenCluster) : []),
    step: casesPerPage,
    rowsIn: (chosen) => (chosen ? rows.filter(chosen.matches) : rows),
    itemOf: (row) => [verdictChange(row), row.message],
    noteOf: (shown, size) => `${number(shown)} of ${counted(size, 'case')} shown.`
      + (elsewhere > 0 ? ` ${number(elsewhere)} more are in the JSON form.` : ''),
  });
}
