// Failed cases with their messages; the case view shows the rest.

const failuresPerPage = 5;

sections.push({
  id: 'failures',
  title: 'Failures',
  absent: !data.failures || data.failures.length === 0,
  render(root) {
    this.list = new GrowingList(root, failuresPerPage);
    this.select(undefined);
  },
  select(chosen) {
    this.matching = chosen
      ? data.failures.filter(chosen.matches) : data.failures;
    const elsewhere = failed(data.totals) + (data.totals.InternalError || 0) - data.failures.length;
    this.list.show(this.matching, this.matching.length,
      (failure) => [verdictBadge(failure.verdict), ' ', caseLink(failure.case, this.id),
        make('span', {class: 'message'}, messageOf(failure))],
      (shown) => `${number(shown)} of ${counted(this.matching.length, 'failure')} shown.`
        + (elsewhere > 0 ? ` Of ${number(elsewhere)} more the details are in report.json.` : ''));
  },
  get names() { return this.matching.map((failure) => failure.case); },
});
