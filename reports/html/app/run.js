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
    if (!isRandom) {
      root.append(make('h3', {}, 'Shards'), table('Shards',
        [['Shard'], ['Planned', 'number'], ['Verdicts', 'number'], ['State'], ['Schedule']], planRows()));
    }
  },
});
