// The cases that took longest.

sections.push({
  id: 'slowest',
  title: 'Slowest cases',
  late: true,
  absent: data.page !== 'report' || data.throughput.slowest.length === 0,
  render(root) {
    const {slowest, caseSeconds} = data.throughput;
    root.append(folded(`${counted(slowest.length, 'case')} took ${seconds(slowest.reduce((n, each) => n + each.seconds, 0))} `
      + `of ${seconds(caseSeconds)} in all`, table('Slowest cases',
      [['Case', 'wide'], ['Verdict'], ['Time', 'number'], ['Of all', 'number']],
      slowest.map((each) => [caseLink(each.case, 'slowest'), verdictBadge(rowOf(each.case).verdict),
        timeCell(each.seconds), `${(100 * each.seconds / caseSeconds).toFixed(1)} %`]))));
    this.names = slowest.map((each) => each.case);
  },
});
