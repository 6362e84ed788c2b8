// The facts needed to repeat the run.

function planRows() {
  return data.plans.flatMap((plan) => plan.shards.map((shard) => [
    `${shard.index + 1} of ${number(plan.shardCount)}`, number(shard.planned), number(shard.seen),
    shard.seen === shard.planned ? badge('good', '✓', 'complete') : badge('attention', '!', 'incomplete'),
    code(plan.hash)]));
}

sections.push({
  id: 'run',
  title: 'Run',
  late: true,
  render(root) {
    const {tool, target, throughput} = data;
    root.append(facts([
      ['Seed', tool.seed],
      ['Time in cases', seconds(throughput.caseSeconds)],
      ...Object.entries(target.limits),
    ]));
    const rates = throughput.rates || [];
    if (rates.some(({points}) => points.length > 2)) {
      root.append(lineChart(rates.slice(0, 6).map(({journal, points}) => ({
        label: rates.length > 1 ? journal : 'cases per second', plain: true,
        points: points.map(([x, y]) => ({x, y})),
      })), {title: 'Speed of the run, each point over a hundredth of the cases',
        x: 'time spent in cases (s)', y: 'cases per second (logarithmic)', logY: true}));
    }
    if (!isRandom) {
      root.append(make('h3', {}, 'Shards'), table('Shards',
        [['Shard'], ['Planned', 'number'], ['Verdicts', 'number'], ['State'], ['Schedule']], planRows()));
    }
  },
});
