// Traceability: each rule of the documents, how it is checked, by how many cases of which families.

function ruleLevels(rule) {
  if (!rule.known) return '';
  return rule.from === rule.through ? rule.from : `${rule.from} to ${rule.through}`;
}

function ruleStatus(rule) {
  if (rule.failed > 0) return badge('bad', '✕', `${number(rule.failed)} failed`);
  if (rule.checked === 'not at all') return badge('neutral', '–', 'undefined');
  if (rule.cases === 0) return badge('attention', '!', 'no case');
  const tone = toneOfTotals(rule.totals);
  if (tone === 'good') return badge('good', '✓', 'holds');
  return make('div', {},
    tone === 'neutral' ? badge('neutral', '–', 'not supported') : badge('attention', '!', 'unproven'),
    make('div', {class: 'source'}, listTotals(rule.totals)));
}

sections.push({
  id: 'rules',
  title: 'Rules',
  render(root) {
    root.append(table('Rules of the operator documents',
      [['Rule', 'id'], ['Wording', 'wide'], ['Levels', 'tight'], ['Checked', 'tight'], ['Families'], ['Cases', 'number'],
        ['Result']],
      data.rules.map((rule) => [
        make('span', {id: `rule-${rule.id}`}, code(rule.id)),
        rule.known
          ? make('div', {}, rule.wording, make('div', {class: 'source'}, rule.source),
            rule.note && make('div', {class: 'source'}, `Note: ${rule.note}`))
          : 'Not in the ledger of the dmlcts that made this report.',
        ruleLevels(rule), rule.checked || '', rule.families.join(', '), number(rule.cases),
        ruleStatus(rule),
      ])));
  },
  filter(matches) { return filterRows(document.getElementById('rules'), matches); },
});
