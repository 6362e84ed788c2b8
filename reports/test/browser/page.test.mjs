// The report page, on real runs.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {close, dmlcts, folder, noBarrier, noted, open, run, sample, screens, state} from './setup.mjs';

const mutant = 'mutant:negative-index-ignored';
let failing;  // smoke tier, one operator; some cases failed
let large;    // default tier, one operator: over 15,000 cases, more failures than details
let passing;  // the smoke tier
let random;   // fuzz

before(() => {
  failing = `${run('failing', 'smoke', mutant, 'gather_nd')}/index.html`;
  large = `${run('large', 'default', mutant, 'gather_nd')}/index.html`;
  passing = `${run('passing', 'smoke', 'reference')}/index.html`;
  run('passing-again', 'smoke', 'reference');
  assert.equal(dmlcts('fuzz', '--target', 'reference', '--seed', '7', '--cases', '900', '--report', 'random').status, 0);
  random = `${folder}/random/index.html`;
});
after(close);

test('from a rule to its cases, to one case, to its replay string, and back', () =>
  open(failing, async (page) => {
    await page.getByRole('navigation').getByRole('link', {name: 'Rules'}).click();
    const row = page.locator('tr', {has: page.locator('[id="rule-gather_nd.negative-indices"]')});
    await row.getByRole('link').first().click();
    assert.match(await state(page), /^#cases\?rule=gather_nd\.negative-indices/);
    const first = page.locator('#cases li').first();
    const name = await first.getByRole('link').textContent();
    await first.getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', {name: 'Copy replay command'}).click();
    await dialog.getByRole('button', {name: 'Copied'}).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, `dmlcts replay --target mutant:negative-index-ignored "${name}"`);
    await dialog.getByRole('link', {name: 'gather_nd.negative-indices'}).click();
    await dialog.waitFor({state: 'hidden'});
    assert.match(await state(page), /^#rule-gather_nd\.negative-indices/);
    assert.ok(await page.locator('[id="rule-gather_nd.negative-indices"]').isVisible());
    await page.goBack();
    await page.getByRole('dialog').waitFor();
  }));

test('what is checked in every case is kept only where every case passes', async () => {
  for (const [page, word, other] of [[failing, 'not seen broken', 'kept'], [passing, 'kept', 'not seen broken']]) {
    await open(page, async (tab) => {
      const badges = await tab.locator('#rules .badge').allTextContents();
      const said = badges.map((text) => text.replace(/^[^a-z]*/, ''));
      assert.ok(said.includes(word), word);
      assert.ok(!said.includes(other), other);
    });
  }
});

test('faults come first, and their links lead to the failures that they say', () =>
  open(large, async (page) => {
    assert.ok(await page.evaluate(() => data.cases > 15000));
    assert.equal(await page.locator('main section').first().getAttribute('id'), 'faults');
    const clusters = await page.evaluate(() => data.clusters);
    assert.match(clusters[0].query, /has=negative-index/);
    for (const [i, {cases: failing}] of clusters.entries()) {
      await page.locator('#faults article').nth(i).getByRole('link', {name: 'its failures'}).click();
      assert.equal(await state(page), `#failures?cause=${i + 1}`);
      assert.match(await noted(page, 'failures'), new RegExp(`of ${failing.toLocaleString('en-US')} failures? shown`));
    }
    await page.getByRole('button', {name: 'Clear'}).click();
    const [first] = clusters;
    const fault = page.locator('#faults article').first();
    await fault.getByText(first.shortest.replay).waitFor();
    // The first screen repeats it in short.
    const box = await page.locator('header .first-fault').boundingBox();
    assert.ok(box.y + box.height < 900);
    await page.locator('header .first-fault').getByText(`What is wrong: ${first.headline}.`).waitFor();
    await page.locator('header .first-fault').getByText(first.shortest.replay, {exact: true}).waitFor();
    const rule = await page.evaluate(() => data.rules.find(({id}) => id === data.clusters[0].rule).wording);
    await page.locator('header .first-fault').getByText(`The rule broken: ${rule} (${first.rule})`).waitFor();
  }));

test('failures beyond the first 1,000 are listed, and say where their details are', () =>
  open(large, async (page) => {
    const failing = readFileSync(`${folder}/large/journal.jsonl`, 'utf8').trim().split('\n').slice(1)
      .map((line) => JSON.parse(line)).filter(({verdict}) => verdict === 'Fail');
    assert.ok(failing.length > 1000);
    const all = failing.length.toLocaleString('en-US');
    assert.match(await noted(page, 'failures'), new RegExp(`^5 of ${all} failures shown\\. Messages and differences of the first 1,000`));
    const {failures} = JSON.parse(readFileSync(`${folder}/large/report.json`, 'utf8'));
    for (const at of [999, 1000, failing.length - 1]) {
      await page.evaluate((name) => go({section: 'failures', case: name}), failures[at].case);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`${(at + 1).toLocaleString('en-US')} of ${all} in Failures`).waitFor();
      const said = dialog.getByText(`number ${(at + 1).toLocaleString('en-US')} of "failures" in report.json`);
      assert.equal(await said.count(), at < 1000 ? 0 : 1, failures[at].case);
      assert.equal(await dialog.getByText('First differences').count(), at < 1000 ? 2 : 0);
      await dialog.getByText(failures[at].replay).waitFor();
    }
  }));

