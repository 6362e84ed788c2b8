// Builds the page out of the sections, and the filter box.

function buildPage() {
  const header = make('header');
  renderHeader(header);
  const shown = sections.filter((section) => !section.absent);
  const box = make('input', {
    type: 'search', id: 'filter', placeholder: 'Filter: f16 4.0 rank', autocomplete: 'off',
    spellcheck: 'false', 'aria-describedby': 'filter-help',
  });
  const links = shown.map((section) => make('li', {}, make('a', {href: `#${section.id}`}, section.title)));
  const nav = make('nav', {'aria-label': 'Sections'}, make('ul', {}, links),
    make('label', {for: 'filter', class: 'unseen'}, 'Filter rules, families, failures and cases'), box,
    make('span', {id: 'filter-help', class: 'unseen'},
      'Rows that hold every word are shown, in failures, rules, families and cases.'));
  const main = make('main');
  for (const section of shown) {
    section.count = make('span', {class: 'count'});
    const root = make('section', {id: section.id, 'aria-labelledby': `${section.id}-title`},
      make('h2', {id: `${section.id}-title`}, section.title, section.count));
    main.append(root);
    section.render(root);
  }
  document.getElementById('page').append(header, nav, main);

  function applyFilter() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (text) => {
      const lower = text.toLowerCase();
      return words.every((word) => lower.includes(word));
    };
    for (const section of shown) {
      if (!section.filter) continue;
      const left = section.filter(matches);
      section.count.textContent = words.length > 0 ? ` ${number(left)} match` : '';
    }
  }
  let timer;
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(applyFilter, 120);
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    }
  });
  window.addEventListener('beforeprint', () => {
    for (const item of document.querySelectorAll('details')) item.open = true;
  });
}

buildPage();
