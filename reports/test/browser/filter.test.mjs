// The filter of the report page, on real runs.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {readFileSync} from 'node:fs';
import {randomQueries} from './random_queries.mjs';
import {close, dmlcts, folder, matchQueries, noted, open, run, state} from './setup.mjs';

let failing;  // smoke tier, one operator; some cases failed
let passing;  // the smoke tier

before(() => {
  failing = `${run('failing', 'smoke', 'mutant:negative-index-ignored', 'gather_nd')}/index.html`;
  passing = `${run('passing', 'smoke', 'reference')}/index.html`;
});
after(close);

test('queries mean what they mean on the command line', () => open(passing, async (page) => {
  for (const query of ['*', 'gather_nd input=f16:* level=3.*', 'denormals>=1', 'has=nan rank>=7', 'rule=*.count-type']) {
    const listed = dmlcts('list', query, '--tier', 'smoke').out.split('\n').filter(Boolean);
    const found = await page.evaluate((text) =>
      new Selection(text).cases.map(({name}) => name), query);
    assert.ok(listed.length > 0, query);
    assert.deepEqual(found.sort(), listed.sort(), query);
  }
  const {status, err} = dmlcts('list', 'levle=3.0');
  assert.equal(status, 2);
  assert.match(err, /column 1, "levle": no such key/);
}));

test('200 random queries, and some chosen ones, find in the page what they find in the harness', async () => {
  run('part', 'default', 'reference', '--shard', '1/24');
  const journal = `${folder}/part/journal.jsonl`;
  const [, ...entries] = readFileSync(journal, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(entries.length > 2000);
  const chosen = JSON.parse(readFileSync(new URL('queries.json', import.meta.url)));
  const queries = [...chosen.queries, ...chosen.refused, ...chosen.nothing, ...randomQueries(entries, 200)];
  const expected = matchQueries(journal, queries);
  assert.equal(expected.length, queries.length);
  for (const [i, query] of queries.entries()) {
    if (chosen.refused.includes(query)) assert.equal(typeof expected[i], 'string', query);
    if (chosen.nothing.includes(query)) assert.equal(typeof expected[i].nothing, 'string', query);
  }
  await open(`${folder}/part/index.html`, async (page) => {
    const found = await page.evaluate((texts) => texts.map((text) => {
      try {
        const chosen = new Selection(text);
        if (chosen.size > 0) return chosen.cases.map(({name}) => name);
        const nothing = chosen.queries.map(namesNothing).filter(Boolean);
        return {nothing: nothing.length > 0 ? `: ${nothing.map(({why}) => why).join(', ')}` : ''};
      } catch (error) {
        return error.message;
      }
    }), queries);
    for (const [i, query] of queries.entries()) {
      if (typeof expected[i] === 'string') {
        assert.equal(found[i].replace('has, verdict, note, ', 'has, '), expected[i], query);
      } else if (expected[i].nothing !== undefined) {
        assert.deepEqual(found[i], expected[i], query);
      } else {
        assert.deepEqual([...found[i]].sort(), expected[i].map((at) => entries[at].case).sort(), query);
      }
    }
  });
  // Queries that find nothing, or everything, would prove nothing.
  const meant = (list) => list.filter((each) => /did you mean/.test(each.nothing ?? each)).length;
  assert.ok(meant(expected) >= 12, `${meant(expected)} messages guess what was meant`);
  const telling = expected.filter((each) => typeof each !== 'string' && each.length > 0
    && each.length < entries.length).length;
  assert.ok(telling > 150, `${telling} of ${queries.length} find some cases`);
});

test('the filter, its errors, and the address keep one another', () => open(failing, async (page) => {
  const box = page.getByRole('searchbox');
  await page.keyboard.press('/');
  await page.keyboard.type('level=3.0 verdict=Fail');
  await page.locator('nav output', {hasText: ' of '}).waitFor();
  const expected = await page.evaluate(() => allCases().cases
    .filter((each) => each.level === '3.0' && each.verdict === 'Fail').length);
  const said = `${expected.toLocaleString('en-US')} of `
    + `${(await page.evaluate(() => data.cases)).toLocaleString('en-US')} cases`;
  assert.equal(await page.locator('nav output').textContent(), said);
  assert.equal(await state(page), '#?q=level=3.0 verdict=Fail');
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  assert.equal(await box.inputValue(), 'level=3.0 verdict=Fail');
  assert.equal(await page.locator('nav output').textContent(), said);
  await box.fill('levle=3.0');
  const trouble = page.locator('nav .error');
  await trouble.getByText('column 1, "levle": no such key').waitFor();
  await trouble.getByRole('button', {name: 'Use level'}).click();
  await page.locator('nav output', {hasText: ' of '}).waitFor();
  assert.equal(await box.inputValue(), 'level=3.0');
  assert.equal(await trouble.textContent(), '');
  await box.fill('gather_nd level=3.5 verdict=fail');
  await trouble.getByText('"3.5": no such level; did you mean').waitFor();
  await box.fill('gather_nd fill=ranodm');
  await trouble.getByText('no fill is "ranodm"; did you mean').waitFor();
  assert.match(await page.locator('nav output').textContent(), /^0 of /);
  await box.fill('');
  await page.waitForFunction(() => document.querySelector('nav output').textContent === '');
  assert.equal(await trouble.textContent(), '');
  assert.match(await noted(page, 'cases'), /of [\d,]+ cases/);
}));

test('each term of the filter is a chip that takes it away', () => open(failing, async (page) => {
  await page.evaluate(() => go({q: 'level=3.0 verdict=Fail | level=3.1'}));
  const chips = page.getByRole('list', {name: 'Terms of the filter'});
  assert.deepEqual(await chips.getByRole('listitem').allTextContents(),
    ['level=3.0 ×', 'verdict=Fail ×', 'or', 'level=3.1 ×']);
  await chips.getByRole('button', {name: 'Take away verdict=Fail'}).click();
  assert.equal(await state(page), '#?q=level=3.0 | level=3.1');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'level=3.0 | level=3.1');
  await chips.getByRole('button', {name: 'Take away level=3.0'}).click();
  assert.equal(await state(page), '#?q=level=3.1');
  await chips.getByRole('button', {name: 'Take away level=3.1'}).click();
  assert.equal((await state(page)).replace('#', ''), '');
  assert.equal(await chips.getByRole('listitem').count(), 0);
}));