test('columns sort by click and by key, numbers by value', () => open(passing, async (page) => {
  await page.locator('#families summary').click();
  const families = page.getByRole('table', {name: 'Case families'});
  const column = (i) => families.locator('tbody tr').evaluateAll((rows, at) => rows.map((row) => row.cells[at].textContent), i);
  const cases = (await column(1)).map((text) => Number(text.replaceAll(',', '')));
  const head = families.getByRole('columnheader', {name: 'Cases'});
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  assert.deepEqual((await column(1)).map((text) => Number(text.replaceAll(',', ''))), [...cases].sort((a, b) => b - a));
  assert.ok(Math.max(...cases) > 999, 'a thousands separator');
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual((await column(1)).map((text) => Number(text.replaceAll(',', ''))), [...cases].sort((a, b) => a - b));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  assert.equal(await families.locator('[aria-sort]').count(), 1);
  const names = await column(0);
  assert.deepEqual(names, [...names].sort());
  // Times have units; their order is that of their values.
  const {families: rows} = JSON.parse(readFileSync(`${folder}/passing/report.json`, 'utf8'));
  await families.getByRole('columnheader', {name: 'Time'}).getByRole('button').click();
  assert.deepEqual(await column(0), rows.sort((a, b) => b.seconds - a.seconds).map(({family}) => family));
}));

test('the statement to sign is that of statement.txt', () => open(failing, async (page) => {
  const file = readFileSync(`${folder}/failing/statement.txt`, 'utf8');
  await page.getByText('Statement to sign').click();
  const shown = await page.locator('header details pre').textContent();
  assert.ok(file.startsWith(shown));
  assert.match(shown, /gather_nd 3\.0: broken/);
  assert.match(file, /\nJournal journal\.jsonl: SHA-256 [0-9a-f]{64}\n$/);
}));

test('the slowest cases, slowest first, lead to the case', () => open(passing, async (page) => {
  const {slowest} = JSON.parse(readFileSync(`${folder}/passing/report.json`, 'utf8')).throughput;
  await page.locator('#slowest summary').click();
  const rows = page.getByRole('table', {name: 'Slowest cases'}).locator('tbody tr');
  assert.deepEqual(await rows.locator('th').allTextContents(), slowest.map((each) => each.case));
  await rows.first().getByRole('link').click();
  await page.getByRole('dialog').getByText('1 of 10 in Slowest cases').waitFor();
}));

