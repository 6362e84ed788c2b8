// Builds the page from the sections and keeps it in step with the address.

const headers = {report: renderReportHeader, diff: renderDiffHeader, bench: renderBenchHeader};

const shownSections = sections.filter((section) =>
  !section.absent && (section.pages || ['report']).includes(data.page));
const hasQueries = data.page === 'report' || data.page === 'diff';
const hint = 'The slash key leads here. Words, of which a case must have each: f16 fail negative-index 4.0';
const queryBox = make('input', {
  type: 'search', id: 'filter', placeholder: 'Words of cases: f16 fail 4.0', autocomplete: 'off', title: hint,
  spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'filter-help', 'aria-keyshortcuts': '/',
});
const queryCount = make('output', {for: 'filter', class: 'count'});
const queryNote = make('p', {class: 'aside', role: 'status'});
const clearButton = make('button', {type: 'button', onclick: () => { go({q: '', facts: {}}); queryBox.focus(); }}, 'Clear');
const firstFacts = ['verdict', 'level', 'type'];
const factChoices = new Map();  // key -> select
const moreChoices = make('div');
const moreFacts = make('details', {}, make('summary', {}, 'More facts'), moreChoices);

// Builds a choice of a fact's values, if there are several, with their numbers of cases.
function addChoice(parent, key) {
  const named = key === 'cause' && data.clusters
    ? (value) => `${value}: ${titleOf(data.clusters[value - 1])}` : (value) => value;
  const values = [...valuesOf(key)].sort(([a], [b]) => bySortKey(a, b));
  if (values.length < (key === 'cause' ? 1 : 2)) return;
  const choice = make('select', {'aria-label': factTitles[key],
    onchange: () => go({facts: {...readState().facts, [key]: choice.value ? [choice.value] : []}})},
  make('option', {value: ''}, factTitles[key]), values.map(([value, n]) =>
    make('option', {value}, `${named(value).slice(0, 60)} (${number(n)})`)));
  factChoices.set(key, choice);
  parent.append(choice);
}

function showFilter({q, facts}, chosen) {
  queryCount.textContent = (chosen ? `${number(chosen.rows.length)} of ` : '') + counted(cases.rows.length, 'case');
  queryNote.textContent = chosen && q && chosen.rows.length === 0
    ? 'No case has all of these words in its string and facts, as they stand.' : '';
  clearButton.style.visibility = chosen ? 'visible' : 'hidden';
  for (const [key, choice] of factChoices) {
    const some = facts[key] || [];
    choice.querySelector('[data-several]')?.remove();
    if (some.length > 1) choice.append(make('option', {value: '*', 'data-several': ''}, some.join(' or ')));
    choice.value = some.length > 1 ? '*' : some[0] || '';
    choice.classList.toggle('chosen', some.length > 0);
  }
  if (moreChoices.querySelector('.chosen')) moreFacts.open = true;
}

function buildPage() {
  const header = make('header');
  headers[data.page](header);
  const links = shownSections.map((section) =>
    make('li', {}, linkTo({section: section.id, case: ''}, section.title)));
  const nav = make('nav', {'aria-label': 'Sections'}, make('ul', {}, links));
  if (hasQueries) {
    nav.append(make('div', {class: 'filtering'}, make('label', {for: 'filter'}, make('kbd', {}, '/'), ' to filter'),
      queryBox, make('span', {id: 'filter-help', class: 'unseen'}, hint), queryCount, clearButton, queryNote, moreFacts));
    header.prepend(make('a', {href: '#filter', class: 'skip', onclick: (event) => {
      event.preventDefault();
      queryBox.focus();
    }}, 'Skip to the filter'));
  }
  document.documentElement.dataset.page = data.page;
  const main = make('main');
  for (const section of shownSections) {
    section.root = make('section', {id: section.id, 'aria-labelledby': `${section.id}-title`},
      make('h2', {id: `${section.id}-title`, tabindex: '-1'}, section.title));
    if (section.late) section.root.append(make('p', {class: 'aside loading'}, 'Unpacking …'));
    else section.render(section.root);
    main.append(section.root);
  }
  document.getElementById('page').append(header, nav, main, caseDialog);
}

let shownFilter = JSON.stringify(['', {}]);
function applyFilter({q, facts}) {
  const filter = JSON.stringify([q, facts]);
  if (filter === shownFilter) return;
  shownFilter = filter;
  const chosen = q.trim() === '' && Object.keys(facts).length === 0 ? undefined : new Selection({q, facts});
  for (const section of shownSections) if (section.select) section.select(chosen);
  showFilter({q, facts}, chosen);
}

showState = (scroll) => {
  const state = readState();
  if (document.activeElement !== queryBox) queryBox.value = state.q;
  applyFilter(state);
  showCase(state.case);
  const place = state.section && document.getElementById(state.section);
  if (scroll && place) {
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) {
      fold.open = true;
    }
    place.scrollIntoView();
    place.focus({preventScroll: true});
  }
};

function listen() {
  queryBox.addEventListener('input', () => go({q: queryBox.value}, true));
  window.addEventListener('popstate', () => showState(true));
  window.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === '/' && !typing && hasQueries && !caseDialog.open) {
      event.preventDefault();
      queryBox.focus();
    }
  });
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('main details:not([open])')];
    for (const item of opened) item.open = true;
  });
  window.addEventListener('afterprint', () => { for (const item of opened) item.open = false; });
}

// The target of the address may be in a late section, so it is followed at the end.
async function start() {
  buildPage();
  // The first screen is painted before the rest is unpacked. (Hidden pages get no frames.)
  await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); setTimeout(resolve, 500); });
  const late = shownSections.filter((section) => section.late);
  try {
    await loadCases();
  } catch (error) {
    for (const section of late) {
      section.root.querySelector('.loading').textContent = 'This browser cannot unpack the list of '
        + `cases (${error.message}); report.json and junit.xml have it.`;
    }
    return;
  }
  for (const section of late) {
    section.root.querySelector('.loading').remove();
    section.render(section.root);
  }
  if (hasQueries) {
    const others = Object.keys(factTitles).filter((key) => !firstFacts.includes(key));
    for (const key of firstFacts) addChoice(moreFacts.parentElement, key);
    moreFacts.parentElement.append(moreFacts, queryNote);
    for (const key of others) addChoice(moreChoices, key);
    moreFacts.hidden = moreChoices.childElementCount === 0;
    showFilter(readState());
  }
  listen();
  showState(true);
  performance.mark('whole');
  document.documentElement.dataset.ready = 'yes';
}

addEventListener('DOMContentLoaded', start);
