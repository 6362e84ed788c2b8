// Traceability: each rule, how it is checked, its cases, and the mutants that only its cases kill.

function ruleLevels(rule) {
  if (!rule.known) return '';
  return rule.from === rule.through ? rule.from : `${rule.from} to ${rule.through}`;
}

function ruleStatus(rule) {
  if (rule.observed > 0) return badge('attention', '○', `not kept in ${number(rule.observed)}`);
  if (rule.checked === 'in every case') {
    const possibly = rule.possibly ? 'possibly ' : '';
    if (rule.violated > 0) return badge('bad', '✕', `${possibly}broken in ${number(rule.violated)}`);
    // A crash hides whether such a rule was kept.
    return toneOfTotals(data.totals) === 'good' ? badge('good', '✓', 'kept')
      : badge('neutral', '○', 'not seen broken');
  }
  if (rule.checked === 'not at all') return badge('neutral', '–', 'undefined');
  if (rule.cases === 0) return isRandom ? badge('neutral', '○', 'not drawn') : badge('bad', '✕', 'no case');
  if (rule.failed > 0) return badge('bad', '✕', `${number(rule.failed)} failed`);
  const tone = toneOfTotals(rule.totals);
  if (tone === 'good') return badge('good', '✓', 'passed');
  return make('div', {},
    tone === 'neutral' ? badge('neutral', '○', 'not asked') : badge('attention', '!', 'not proved'),
    make('div', {class: 'source'}, listTotals(rule.totals)));
}

// Rule id -> mutants for which every catch exercises the rule.
function mutantsByRule() {
  const pairs = (data.mutants ? data.mutants.mutants : []).flatMap((mutant) =>
    mutant.onlyRules.map((id) => ({id, mutant})));
  return new Map(groupsOf(pairs, ({id}) => id).map(([id, all]) => [id, all.map(({mutant}) => mutant)]));
}

const mostCatches = () => Math.max(...data.mutants.mutants.map(({catches}) => catches));

const bareName = (mutant) => mutant.target.replace(/^mutant:/, '');

function mutantList(mutants) {
  if (!mutants) return '';
  const item = (mutant) => make('li', {}, linkTo({case: mutant.case}, code(bareName(mutant))));
  if (mutants.length <= 4) return make('ul', {class: 'plain'}, mutants.map(item));
  return make('details', {}, make('summary', {}, counted(mutants.length, 'mutant')),
    make('ul', {class: 'plain'}, mutants.map(item)));
}

// Returns {cases, failed, totals} of the rules that the cases exercise, by id.
function perRule(rows) {
  const counts = new Map();
  for (const [verdict, some] of groupsOf(rows, (row) => row.verdict)) {
    for (const [id, n] of valuesOf('rule', some)) {
      if (!counts.has(id)) counts.set(id, {cases: 0, failed: 0, totals: {}});
      const count = counts.get(id);
      count.cases += n;
      count.failed += toneOf(verdict) === 'bad' ? n : 0;
      count.totals[verdict] = n;
    }
  }
  return counts;
}

sections.push({
  id: 'rules',
  title: 'Rules',
  render(root) {
    const bare = data.rules.filter((rule) => rule.cases === 0 && !['not at all', 'in every case'].includes(rule.checked));
    root.append(make('p', {class: 'aside'}, bare.length === 0
      ? 'Every rule that can be checked has a case. '
      : `${counted(bare.length, 'rule')} without a case, marked ${isRandom ? '○' : '✕'}. `,
    'A count leads to the cases that exercise the rule, a case names its rules.',
    data.mutants ? ' A mutant is a deliberately faulty implementation; it stands beside a rule that '
      + `every case that caught it exercises, of the first ${mostCatches()} at most: without the `
      + 'rule\'s cases it would live.' : ''));
    this.body = make('div');
    root.append(this.body);
    this.select(undefined);
  },
  select(chosen) {
    const counts = chosen && perRule(chosen.rows);
    const mutants = mutantsByRule();
    const columns = [['Rule', 'id'], ['Wording', 'wide'], ['Levels', 'tight'], ['Checked', 'tight'],
      ['Cases', 'number'], ['Result']];
    if (data.mutants) columns.push(['Mutants that only it kills', 'mutants']);
    const rows = counts
      ? data.rules.filter(({id}) => counts.has(id)).map((rule) => ({...rule, ...counts.get(rule.id)}))
      : data.rules;
    const list = (some) => table('Rules of the operator documents', columns,
      some.map((rule) => {
        const cells = [
          make('span', {id: `rule-${rule.id}`, tabindex: '-1'},
            make('code', {}, rule.id.split(/(?<=[.-])/).flatMap((part) => [part, make('wbr')]))),
          rule.known
            ? make('div', {}, rule.wording, make('div', {class: 'source'}, `${rule.standing}: ${rule.source}`),
              rule.note && make('div', {class: 'source'}, `Note: ${rule.note}`),
              rule.families.length > 0
                && make('div', {class: 'source'}, `Families: ${rule.families.join(', ')}`))
            : 'Not in the ledger of the dmlcts that made this report.',
          ruleLevels(rule), rule.checked || '',
          rule.cases > 0 ? linkToCases({rule: [rule.id]}, number(rule.cases)) : '0',
          ruleStatus(rule),
        ];
        if (data.mutants) cells.push(mutantList(mutants.get(rule.id)));
        return cells;
      }));
    // Rules with failures or without a case come first, the highest failure rates on top.
    const telling = rows.filter((rule) => rule.failed + rule.violated > 0
      || (rule.cases === 0 && !['not at all', 'in every case'].includes(rule.checked)))
      .sort((a, b) => b.failed / (b.cases || 1) - a.failed / (a.cases || 1));
    const first = telling.slice(0, 3);
    const rest = rows.filter((rule) => !first.includes(rule));
    this.body.replaceChildren(...(first.length > 0 ? [list(first)] : []),
      ...(rest.length > 0 ? [folded(`${counted(rest.length, first.length > 0 ? 'other rule' : 'rule')}`,
        list([...telling.slice(3), ...rest.filter((rule) => !telling.includes(rule))]))] : []));
  },
});