test('a failed case shows differences in hex and decoded, its descriptor, and a bundle', () =>
  open(failing, async (page) => {
    const failure = await page.evaluate(() =>
      data.failures.find((each) => each.bundle && each.differences.length));
    const type = /input=(\w+):/.exec(failure.case)[1];
    await page.evaluate((name) => go({case: name}), failure.case);
    const dialog = page.getByRole('dialog');
    const hex = `0x${failure.differences[0][3]}`;
    await dialog.getByText(hex, {exact: true}).first().waitFor();
    const decoded = await page.evaluate(([digits, of]) => decode(digits, of), [hex.slice(2), type]);
    await dialog.getByText(decoded, {exact: true}).first().waitFor();
    const pi = await page.evaluate(() => decode('40490fdb', 'f32'));
    assert.equal(Math.fround(Number.parseFloat(pi)), Math.fround(Math.PI));
    assert.equal(await dialog.locator('svg.layout').count(), 3);
    const href = await dialog.getByRole('link', {name: failure.bundle}).getAttribute('href');
    assert.ok(statSync(`${folder}/failing/${href}`).isDirectory());
    const files = readdirSync(`${folder}/failing/${href}`, {withFileTypes: true}).filter((each) => each.isFile());
    assert.ok(files.length > 5);
    for (const {name} of files) {
      assert.equal(await dialog.getByRole('link', {name, exact: true}).getAttribute('href'), `${failure.bundle}/${name}`);
    }
  }));

test('failure rates are of the cases that the filter leaves, as charts and as tables', () =>
  open(failing, async (page) => {
    const rates = page.locator('#rates');
    await rates.locator('figure.chart[data-drawn]').nth(1).waitFor();
    assert.equal(await rates.locator('select').inputValue(), 'kind of indices');
    const rowOf = async (title, value) => (await rates.getByRole('table', {name: title, includeHidden: true})
      .locator('tr', {has: page.locator(`th:text-is("${value}")`)}).locator('td').first().textContent());
    const journal = readFileSync(`${folder}/failing/journal.jsonl`, 'utf8').trim().split('\n').slice(1)
      .map((line) => JSON.parse(line));
    const expect = (chosen) => {
      const some = journal.filter(chosen);
      return `${some.filter(({verdict}) => verdict === 'Fail').length} of ${some.length.toLocaleString('en-US')}`;
    };
    assert.equal(await rowOf('Failure rate by kind of indices', 'negative'), expect((each) => / index=negative /.test(`${each.case} `)));
    assert.equal(await rowOf('Failure rate by layout', 'indices perm'), expect((each) => /layout\.indices=perm/.test(each.case)));
    await page.evaluate(() => go({facts: {level: ['3.0']}}));
    assert.equal(await rowOf('Failure rate by level', '3.0'), expect(({level}) => level === '3.0'));
    const ofRank = expect(({level, rank}) => level === '3.0' && rank === 2);
    assert.equal(await rowOf('Failure rate by rank of the input', '2'), ofRank);
    await rates.locator('select').selectOption('rank of the input');
    await rates.getByText('Failure rate by rank of the input').first().waitFor();
    const labels = await page.waitForFunction(() => charts.map(({chart}) => chart.data.labels)
      .find((each) => String(each[0]).startsWith('1: '))).then((each) => each.jsonValue());
    assert.ok(labels.includes(`2: ${ofRank}`), labels.join());
    const places = await page.evaluate(() => {
      const row = cases.rows.find((each) => tensorsOf(each).some(({isOutput, sizes}) => isOutput && sizes.at(-1) >= 4));
      const {name, sizes} = tensorsOf(row).find(({isOutput}) => isOutput);
      const at = [...sizes.slice(1).map(() => 0), 3];
      return countPlaces([placesOf({case: row.name, differences: [[name, at], 'input (an input) at byte 3']})]);
    });
    assert.deepEqual([places.elements, places.failing, places.places[3]], [1, 1, 1]);
    assert.match(await rates.getByText('A sample:').textContent(), /A sample: \d+ elements, .* of \d+ failing cases/);
  }));

