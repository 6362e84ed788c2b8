// Cases by verdict: a bar in proportion and the numbers.

sections.push({
  id: 'verdicts',
  title: 'Verdicts',
  render(root) {
    const present = Object.keys(verdicts).filter((v) => data.totals[v]);
    const bar = make('div', {class: 'bar', 'aria-hidden': 'true'});
    const list = make('ul', {class: 'verdicts'});
    for (const verdict of present) {
      const [symbol, tone, meaning] = verdicts[verdict];
      const part = make('span', {class: tone});
      part.style.flexGrow = data.totals[verdict];
      bar.append(part);
      list.append(make('li', {},
        make('span', {class: `mark ${tone}`, 'aria-hidden': 'true'}, symbol),
        make('strong', {}, number(data.totals[verdict])), ' ', verdict,
        make('span', {class: 'meaning'}, meaning)));
    }
    root.append(bar, list);
  },
});
