// The top of the page: the tested target, and the result.

function facts(pairs) {
  const list = make('dl', {class: 'facts'});
  for (const [name, value] of pairs) {
    if (!value) continue;
    const wide = value instanceof Element && value.textContent.length > 40;  // a command line
    list.append(make('div', wide ? {class: 'whole'} : {}, make('dt', {}, name), make('dd', {}, value)));
  }
  return list;
}

function coverageFacts() {
  const mutants = data.mutants ? data.mutants.mutants : [];
  return [
    ['Parameter combinations run', data.coverage.map((row) =>
      `${percent(row)} of ${number(row.possible)} ${tuples(row)}`).join(', ')],
    ['Mutants caught', mutants.length > 0 && `${number(mutants.filter((each) => each.caught).length)}`
      + ` of ${number(mutants.length)}`],
  ];
}

// Names and SHA-256 of the tested files, folded behind a count.
function fileList(files) {
  const names = Object.keys(files);
  if (names.length === 0) return '';
  const shown = names.slice(0, 100).map((name) => make('li', {}, code(name), ' ', code(files[name])));
  if (names.length > shown.length) shown.push(make('li', {}, 'and more, in report.json'));
  return make('details', {}, make('summary', {}, `${counted(names.length, 'file')}, by SHA-256`),
    make('ul', {class: 'plain'}, shown));
}

function renderReportHeader(root) {
  const {conclusion, target, tool} = data;
  const symbol = {good: '✓', attention: '!', bad: '✕'}[conclusion.tone];
  const present = Object.keys(verdicts).filter((v) => data.totals[v]);
  const bar = make('div', {class: 'bar', 'aria-hidden': 'true'});
  const list = make('ul', {class: 'verdicts'});
  for (const verdict of present) {
    const [mark, tone, meaning] = verdicts[verdict];
    const part = make('span', {class: tone});
    part.style.flexGrow = data.totals[verdict];
    bar.append(part);
    list.append(make('li', {},
      make('span', {class: `mark ${tone}`, 'aria-hidden': 'true'}, mark),
      make('strong', {}, number(data.totals[verdict])), ' ',
      linkTo({section: 'cases', q: `verdict=${verdict}`}, verdict),
      make('span', {class: 'meaning'}, meaning)));
  }
  root.append(
    make('p', {class: 'product'}, 'dmlcts ', make('span', {},
      isRandom ? 'random cases against DirectML’s documentation' : 'DirectML conformance report')),
    make('h1', {class: conclusion.tone},
      make('span', {class: 'mark', 'aria-hidden': 'true'}, symbol),
      make('span', {}, conclusion.sentence)),
    // After a failure, the title and the counts below say it already.
    firstFault() || make('p', {class: 'detail'}, `${conclusion.headline} ${conclusion.detail}`.trim()));
  if (conclusion.remarks.length > 0) {
    const shown = conclusion.remarks.slice(0, 20).map((remark) => make('li', {}, remark));
    const more = conclusion.remarks.length - shown.length;
    if (more > 0) shown.push(make('li', {}, `and ${number(more)} more, in report.json`));
    root.append(make('ul', {class: 'remarks'}, shown));
  }
  const shown = {Files: () => fileList(target.files), Command: code, Complete: () => '',
    Tier: (tier) => !isRandom && tier, Implementation: (value) => (target.name === 'directml' ? `DirectML ${value}` : value)};
  root.append(bar, list, complianceStatement(), facts([
    ...data.facts.map(([name, value]) => [name, value && (shown[name] ? shown[name](value) : value)]),
    ['Random cases', isRandom && `seed ${tool.seed}`],
    ['Time in cases', isRandom && seconds(data.throughput.caseSeconds)],
    ...coverageFacts(),
  ]), waiverList(), notRunList());
}