test('types of which a matrix says the same are one row, which leads to the cases of all', () =>
  open(large, async (page) => {
    const row = page.locator('#matrix tr', {has: page.locator('th', {hasText: ', '})}).first();
    const types = (await row.locator('th').textContent()).split(', ');
    const cell = row.locator('td.cell a').first();
    const label = await cell.getAttribute('aria-label');
    const [, level, rank] = /^\S+ (\S+), .*, rank (\d)/.exec(label);
    const counts = types.map((type) => Number(new RegExp(`${type} \\((\\d+)\\)`).exec(label)[1]));
    const said = counts.reduce((a, b) => a + b);
    assert.match(await cell.textContent(), /^[✕!]?\d/);
    await cell.click();
    const sizes = await page.evaluate(([ofLevel, ofRank, all]) => {
      const {facts: {operator}} = readState();
      const size = (type) => new Selection({q: '', facts: {operator, level: [ofLevel], rank: [ofRank], type}}).rows.length;
      return [new Selection(readState()).rows.length, ...all.map((type) => size([type]))];
    }, [level, rank, types]);
    assert.equal(sizes[0], said);
    assert.deepEqual(sizes.slice(1), counts);
    assert.equal(await page.getByRole('combobox', {name: 'Input type'}).locator('option:checked').textContent(), types.join(' or '));
    // Each type is in exactly one row.
    const heads = await page.locator('#matrix table').first().locator('tbody th').allTextContents();
    const listed = heads.flatMap((each) => each.split(', '));
    assert.equal(new Set(listed).size, listed.length);
  }));

test('a cell of the matrix leads to its cases, an empty one to a reason', () =>
  open(passing, async (page) => {
    const cell = page.locator('#matrix td.cell a').first();
    const count = Number(/: ([\d,]+) case/.exec(await cell.getAttribute('aria-label'))[1].replace(',', ''));
    await cell.click();
    await page.waitForFunction(() => location.hash.startsWith('#cases?operator='));
    assert.ok((await noted(page, 'cases')).includes(`${count} case`));
    await page.evaluate(() => go({facts: {}}));
    const holes = await page.locator('#matrix td.hole').evaluateAll((cells) => cells.map((c) => c.title));
    assert.ok(holes.length > 0);
    assert.deepEqual(holes.filter((why) => why === ''), []);
  }));

// Returns the text that the first screen shows without scrolling.
const firstScreen = (page) => page.evaluate(() => [...document.querySelectorAll('header :is(h1, p, li)')]
  .filter((each) => each.getBoundingClientRect().bottom < innerHeight)
  .map((each) => each.textContent).join('\n'));

test('the first screen says what holds; of a run that queries chose, that they did', async () => {
  await open(passing, async (page) => {
    assert.equal(await page.locator('h1').textContent(),
      `✓${await page.evaluate(() => data.conclusion.sentence)}`);
    const shown = await page.locator('.statements').textContent();
    assert.match(shown, /2\.1 to 6\.4: ✓ conforms on the smoke tier/);
    assert.match(shown, /2\.1: – absent, rightly rejected/);
  });
  await open(failing, async (page) => {
    assert.match(await page.locator('h1').textContent(),
      /mutant:negative-index-ignored \(deliberately faulty\) on .*: does not conform at gather_nd 3\.0 to 6\.4: [\d,]+ rules? violated(, possibly [\d,]+,)? in [\d,]+ of [\d,]+ cases;/);
    assert.match(await page.locator('ul.remarks').textContent(), /^Filtered: [\d,]+ cases of the [\d,]+ of/);
    // A square for each level of each operator, with the same in words.
    const squares = await page.locator('.levels').evaluateAll((strips) => strips.map((strip) =>
      [strip.getAttribute('aria-label'), ...[...strip.children].map((each) => each.title)]));
    assert.deepEqual(squares.map((strip) => strip.length), [14, 14, 14]);
    assert.deepEqual(squares[0].slice(0, 3), ['gather_nd by level', '2.1: not shown to conform', '3.0: fails']);
    assert.equal(squares[1][1], '2.1: not run');
    const shown = await firstScreen(page);
    assert.match(shown, /chosen by "gather_nd"/);
    assert.match(shown, /broken: [\d,]+ of [\d,]+ pass, [\d,]+ failed; filtered: [\d,]+ of [\d,]+ cases ran/);
    assert.doesNotMatch(shown, /holds/);
  });
});