test('from case to case by button and key, along the list that the filter leaves', () =>
  open(failing, async (page) => {
    await page.evaluate(() => go({q: 'level=3.0'}));
    const names = await page.evaluate(() => new Selection(readState().q).cases.map(({name}) => name));
    assert.ok(names.length > 5);
    await page.locator('#cases li a').first().click();
    const dialog = page.getByRole('dialog');
    const shown = () => dialog.locator('.command').first().textContent();
    assert.equal(await shown(), names[0]);
    assert.ok(await dialog.getByRole('button', {name: 'Previous'}).isDisabled());
    await dialog.getByRole('button', {name: 'Next'}).click();
    assert.equal(await shown(), names[1]);
    assert.match(await dialog.locator('h2').textContent(), new RegExp(`2 of ${names.length} in Cases$`));
    for (const key of ['ArrowRight', 'j', 'j', 'k', 'ArrowLeft']) await page.keyboard.press(key);
    assert.equal(await shown(), names[2]);
    assert.ok((await state(page)).includes(names[2]));
    await page.goBack();  // leaves the case, however many were visited
    await dialog.waitFor({state: 'hidden'});
    await page.locator('#failures li a').first().click();
    await page.keyboard.press('j');
    assert.equal(await shown(), await page.evaluate(() => data.failures.filter(({case: name}) =>
      / level=3.0 /.test(name))[1].case));
  }));

test('the filter takes values and any text, and still says what was probably meant', () =>
  open(failing, async (page) => {
    const found = (text) => page.evaluate((query) => new Selection(query, true).size, text);
    const same = async (loose, strict) => {
      const size = await found(strict);
      assert.ok(size > 0 && size < await found('*'), strict);
      assert.equal(await found(loose), size, loose);
    };
    await same('Fail', 'verdict=Fail');
    await same('fail 3.0', 'verdict=Fail level=3.0');
    await same('gather_nd.negative-indices', 'rule=gather_nd.negative-indices');
    assert.equal(await found('UNIQUE'), await page.evaluate(() => new Selection('*').cases
      .filter(({name, note, family, rules}) => [name, note, family, ...rules]
        .some((each) => each.toLowerCase().includes('unique'))).length));
    for (const type of ['f16', 'i64']) {
      assert.equal(await found(`gather_nd ${type}`), await page.evaluate((word) =>
        new Selection('gather_nd').cases.filter(({name}) => name.includes(`=${word}:`)).length, type));
    }
    const box = page.getByRole('searchbox');
    await box.fill('f16 Fail');
    await page.locator('nav output', {hasText: ' of '}).waitFor();
    assert.equal(await page.locator('nav .error').textContent(), '');
    await box.fill('gahter_nd');
    const trouble = page.locator('nav .error');
    await trouble.getByRole('button', {name: 'Use gather_nd'}).click();
    assert.equal(await box.inputValue(), 'gather_nd');
  }));
