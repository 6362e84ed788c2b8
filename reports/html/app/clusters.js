// The failures by cause: the query that describes them, the dimensions that it covers, and the
// shortest case.

function clusterParts({query, totals, cases, passing, terms, dimensions, shortest, rule, ruleIs}) {
  const rows = dimensions.map(({name, values, whole}) =>
    [name, whole ? badge('neutral', '∀', `all: ${values}`) : values]);
  return make('article', {class: 'cluster'},
    make('h3', {}, query ? code(query) : 'What no query tells from passing cases'),
    make('p', {}, Object.keys(totals).map((verdict) =>
      [number(totals[verdict]), ' ', verdictBadge(verdict), ' ']).flat(),
    query && (passing ? `; ${counted(passing, 'case')} of this query pass. `
      : cases === 1 ? ': its only case. ' : ': every case of this query. '),
    query && linkTo({section: 'failures', q: query, case: ''}, 'its failures')),
    terms.length > 0 && make('ul', {class: 'plain'}, terms.map(({term, passWithout}) => {
      const es = passWithout === 1 ? 'es' : '';
      return make('li', {}, `${counted(passWithout, 'case')} that `, terms.length > 1
        ? `match${es} the rest of the query but not ` : `do${es} not match `, code(term), ` pass${es}.`);
    })),
    rows.length > 0 && facts(rows),
    rulePart(rule, ruleIs),
    make('p', {}, 'The shortest: ', caseLink(shortest.case)),
    make('p', {class: 'message'}, whatHappened(shortest)),
    make('p', {class: 'command aside'}, code(shortest.replay)),
    make('div', {class: 'copy-row'}, copyButton(shortest.replay, 'Copy replay command'),
      query && copyButton(query, 'Copy query')));
}

// Shows the broken rule or, if that is not certain, a rule that all of the cases exercise.
function rulePart(id, is) {
  if (!id) return '';
  const {wording = ''} = data.rules.find((rule) => rule.id === id) || {};
  return make('p', {}, make('strong', {}, is === 'broken' ? 'The rule broken: ' : 'Exercised by all of them: '),
    wording, ' (', ruleLink(id), ')');
}

const whatHappened = (shortest) =>
  [messageOf(shortest), shortest.differences[0]].filter(Boolean).join(': ');

// For the first screen: the fault, and the command that shows it.
function firstFault() {
  if (data.clusters.length === 0) return '';
  const [{headline, cases, passing, dimensions, shortest, rule, ruleIs}] = data.clusters;
  const {values = ''} = dimensions.find(({name}) => name === 'levels') || {};
  const alone = !passing && /^[\d.]+$/.test(values) ? ` The run has such cases at level ${values} alone.` : '';
  return make('div', {class: 'remarks first-fault'},
    make('p', {}, make('strong', {}, 'What is wrong: '), `${headline}.${alone}`),
    make('p', {}, make('strong', {}, cases === 1 ? 'What was seen: ' : 'In the shortest of them: '), whatHappened(shortest)),
    rulePart(rule, ruleIs),
    make('p', {}, make('strong', {}, 'Type next, where it was tested: '), code(shortest.replay)),
    make('div', {class: 'copy-row'}, copyButton(shortest.replay, 'Copy replay command'),
      linkTo({section: 'faults', case: ''}, data.faults + (data.clusters.length === 1 || data.clusters.at(-1).query ? ''
        : `; no query tells the other ${number(data.clusters.at(-1).cases)} from passing cases`))));
}

sections.push({
  id: 'faults',
  title: 'Faults',
  absent: data.page !== 'report' || data.clusters.length === 0,
  render(root) {
    root.append(make('p', {class: 'aside'}, `${data.faults}.`), ...data.clusters.map(clusterParts));
  },
});