test('every verdict has its words, its filter, and worker failures have a section', async () => {
  const page = `${sample('verdicts', 3000)}/index.html`;
  await open(page, async (tab) => {
    for (const verdict of ['Flaky', 'NotAsked', 'NotSupported']) {
      const item = tab.locator('header .verdicts li', {hasText: verdict}).first();
      assert.match(await item.locator('.meaning').textContent(), /\w/);
      await item.getByRole('link', {name: verdict, exact: true}).click();
      const count = await tab.evaluate((name) => data.totals[name], verdict);
      assert.match(await noted(tab, 'cases'), new RegExp(`(^| )${count.toLocaleString('en-US')} cases?\\.`), verdict);
      await tab.evaluate(() => go({facts: {}}));
    }
    assert.equal(await tab.evaluate(() => toneOf('Flaky')), 'bad');
    assert.ok(await tab.locator('#workerFailures tbody tr').count() > 5);
    assert.match(await tab.locator('.facts').first().textContent(), /2 files, by SHA-256/);
  });
});

test('mutants stand beside the rule that kills them; a rule without a case is red', async () => {
  const catches = `${folder}/catches.json`;
  assert.equal(dmlcts('selftest', 'negative-*', '--tier', 'smoke', '--catches', '5', '--json', catches,
    '--at-least', '1').status, 0);
  const merged = dmlcts('report', 'merge', `${folder}/failing`, '--mutants', catches, '--report',
    `${folder}/mutants`);
  assert.equal(merged.status, 1);
  await open(`${folder}/mutants/index.html`, async (page) => {
    const row = page.locator('tr', {has: page.locator('[id="rule-gather_nd.negative-indices"]')});
    assert.match(await row.textContent(), /negative-index-ignored/);
    const bare = page.locator('tr', {has: page.locator('[id="rule-nonzero_coordinates.rank"]')});
    assert.equal(await bare.isVisible(), false);  // folded, until a link leads there
    await page.evaluate(() => go({section: 'rule-nonzero_coordinates.rank'}));
    assert.ok(await bare.locator('.badge.bad', {hasText: 'no case'}).isVisible());
  });
});

test('hostile strings stay text', async () => {
  const page = `${sample('hostile', 3000)}/index.html`;
  await open(page, async (tab) => {
    for (const failure of await tab.evaluate(() => data.failures.map((each) => each.case))) {
      await tab.evaluate((name) => go({case: name}), failure);
    }
    await tab.evaluate(() => go({case: ''}));
    assert.equal(await tab.locator('img').count(), 0);
    assert.equal(await tab.locator('#page script, #page a[href^="javascript"]').count(), 0);
    // The address can be hostile, too.
    await tab.goto(`file://${page}#<img src=x onerror=alert(1)>?q=%3Cscript%3E&case=%3Cimg%20src=x%20onerror=alert(1)%3E`);
    // The page handles it before the frame after next.
    await tab.evaluate(() => new Promise((done) => {
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
    }));
    assert.equal(await tab.locator('img').count(), 0);
  });
});

test('the comparison of two runs', async () => {
  const page = `${folder}/diff.html`;
  const pair = ['report', 'diff', `${folder}/passing`, `${folder}/failing`, '--format'];
  assert.equal(dmlcts(...pair, 'html', '--out', page).status, 1);
  const json = JSON.parse(dmlcts(...pair, 'json').out);
  assert.ok(json.counts.broken > 0 && json.counts.noLongerRun > 0);
  await open(page, async (tab) => {
    assert.match(await tab.locator('h1').textContent(), new RegExp(
      `${json.counts.broken.toLocaleString('en-US')} cases broken`));
    assert.equal(await tab.locator('h1').getAttribute('class'), 'bad');
    assert.match(await tab.locator('header .lost').textContent(), /nonzero_coordinates 3\.0 to 6\.4: not run\./);
    await tab.getByRole('searchbox').fill('input=i8:');
    await tab.locator('nav output', {hasText: ' of '}).waitFor();
    assert.ok(await tab.evaluate(() => parseInt(document.querySelector('nav output').textContent, 10)
      === Object.values(data.changes).flat().filter((row) => /input=i8:/.test(row.case)).length));
    assert.match(await tab.locator('header .remarks:not(.lost)').textContent(),
      /different targets, reference and mutant:negative-index-ignored/);
    await tab.locator('#broken article', {hasText: 'has=negative-index'}).first().waitFor();
    assert.match(await tab.locator('#broken li').first().textContent(), /^✓ Pass → ✕ Fail /);
    await tab.locator('#broken li a').first().click();
    await tab.keyboard.press('ArrowRight');
    await tab.getByRole('dialog').getByText(/2 of \d+ in Broken/).waitFor();
    await tab.getByRole('dialog').getByText('Descriptor').waitFor();
  });
});

