// The compliance statement for each operator and level, in report.json's own words, with the broken
// rule. Then worker failures, and the cases that were not run, with reasons.

// Symbol, tone, the word for a level of one run, and for a cell of several runs.
const unshown = 'not shown to conform';
const statuses = {
  Conforms: ['✓', 'good', 'conforms', 'conforms'],
  Absent: ['–', 'neutral', 'absent, rightly rejected', 'absent'],
  Broken: ['✕', 'bad', 'fails', 'broken'],
  Partial: ['!', 'attention', unshown, 'partial'],
  Unproven: ['?', 'attention', unshown, 'unproven'],
  Filtered: ['▽', 'attention', unshown, 'filtered'],
  NotAsked: ['○', 'neutral', 'not asked', 'not asked'],
  NotSupported: ['–', 'attention', unshown, 'not supported'],
  NotRun: ['', 'neutral', 'not run'],
};
const statementBadge = ({status, statement}) => {
  const [symbol, tone] = statuses[status] || ['?', 'neutral'];
  return badge(`said ${tone}`, symbol, statement);
};

function failedRules(row) {
  return row.failedRules.length > 0 && make('ul', {class: 'plain'}, firstItems(row.failedRules, 4,
    (rule) => [ruleLink(rule.id), ` ${number(rule.failed || rule.waived)} of ${counted(rule.cases, 'case')}`],
    (more) => `and ${more} more`));
}

const stripWord = (status) => (statuses[status] || [])[2] || unshown;
const stripSymbol = (status) => (statuses[status] || ['?'])[0] || '·';

// A square for each level, which links to its cases; its name and title say the same in words.
function levelStrip(operator) {
  return make('ol', {class: 'levels', 'aria-label': `${operator} by level`}, data.levelNames.map((level) => {
    const row = data.compliance.find((each) => each.operator === operator && each.level === level);
    const status = row ? row.status : 'NotRun';
    const [, tone] = statuses[status] || ['?', 'neutral'];
    const said = `${level}: ${stripWord(status)}`;
    const square = [make('span', {'aria-hidden': 'true'}, level),
      make('span', {class: 'symbol', 'aria-hidden': 'true'}, stripSymbol(status)),
      make('span', {class: 'unseen'}, said)];
    return make('li', {class: `${tone} ${status}`, title: said}, status === 'NotRun' ? square
      : linkToCases({operator: [operator], level: [level]}, square));
  }));
}

function complianceStatement() {
  if (data.claims.length === 0) return '';
  const run = data.claims.filter(({status}) => status !== 'NotRun');
  return make('div', {class: 'statements'}, distinct(data.claims, 'operator').map((operator) =>
    make('div', {class: 'statement'}, code(operator), make('div', {}, levelStrip(operator),
      run.filter((claim) => claim.operator === operator).map((claim) => make('p', {class: 'part'},
        `${claim.levels}: `, statementBadge(claim),
        claim.rule && ' by ', claim.rule && ruleLink(claim.rule)))))),
  make('p', {class: 'aside'}, 'By DirectML feature level, on a tier, one of dmlcts’s sets of cases: ', distinct(data.compliance, 'status')
    .map((status) => `${stripSymbol(status)} ${stripWord(status)}`).join('; ')));
}

function waiverList() {
  if (data.waivers.length === 0) return '';
  const itemOf = (waiver) => [waiver.reason, ' (', linkToCases({reason: [waiver.reason]}, counted(waiver.cases, 'case')), ')'];
  return make('div', {class: 'left-out'}, make('p', {}, 'Waived'), make('ul', {},
    firstItems(data.waivers, 8, itemOf, (more) => `and ${more} more reasons, in report.json`)));
}

function notRunList() {
  if (data.notRun.length === 0) return '';
  const itemOf = ({what, why, cases}) =>
    [make('strong', {}, what), cases ? ` (${counted(cases, 'case')})` : '', `: ${why}`];
  return make('div', {class: 'left-out'}, make('p', {}, 'Not run'), make('ul', {},
    firstItems(data.notRun, 6, itemOf, () => linkTo({section: 'not-run'}, 'all that was not run'))));
}

sections.push({
  id: 'compliance',
  title: 'Compliance per level',
  absent: data.page !== 'report' || data.compliance.length === 0,
  render(root) {
    for (const operator of distinct(data.compliance, 'operator')) {
      const rows = data.compliance.filter((row) => row.operator === operator);
      const run = rows.filter((row) => row.status !== 'NotRun');
      if (run.length === 0) continue;
      root.append(make('h3', {}, code(operator)));
      root.append(folded(`${counted(run.length, 'level')}, with verdicts and rules`, table(`Compliance of ${operator}`,
        [['Level'], ['What is known', 'wide'], ['Cases', 'number'], ['Verdicts'],
          ['Rules exercised by failed or waived cases']],
        run.map((row) => {
          return [linkToCases({operator: [operator], level: [row.level]}, row.level),
            statementBadge(row), number(sum(row.totals)), listTotals(row.totals), failedRules(row)];
        }))));
    }
  },
});

sections.push({
  id: 'workerFailures',
  title: 'Worker failures',
  absent: data.page !== 'report' || data.workerFailureCount === 0,
  render(root) {
    const shown = data.workerFailures.slice(0, 100);
    root.append(make('p', {class: 'aside'}, `${counted(data.workerFailureCount, 'worker failure')} outside `
      + `any case: each fails the run${isRandom ? '' : ', and no level conforms'}.`
      + (data.workerFailureCount > shown.length ? ` The first ${shown.length}; report.json has all.` : '')),
    table('Worker failures', [['When'], ['What'], ['How', 'wide']],
      shown.map(({when, verdict, message, workerStderr}) => [when, verdictBadge(verdict),
        make('div', {}, message, workerStderr && make('details', {}, make('summary', {}, 'stderr'),
          make('pre', {tabindex: '0'}, workerStderr)))])));
  },
});

sections.push({
  id: 'not-run',
  title: 'Not run',
  absent: data.page !== 'report' || data.notRun.length <= 6,
  render(root) {
    root.append(table('What was not run, and why', [['What'], ['Why', 'wide'], ['Cases', 'number']],
      data.notRun.map((row) => [row.what, row.why, row.cases ? number(row.cases) : ''])));
  },
});
