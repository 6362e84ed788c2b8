// Failed cases with their messages; the case view shows the rest.

const failureDetails = new Map((data.failures || []).map((each) => [each.case.replaceAll('\n', ' '), each]));

// Names the place of a failure's details that the page lacks.
function elsewhere(row) {
  const at = cases.failing.indexOf(row);
  return at < 0 ? '' : `details: number ${number(at + 1)} of "failures" in report.json, and its line in the journal`;
}

listCases({
  id: 'failures',
  title: 'Failures',
  late: true,
  absent: failureDetails.size === 0,
  step: 5,
  rowsIn: (chosen) => (chosen ? cases.failing.filter(chosen.matches) : cases.failing),
  itemOf(row) {
    const failure = failureDetails.get(row.name);
    return [verdictBadge(row.verdict), failure ? messageOf(failure) : elsewhere(row)];
  },
  noteOf(shown, size) {
    return `${number(shown)} of ${counted(size, 'failure')} shown.${cases.failing.length > failureDetails.size
      ? ` Messages and differences of the first ${number(failureDetails.size)} of all ${number(cases.failing.length)} `
        + 'are on this page, those of the others in report.json.' : ''}`;
  },
});