// Waits until all charts are drawn; none is blank.
async function drawn(tab) {
  await tab.waitForFunction(() => {
    const figures = [...document.querySelectorAll('figure.chart')];
    return figures.length > 0 && figures.every(({dataset}) => dataset.drawn);
  });
  const blank = await tab.locator('canvas').evaluateAll((all) => all.filter((canvas) => {
    const {data: pixels} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return pixels.every((value) => value === 0);
  }).length);
  assert.equal(blank, 0);
  return tab.evaluate(() => charts.map(({chart}) => ({
    labels: chart.data.datasets.map(({label}) => label),
    points: chart.data.datasets.map((each) => each.data.length),
    axes: Object.values(chart.options.scales).map(({title}) => title && title.text),
  })));
}

test('runs side by side: charts, causes and levels by run, and the history of each case', async () => {
  assert.equal(dmlcts('report', 'diff', 'passing', 'failing', 'passing-again', '--in-order', '--format', 'html', '--out',
    `${folder}/runs.html`).status, 0);
  for (const [what, options] of screens) {
    await open(`${folder}/runs.html`, async (tab) => {
      const [cases, , speed] = await drawn(tab);
      assert.deepEqual(speed.labels.sort(), [`${mutant}, smoke, filtered`, 'reference, smoke'], what);
      assert.deepEqual(speed.points, [2, 1]);
      assert.ok(cases.labels.includes('reference, smoke: Pass'), cases.labels.join());
      assert.ok(await tab.evaluate(() => charts.every(({chart}) => chart.options.plugins.legend.display)));
      await noBarrier(tab);
      // The last run comes first, and leads to its own page.
      assert.deepEqual(await tab.locator('#runs tbody th').allTextContents(), ['passing-again', 'failing', 'passing']);
      assert.equal(await tab.locator('#runs tbody th a').first().getAttribute('href'), 'passing-again/index.html');
      await tab.locator('#causes article', {hasText: 'has=negative-index'}).first().waitFor();
      assert.match(await tab.locator('#causes article').first().textContent(), /✕ failing [\d,]+ of [\d,]+/);
      assert.match(await tab.locator('#levels').textContent(), /conforms on the smoke tier passing [\d,]+ of [\d,]+, passing-again [\d,]+ of/);
      assert.match(await tab.locator('#inBetween li').first().textContent(),
        /^✓ Pass → ✕ Fail failing → ✓ Pass passing-again /);
      assert.match(await tab.locator('h1').textContent(), /No regression/);
    }, options);
  }
});

