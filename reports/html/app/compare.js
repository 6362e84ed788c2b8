// The page of `dmlcts report diff`: two runs, case by case.

const changes = [
  ['broken', '✕', 'bad', 'Broken', 'failed now, and did not before'],
  ['weakened', '!', 'attention', 'No longer proved', 'passed before and proves nothing now, or newly not supported'],
  ['stillFailing', '✕', 'bad', 'Still failing', 'failed in both'],
  ['fixed', '✓', 'good', 'Fixed', 'failed before, and passes now'],
  ['otherwise', '~', 'neutral', 'Otherwise changed', 'another verdict, neither better nor worse'],
  ['newlyCovered', '+', 'neutral', 'Newly covered', 'only in the second run'],
  ['noLongerRun', '–', 'neutral', 'No longer run', 'only in the first run'],
];

function renderDiffHeader(root) {
  const {before, after, counts} = data;
  root.append(
    ...titleParts('comparison of two runs', data.exitStatus !== 0 ? 'bad' : 'good', data.headline),
    make('ul', {class: 'verdicts'}, changes.map(([key, symbol, tone, title, meaning]) =>
      make('li', {}, make('span', {class: `mark ${tone}`, 'aria-hidden': 'true'}, symbol),
        make('strong', {}, number(counts[key])), ' ',
        counts[key] ? linkTo({section: key}, title) : title,
        make('span', {class: 'meaning'}, meaning)))),
    ...(data.lostLevels.length > 0 ? [make('ul', {class: 'remarks lost'},
      data.lostLevels.map(({operator, from, through, why}) => make('li', {},
        badge('bad', '✕', 'No longer shown to conform'),
        ` ${operator} ${from === through ? from : `${from} to ${through}`}: ${why}.`)))] : []),
    warningList(data.warnings),
    table('The two runs', [['', 'tight'], ['First'], ['Second'], ['']],
      before.map(([name, value], i) => [name, value, after[i][1],
        value === after[i][1] ? '' : badge('attention', '≠', 'differs')])
        .filter(([, a, b]) => a || b)));
}

const verdictChange = (row) => [row.before, row.after].flatMap((verdict, i) =>
  [i > 0 ? ' → ' : '', verdict ? verdictBadge(verdict) : badge('neutral', '', 'not run')]);

const brokenCluster = (cluster) => causeArticle(queryTitle(cluster.query), cluster,
  caseLink(cluster.shortest, 'broken'), cluster.message);

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
