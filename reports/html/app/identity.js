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
    ['Pairs of parameters run', data.coverage.map((row) => `${percent(row)} of ${number(row.possible)}`)
      .join()],
    ['Mutants caught', mutants.length > 0 && `${number(mutants.filter((each) => each.caught).length)}`
      + ` of ${number(mutants.length)}`],
  ];
}

// Names and SHA-256 of the tested files, folded behind a count.
function fileList(files) {
  const names = Object.keys(files);
  if (names.length === 0) return '';
  return make('details', {}, make('summary', {}, `${counted(names.length, 'file')}, by SHA-256`),
    make('ul', {class: 'plain'}, firstItems(names, 100, (name) => [code(name), ' ', code(files[name])],
      () => 'and more, in report.json')));
}

function renderReportHeader(root) {
  const {conclusion, target, tool} = data;
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
      linkToCases({verdict: [verdict]}, verdict),
      make('span', {class: 'meaning'}, meaning)));
  }
  root.append(
    ...titleParts(isRandom ? 'random cases against DirectML’s documentation' : 'DirectML conformance report',
      conclusion.tone, conclusion.sentence),
    // After a failure, the title and the counts below say it already.
    firstFault() || make('p', {class: 'detail'}, `${conclusion.headline} ${conclusion.detail}`.trim()));
  if (conclusion.remarks.length > 0) {
    root.append(make('ul', {class: 'remarks'}, firstItems(conclusion.remarks, 20, (remark) => remark,
      (more) => `and ${more} more, in report.json`)));
  }
  const shown = {Files: () => fileList(target.files), Command: code, Complete: () => '',
    Tier: (tier) => !isRandom && tier, Implementation: (value) => (target.name === 'directml' ? `DirectML ${value}` : value)};
  root.append(bar, list, complianceStatement(), facts([
    ...data.facts.map(([name, value]) => [name, value && (shown[name] ? shown[name](value) : value)]),
    ['Random cases', isRandom && `seed ${tool.seed}`],
    ['Time in cases', isRandom && seconds(data.throughput.caseSeconds)],
    ...coverageFacts(),
  ]), folded('Statement to sign, as in statement.txt', make('pre', {tabindex: '0'}, data.statement),
    copyButton(data.statement, 'Copy statement')), waiverList(), notRunList());
}