test('benchmarks: curves against the copy, file against file, what was not measured', async () => {
  const {context, benchmarks: once} = JSON.parse(readFileSync(new URL('bench.json', import.meta.url)));
  const benchmarks = Array(5).fill(once).flat();  // repetitions enough to tell a difference
  const first = `${folder}/bench.json`;
  writeFileSync(first, JSON.stringify({context, benchmarks}));
  const slower = benchmarks.filter(({run_name: name}) => !name.includes('/100%/'))
    .map((each) => ({...each, real_time: 2 * each.real_time, fraction_of_copy: each.fraction_of_copy / 2}));
  slower.push(...[1, 1, 2, 3, 3].map((time) =>
    ({name: 'noisy', run_name: 'noisy', run_type: 'iteration', real_time: time, time_unit: 'ms'})));
  slower.push({name: 'wrong', run_type: 'iteration', error_occurred: true, error_message: 'wrong <outputs>'});
  writeFileSync(`${folder}/slower.json`, JSON.stringify({context, benchmarks: slower}));
  assert.equal(dmlcts('report', 'bench', first, `${folder}/slower.json`, '--format', 'html', '--out',
    `${folder}/bench.html`).status, 1);
  await open(`${folder}/bench.html`, async (tab) => {
    const made = await drawn(tab);
    for (const [section, axes, points] of [
      ['#by-size', ['elements (logarithmic)', 'time (µs, logarithmic)'], 2],
      ['#by-density', ['elements that are not zero', '% of copy'], 6],
      ['#by-row-bytes', ['bytes of a row (logarithmic)', '% of copy'], 8],
    ]) {
      await tab.locator(`${section} figure.chart`).first().waitFor();
      const chart = made.find((each) => each.axes[0] === axes[0]);
      assert.equal(chart.axes[1], axes[1]);
      assert.equal(chart.points[0], points, section);
      assert.ok(chart.labels.includes('bench') && chart.labels.includes('slower'), section);
      assert.ok(chart.labels.some((label) => label.includes('copy')), section);
    }
    const [scores, ratios] = await tab.locator('#compared table').all();
    const rows = await ratios.locator('tbody tr').allTextContents();
    assert.ok(rows.length > 10);
    assert.deepEqual(rows.filter((row) => !row.includes('2.0x slower')), []);
    assert.deepEqual((await scores.locator('tbody tr').allTextContents()).map((row) => row.slice(0, 6)),
      ['copysl', 'nonzer', 'gather']);
    assert.match(await scores.locator('tbody tr').nth(1).textContent(), /^nonzeroslower▼ 2\.0x slower/);
    // The noisy benchmark's times are 1, 1, 2, 3 and 3 ms.
    assert.match(await tab.locator('header .remarks').textContent(), /of [\d,]+ of [\d,]+ measurements the spread is above 10 %/);
    assert.match(await tab.locator('#measurements tr', {hasText: 'noisy'}).textContent(), /! 100\.0 %/);
    await tab.locator('#not-measured').getByText('wrong <outputs>').waitFor();
  });
});

for (const [what, options] of screens) {
  test(`nothing sticks out, and no barrier is known: ${what}`, () => open(failing, async (page) => {
    await page.evaluate(() => go({q: 'level=3.0'}));
    const check = async () => {
      assert.equal(await page.evaluate(() => [...document.querySelectorAll('header, main, section, dialog')]
        .flatMap((each) => [...each.childNodes]).filter(({nodeType}) => nodeType === Node.TEXT_NODE)
        .map(({data: text}) => text).join('')), '', 'text outside of elements');
      await noBarrier(page);
    };
    await check();
    await page.evaluate(() => go({case: data.failures[0].case}));
    await page.getByRole('dialog').waitFor();
    await check();
  }, options));
}

test('a page of failures is short, no table is wider than its box, and no number than its cell', async () => {
  for (const address of [large, passing, random]) {
    await open(address, async (page) => {
      await page.setViewportSize({width: 1440, height: 900});
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(address !== large || height <= 7500, `${height} pixels`);
      await page.evaluate(() => { for (const each of document.querySelectorAll('details')) each.open = true; });
      for (const width of [1440, 1280, 1180, 1101, 1100, 900, 721, 600, 480, 375]) {
        await page.setViewportSize({width, height: 900});
        // Charts follow the window a moment later.
        await page.waitForFunction((most) => document.documentElement.scrollWidth <= most, width,
          {timeout: 60000});
        const wide = await page.evaluate(() => [...document.querySelectorAll('table, .matrix td, .matrix th')]
          .filter((each) => each.getClientRects().length > 0)
          .filter((each) => each.scrollWidth > each.clientWidth + 1
            || (each.matches('table') && each.offsetWidth > each.parentElement.clientWidth))
          .map((each) => `${each.tagName} ${each.textContent.slice(0, 60)}: ${each.scrollWidth} in ${each.clientWidth}`));
        assert.deepEqual(wide, [], `${address} at ${width}`);
      }
      // All ranks are there: 8, and those that are to be rejected.
      const ranks = await page.locator('#matrix thead tr').first().locator('th').allTextContents();
      assert.ok(ranks.includes('8'), ranks.join());
    });
  }
});

