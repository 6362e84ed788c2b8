// How the run was made: what it takes to make it again.

function planRows() {
  return data.plans.flatMap((plan) => plan.shards.map((shard) => [
    `${shard.index} of ${number(plan.shardCount)}`, number(shard.planned), number(shard.seen),
    shard.seen === shard.planned ? badge('good', '✓', 'complete') : badge('attention', '!', 'incomplete'),
    code(plan.hash)]));
}

sections.push({
  id: 'run',
  title: 'Run',
  render(root) {
    const {tool, target, throughput} = data;
    root.append(facts([
      ['Command', code(tool.commandLine)],
      ['Tier', tool.tier],
      ['Seed', tool.seed],
      ['Host', data.hosts.filter(Boolean).join('; ')],
      ['Time in cases', seconds(throughput.caseSeconds)],
      ...Object.entries(target.limits),
    ]));
    root.append(make('h3', {}, 'Shards'), table('Shards',
      [['Shard'], ['Planned', 'number'], ['Verdicts', 'number'], ['State'], ['Plan']], planRows()));
    if (throughput.slowest.length > 0) {
      root.append(make('h3', {}, 'Slowest cases'), table('Slowest cases',
        [['Case'], ['Time', 'number']],
        throughput.slowest.map((entry) => [code(entry.case), seconds(entry.seconds)])));
    }
  },
});
