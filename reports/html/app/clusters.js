// The failures by cause: the query that describes them, what it covers, and the shortest case.

// A cause in a run, or in several runs.
const causeArticle = (title, {headline, extent}, shortest, message, ...more) =>
  make('article', {class: 'cluster'}, make('h3', {}, title), make('p', {}, headline, extent && `; ${extent}`),
    shortest && make('p', {}, 'The shortest: ', shortest), message && make('p', {class: 'message'}, message), ...more);

const titleOf = ({query, explained}) =>
  query || (explained ? 'Whatever the case is' : 'What no query tells from passing cases');
const queryTitle = (query) => (query ? code(query) : titleOf({}));

const clusterParts = (cluster, i) => causeArticle(cluster.query ? code(cluster.query) : titleOf(cluster), cluster,
  caseLink(cluster.shortest.case),
  whatHappened(cluster.shortest), rulePart(cluster.rule, cluster.ruleIs),
  lastWords(cluster.shortest),
  make('p', {class: 'command aside'}, code(cluster.shortest.replay)), bundlePart(cluster.shortest),
  make('div', {class: 'copy-row'}, copyButton(cluster.shortest.replay, 'Copy replay command'),
    cluster.query && copyButton(cluster.query, 'Copy query'),
    linkTo({section: 'failures', q: '', facts: {cause: [String(i + 1)]}, case: ''}, 'its failures')));

// Shows the broken rule or, if that is not certain, a rule that all of the cases exercise.
function rulePart(id, is) {
  if (!id) return '';
  const {wording = ''} = data.rules.find((rule) => rule.id === id) || {};
  return make('p', {}, make('strong', {}, is === 'broken' ? 'The rule broken: ' : 'Exercised by all of them: '),
    wording, ' (', ruleLink(id), ')');
}

const whatHappened = (shortest) =>
  [messageOf(shortest), shortest.differences[0]].filter(Boolean).join(': ');

// Shows what the worker said last, where nothing else shows what happened.
const lastWords = ({differences, workerStderr}) => (differences.length === 0 && workerStderr.trim()
  ? make('pre', {tabindex: '0'}, workerStderr.trimEnd().split('\n').slice(-8).join('\n')) : '');

const bundlePart = ({bundle}) => bundle && make('p', {}, 'Bundle: ', linkBeside(`${bundle}/`, bundle));

// For the first screen: the fault, and the command that shows it.
function firstFault() {
  if (data.clusters.length === 0) return '';
  const [{headline, cases, passing, dimensions, shortest, rule, ruleIs}] = data.clusters;
  const {values = ''} = dimensions.find(({name}) => name === 'levels') || {};
  const alone = !passing && /^[\d.]+$/.test(values) ? ` The run has such cases at level ${values} alone.` : '';
  return make('div', {class: 'remarks first-fault'},
    make('p', {}, make('strong', {}, 'What is wrong: '), `${headline}.${alone}`),
    make('p', {}, make('strong', {}, cases === 1 ? 'What was seen: ' : 'In the shortest of them: '), whatHappened(shortest)),
    lastWords(shortest), rulePart(rule, ruleIs),
    make('p', {}, make('strong', {}, 'Type next, where it was tested: '), code(shortest.replay)),
    bundlePart(shortest), make('div', {class: 'copy-row'}, copyButton(shortest.replay, 'Copy replay command'),
      linkTo({section: 'faults', case: ''}, data.faults + (data.clusters.length === 1 || data.clusters.at(-1).explained ? ''
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