test('random cases: a page that claims no level and calls nothing incomplete', () =>
  open(random, async (page) => {
    assert.match(await page.locator('h1').textContent(), /random cases \(seed 7\): [\d,]+ of 900 cases pass/);
    assert.equal(await page.locator('h1').getAttribute('class'), 'good');
    assert.equal(await page.locator('#compliance, .levels').count(), 0);
    const text = await page.locator('#page').textContent();
    for (const word of ['incomplete', 'planned', 'unproven', 'conforms', 'fault of the suite']) {
      assert.ok(!text.includes(word), word);
    }
    for (const word of ['seed 7', 'Time in cases', 'they say nothing of levels']) {
      assert.ok(text.includes(word), word);
    }
    assert.match(text, /% of [\d,]+ pairs/);
    assert.equal(await page.locator('#matrix .cell.attention').count(), 0);
    assert.equal(await page.evaluate(() => Object.values(data.totals).reduce((a, b) => a + b)), 900);
  }));

test('one matrix for each operator, of a level that fails unless another is chosen', () =>
  open(failing, async (page) => {
    assert.equal(await page.locator('#matrix table').count(), 1);
    assert.equal(await page.locator('#matrix caption').textContent(), 'Level 6.4');
    assert.ok(await page.locator('#matrix .cell.bad').count() > 0);
    await page.getByLabel('Level of gather_nd').selectOption('2.1');
    assert.equal(await page.locator('#matrix caption').textContent(), 'Level 2.1');
    assert.equal(await page.locator('#matrix .cell.bad').count(), 0);
    await page.evaluate(() => go({facts: {type: ['f16']}}));
    assert.equal(await page.locator('#matrix caption').textContent(), 'Level 2.1');
  }));

test('each reason for a waiver leads to its own cases', () => {
  const why = {'input=f16:*': 'known | of f16', 'input=u8:*': 'known'};
  const file = `${folder}/expectations.json`;
  writeFileSync(file, JSON.stringify({version: 2, expectations: Object.entries(why).map(([query, reason]) => (
    {query: `gather_nd ${query}`, rule: 'gather_nd.negative-indices', verdict: 'Fail',
      kinds: ['wrong-elements'], sometimes: true, reason}))}));
  const page = run('waived', 'smoke', mutant, 'gather_nd', '--expectations', file);
  return open(`${page}/index.html`, async (tab) => {
    for (const [query, reason] of Object.entries(why)) {
      const link = tab.locator('.left-out li', {hasText: `${reason} (`}).getByRole('link');
      const cases = Number.parseInt(await link.textContent(), 10);
      await link.click();
      const notes = await tab.locator('#cases li .message').allTextContents();
      assert.ok(notes.length > 0 && notes.every((note) => note.startsWith(`${reason}; Fail:`)), notes[0]);
      assert.ok((await noted(tab, 'cases')).includes(`${cases} cases`), `${query}: ${cases}`);
      await tab.evaluate(() => go({facts: {}}));
    }
  });
});

test('the keyboard alone is enough', () => open(failing, async (page) => {
  await page.locator('#cases li a').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'hidden'});
  assert.ok(!(await state(page)).includes('case='));
}));

test('prints as one page that holds the first screen, without controls', async () => {
  for (const address of [failing, large, passing, random]) {
    await open(address, async (page) => {
      await page.emulateMedia({media: 'print'});
      assert.equal(await page.getByRole('searchbox').isVisible(), false);
      assert.ok(await page.locator('h1').isVisible());
      const pdf = await page.pdf({format: 'A4', printBackground: true});
      const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;
      assert.equal(pages, 1, address);
      assert.ok(pdf.length < 5e6, `${pdf.length} bytes`);
      // Nothing of it is cut off: 186 mm are the width between the margins.
      await page.setViewportSize({width: Math.round(186 / 25.4 * 96), height: 900});
      const [shown, whole] = await page.locator('header').evaluate((header) =>
        [header.clientHeight, header.scrollHeight]);
      assert.ok(whole <= shown + 1, `${address}: ${whole} in ${shown}`);
    });
  }
});

for (const [what, make, megabytes] of [
  ['30,000 cases, of which 3,000 fail', () => large, 3],
  ['200,000 cases', () => `${sample('huge', 200000)}/index.html`, 25],
]) {
  test(`a page of ${what} is small enough, and opens`, async () => {
    const page = make();
    const size = statSync(page).size / 1e6;
    assert.ok(size < megabytes, `${size} MB`);
    await open(page, () => {});
  });
}
