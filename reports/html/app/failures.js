// Failed cases with their messages; the case view shows the rest.

const failuresPerPage = 5;

sections.push({
  id: 'failures',
  title: 'Failures',
  absent: !data.failures || data.failures.length === 0,
  render(root) {
    this.note = make('p', {class: 'aside', 'aria-live': 'polite'});
    this.list = make('ul', {class: 'cases'});
    this.more = make('button', {type: 'button', onclick: () => this.grow()}, 'Show more');
    root.append(this.note, this.list, this.more);
    this.select(undefined);
  },
  select(chosen) {
    this.matching = chosen
      ? data.failures.filter((failure) => chosen.matches(failure, failure.case)) : data.failures;
    this.list.replaceChildren();
    this.grow();
  },
  get names() { return this.matching.map((failure) => failure.case); },
  grow() {
    const from = this.list.children.length;
    this.list.append(...this.matching.slice(from, from + failuresPerPage).map((failure) =>
      make('li', {}, verdictBadge(failure.verdict), ' ', caseLink(failure.case, this.id),
        make('span', {class: 'message'}, messageOf(failure)))));
    const shown = this.list.children.length;
    this.more.hidden = shown >= this.matching.length;
    const all = failed(data.totals) + (data.totals.InternalError || 0);
    const elsewhere = all - data.failures.length;
    this.note.textContent = `${number(shown)} of ${counted(this.matching.length, 'failure')} shown.`
      + (elsewhere > 0 ? ` Of ${number(elsewhere)} more the details are in report.json.` : '');
  },
});
