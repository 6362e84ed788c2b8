// Builds the page from the sections and keeps it in step with the address.

const headers = {
  report: renderReportHeader, diff: renderDiffHeader, bench: renderBenchHeader, matrix: renderMatrixHeader,
};

const shownSections = sections.filter((section) =>
  !section.absent && (section.pages || ['report']).includes(data.page));
const hasQueries = data.page === 'report' || data.page === 'diff';
const queryBox = make('input', {
  type: 'search', id: 'filter', placeholder: 'f16 Fail level=4.*', autocomplete: 'off',
  spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'filter-help filter-error',
});
const queryError = make('div', {id: 'filter-error', class: 'error', role: 'status'});
const queryCount = make('output', {for: 'filter', class: 'count'});
const queryChips = make('ul', {class: 'chips', 'aria-label': 'Terms of the filter'});

function changeQuery(text) {
  go({q: text});
  queryBox.value = text;
  queryBox.focus();
}

// Makes a button for each term that removes it.
function chipsOf(text) {
  const parts = text.split('|').map((part) => part.match(/[^ \t\r\n]+/g) || []);
  const without = (part, word) => parts.map((words, i) =>
    words.filter((_, j) => i !== part || j !== word)).filter(({length}) => length > 0)
    .map((words) => words.join(' ')).join(' | ');
  return parts.flatMap((words, i) => [...(i > 0 ? [make('li', {}, 'or')] : []), ...words.map((word, j) =>
    make('li', {}, make('button', {type: 'button', 'aria-label': `Take away ${visible(word)}`,
      onclick: () => changeQuery(without(i, j))}, code(word), make('span', {'aria-hidden': 'true'}, ' ×'))))]);
}

// Shows a query's error, with a button for the suggested correction if there is one.
function queryTrouble(message, text, {column, token, meant, known}) {
  const better = meant !== undefined
    && text.slice(0, column - 1) + meant + text.slice(column - 1 + token.length);
  const list = `; there are ${known.join(', ')}`;
  return [make('span', {}, message.replace(list, '')), ' ',
    ...(better ? [make('button', {type: 'button', onclick: () => changeQuery(better)}, 'Use ', code(meant)), ' '] : []),
    ...(known.length > 0 ? [make('details', {}, make('summary', {}, 'what there is'), known.join(', '))] : [])];
}

function buildPage() {
  const header = make('header');
  headers[data.page](header);
  const links = shownSections.map((section) =>
    make('li', {}, linkTo({section: section.id, case: ''}, section.title)));
  const nav = make('nav', {'aria-label': 'Sections'}, make('ul', {}, links));
  if (hasQueries) {
    nav.append(make('label', {for: 'filter', class: 'unseen'}, 'Query, as on the command line, or words to look for'),
      queryBox,
      make('span', {id: 'filter-help', class: 'unseen'},
        'Cases that match are shown: words like level=4.* or input=f16:* must all hold; besides the '
        + 'keys of case strings there are family, rule, rank and verdict, has=nan, '
        + 'elements>=4096 and denormals=0. A value such as f16 or Fail needs no key, and any other '
        + 'word is looked for in the text. The slash key leads here.'),
      make('div', {class: 'filtering'}, queryCount, queryChips, queryError));
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

let shownQuery = '';
function applyQuery(text) {
  if (text === shownQuery) return;
  shownQuery = text;
  const blank = text.trim() === '';
  queryChips.replaceChildren(...(blank ? [] : chipsOf(text)));
  queryCount.textContent = '';
  queryError.replaceChildren();
  let chosen;
  try {
    if (!blank) chosen = new Selection(text, true);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    queryError.append(...queryTrouble(error.message, text, error));
    return;
  }
  for (const section of shownSections) if (section.select) section.select(chosen);
  if (!chosen) return;
  queryCount.textContent = `${number(chosen.size)} of ${counted(chosen.of, 'case')}`;
  const nothing = chosen.size === 0 && chosen.queries.map(namesNothing).filter(Boolean);
  if (nothing && nothing.length > 0) {
    queryError.append(...queryTrouble(nothing.map(({why}) => why).join(', '), text, nothing[0]));
  } else if (/(^|\s)(has|attributes|denormals)[!<>]?=/.test(text) && unknownFacts() > 0) {
    queryError.textContent = `${counted(unknownFacts(), 'case')} left out: too large to look into their inputs here.`;
  }
}

showState = (scroll) => {
  const state = readState();
  if (document.activeElement !== queryBox) queryBox.value = state.q;
  applyQuery(state.q);
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
  let timer;
  queryBox.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => go({q: queryBox.value}, true), 150);
  });
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
  listen();
  showState(true);
  performance.mark('whole');
  document.documentElement.dataset.ready = 'yes';
}

addEventListener('DOMContentLoaded', start);
