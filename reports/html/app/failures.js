// Failed cases with their messages; the case view shows the rest.

const failuresPerPage = 5;

listCases({
  id: 'failures',
  title: 'Failures',
  absent: !data.failures || data.failures.length === 0,
  step: failuresPerPage,
  rowsIn: (chosen) => (chosen ? data.failures.filter(chosen.matches) : data.failures),
  itemOf: (failure) => [verdictBadge(failure.verdict), messageOf(failure)],
  noteOf(shown, size) {
    const elsewhere = failed(data.totals) + (data.totals.InternalError || 0) - data.failures.length;
    return `${number(shown)} of ${counted(size, 'failure')} shown.`
      + (elsewhere > 0 ? ` Of ${number(elsewhere)} more the details are in report.json.` : '');
  },
});
