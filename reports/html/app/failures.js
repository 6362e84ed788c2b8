// Failed cases, each with what is needed to understand and repeat it.

const failuresPerPage = 50;

function failureDetails(failure) {
  const parts = [
    make('div', {class: 'copy-row'}, copyButton(failure.case, 'Copy case string'),
      copyButton(failure.replay, 'Copy replay command')),
    make('p', {class: 'command'}, code(failure.replay)),
  ];
  const list = (title, items) => {
    if (items.length > 0) {
      parts.push(make('h4', {}, title), make('pre', {tabindex: '0'}, items.join('\n')));
    }
  };
  list('First differences', failure.differences);
  if (failure.rules.length > 0) {
    const links = failure.rules.map((id) =>
      make('li', {}, make('a', {href: `#rule-${id}`}, code(id))));
    parts.push(make('h4', {}, 'Rules exercised'), make('ul', {class: 'inline'}, links));
  }
  list('Attempts', failure.attempts);
  list('Worker stderr', failure.workerStderr ? [failure.workerStderr] : []);
  if (failure.bundle) parts.push(make('h4', {}, 'Failure bundle'), make('p', {}, code(failure.bundle)));
  parts.push(make('p', {class: 'aside'},
    `Family ${failure.family}, ${failure.executed ? 'executed' : 'creation only'}, `
    + seconds(failure.seconds)));
  return parts;
}

function failureItem(failure) {
  const item = make('details', {class: 'failure'},
    make('summary', {}, verdictBadge(failure.verdict), ' ', code(failure.case),
      make('span', {class: 'message'}, failure.message)));
  item.addEventListener('toggle', () => {
    if (item.open && !item.dataset.filled) {
      item.dataset.filled = 'yes';
      item.append(...failureDetails(failure));
    }
  });
  return item;
}

sections.push({
  id: 'failures',
  title: 'Failures',
  absent: data.failures.length === 0,
  render(root) {
    this.note = make('p', {class: 'aside', 'aria-live': 'polite'});
    this.list = make('div');
    this.more = make('button', {type: 'button', onclick: () => this.grow()}, 'Show more');
    root.append(this.note, this.list, this.more);
    this.filter(() => true);
  },
  filter(matches) {
    this.matching = data.failures.filter((failure) => matches(
      [failure.case, failure.verdict, failure.message, failure.family, ...failure.rules].join(' ')));
    this.list.replaceChildren();
    this.grow();
    return this.matching.length;
  },
  grow() {
    const from = this.list.children.length;
    this.list.append(...this.matching.slice(from, from + failuresPerPage).map(failureItem));
    const shown = this.list.children.length;
    this.more.hidden = shown >= this.matching.length;
    const all = failed(data.totals) + (data.totals.InternalError || 0);
    const elsewhere = all - data.failures.length;
    this.note.textContent = `${number(shown)} of ${counted(this.matching.length, 'failure')} shown.`
      + (elsewhere > 0 ? ` ${number(elsewhere)} more are in report.json.` : '');
  },
});
