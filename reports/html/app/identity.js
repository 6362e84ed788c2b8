// The first thing on the page: what was tested, and what came of it.

const hex = (id) => (id ? `0x${id.toString(16).toUpperCase().padStart(4, '0')}` : '');

function facts(pairs) {
  const list = make('dl', {class: 'facts'});
  for (const [name, value] of pairs) {
    if (value) list.append(make('div', {}, make('dt', {}, name), make('dd', {}, value)));
  }
  return list;
}

function renderHeader(root) {
  const {conclusion, target, tool} = data;
  const symbol = {good: '✓', attention: '!', bad: '✕'}[conclusion.tone];
  const ids = [hex(target.vendorId), hex(target.deviceId)].filter(Boolean).join(':');
  root.append(
    make('p', {class: 'product'}, 'dmlcts ', make('span', {}, 'DirectML conformance report')),
    make('h1', {class: conclusion.tone},
      make('span', {class: 'mark', 'aria-hidden': 'true'}, symbol),
      make('span', {}, conclusion.headline)));
  if (conclusion.detail) root.append(make('p', {class: 'detail'}, conclusion.detail));
  if (conclusion.remarks.length > 0) {
    const shown = conclusion.remarks.slice(0, 20).map((remark) => make('li', {}, remark));
    const more = conclusion.remarks.length - shown.length;
    if (more > 0) shown.push(make('li', {}, `and ${number(more)} more, in report.json`));
    root.append(make('ul', {class: 'remarks'}, shown));
  }
  root.append(facts([
    ['Target', target.name],
    ['Adapter', ids ? `${target.adapter} (${ids})` : target.adapter],
    ['Driver', target.driver],
    ['Runtime', target.runtime],
    ['Implementation', target.implementation],
    ['Highest level', target.maxLevel],
    ['Suite', tool.commit ? `${tool.version} (${tool.commit.slice(0, 12)})` : tool.version],
    ['Started', tool.startedAt],
  ]));
}
