// The filter of the report page, on real runs.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {readFileSync} from 'node:fs';
import {close, dmlcts, folder, noted, open, run, state} from './setup.mjs';

let failing;  // smoke tier, one operator; some cases failed
let passing;  // the smoke tier

before(() => {
  failing = `${run('failing', 'smoke', 'mutant:negative-index-ignored', 'gather_nd')}/index.html`;
  passing = `${run('passing', 'smoke', 'reference')}/index.html`;
});
after(close);

const journalOf = (name) => readFileSync(`${folder}/${name}/journal.jsonl`, 'utf8').trim().split('\n').slice(1)
  .map((line) => JSON.parse(line)).filter((line) => line.case);
// The cases that the page leaves, and its words for their number.
const left = (page) => page.evaluate(() => new Selection(readState()).rows.map(({name}) => name));
const counts = (page) => page.locator('nav output').textContent();
const choose = async (page, fact, value) => {
  const choice = page.getByRole('combobox', {name: fact, exact: true});
  if (!await choice.isVisible()) await page.getByText('More facts').click();
  const option = await choice.locator('option').evaluateAll((all, wanted) =>
    all.map((each) => each.value).find((each) => each === wanted), value);
  await choice.selectOption(option);
};

test('facts choose what the command line\'s queries find', () => open(passing, async (page) => {
  for (const [fact, value, query] of [['Level', '3.0', 'level=3.0'], ['Input type', 'f16', 'input=f16:*'],
    ['Rank', '7', 'rank=7'], ['Inputs hold', 'nan', 'has=nan'], ['Rule', 'nonzero_coordinates.count-type', 'rule=*.count-type'],
    ['Family', 'documents', 'family=documents'], ['Indices', 'negative', 'index=negative'],
    ['Values', 'random', 'fill=random'], ['Layout', 'input perm', 'layout.input=perm*'],
    ['Operator', 'gather_nd1', 'gather_nd1'], ['Must', 'reject', 'expect=reject*']]) {
    const listed = dmlcts('list', query, '--tier', 'smoke').out.split('\n').filter(Boolean);
    await choose(page, fact, value);
    const found = await left(page);
    assert.ok(listed.length > 0, query);
    assert.deepEqual(found.sort(), listed.sort(), query);
    assert.match(await counts(page), new RegExp(`^${listed.length.toLocaleString('en-US')} of `));
    await page.getByRole('button', {name: 'Clear'}).click();
  }
}));

test('a case is left if each word is in its string or in one of its facts', () => open(failing, async (page) => {
  const textOf = ({case: name, family, verdict, rules = [], has = ''}) =>
    [name, family, verdict, ...rules, has].join('\n').toLowerCase();
  const journal = journalOf('failing');
  for (const text of ['f16 fail', 'Fail  4.0', 'index=negative UNIQUE', 'family=documents', 'verdict=pass has=nan',
    'gather_nd.negative-indices rank=2', 'perm']) {
    const words = text.toLowerCase().split(/ +/);
    const key = /^(family|verdict|has|rank)=(.*)/;
    const expected = journal.filter((entry) => words.every((word) => {
      const [, name, value] = key.exec(word) || [];
      return name ? String(entry[name] ?? '').toLowerCase().split(' ').includes(value) : textOf(entry).includes(word);
    })).map((entry) => entry.case);
    await page.getByRole('searchbox').fill(text);
    assert.ok(expected.length > 0 && expected.length < journal.length, text);
    assert.deepEqual((await left(page)).sort(), expected.sort(), text);
  }
}));

test('box, choices and address keep one another; Clear takes all away', () => open(failing, async (page) => {
  const all = journalOf('failing');
  const expected = all.filter(({level, verdict}) => level === '3.0' && verdict === 'Fail').length.toLocaleString('en-US');
  const said = `${expected} of ${all.length.toLocaleString('en-US')} cases`;
  await choose(page, 'Verdict', 'Fail');
  await page.keyboard.press('/');
  await page.keyboard.type('level=3.0');
  assert.equal(await counts(page), said);
  assert.equal(await state(page), '#?q=level=3.0&verdict=Fail');
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'level=3.0');
  assert.equal(await page.getByRole('combobox', {name: 'Verdict'}).inputValue(), 'Fail');
  assert.equal(await counts(page), said);
  await page.getByRole('searchbox').fill('levle=3.0');
  assert.match(await counts(page), /^0 of /);
  await page.getByRole('status').getByText('No case has all of these words').waitFor();
  await page.getByRole('button', {name: 'Clear'}).click();
  assert.equal(await counts(page), `${all.length.toLocaleString('en-US')} cases`);
  assert.equal((await state(page)).replace('#', ''), '');
  assert.equal(await page.getByRole('combobox', {name: 'Verdict'}).inputValue(), '');
  assert.equal(await page.getByRole('button', {name: 'Clear'}).isVisible(), false);
  assert.match(await noted(page, 'cases'), /of [\d,]+ cases/);
  await page.goBack();
  assert.match(await counts(page), /^0 of /);
}));

test('the filter is announced, has room for three words, and is the first link\'s target', () =>
  open(passing, async (page) => {
    await page.setViewportSize({width: 1440, height: 900});
    const box = page.getByRole('searchbox', {name: '/ to filter'});
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', {name: 'Skip to the filter'});
    assert.ok(await skip.evaluate((each) => each === document.activeElement && each.getBoundingClientRect().top >= 0));
    await page.keyboard.press('Enter');
    assert.ok(await box.evaluate((each) => each === document.activeElement));
    assert.ok(await page.locator('nav label', {hasText: '/ to filter'}).isVisible());
    await box.fill('nonzero_coordinates negative-index f16');
    assert.ok(await box.evaluate((each) => each.scrollWidth <= each.clientWidth));
  }));

test('from case to case by button and key, along the list that the filter leaves', () =>
  open(failing, async (page) => {
    await page.evaluate(() => go({q: 'level=3.0'}));
    const names = await left(page);
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
    assert.equal(await shown(), journalOf('failing').filter(({verdict, level}) => verdict === 'Fail' && level === '3.0')
      .map((each) => each.case).sort((a, b) => names.indexOf(a) - names.indexOf(b))[1]);
  }));
