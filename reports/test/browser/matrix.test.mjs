// The page of `dmlcts matrix`, on real runs.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import {close, dmlcts, folder, noBarrier, open, screens} from './setup.mjs';

const schema = (name) => JSON.parse(readFileSync(new URL(`../../schema/${name}`, import.meta.url)));
const ajv = new Ajv.default({allErrors: true, strict: true, strictRequired: false, strictTypes: false});
const page = `${folder}/matrix/index.html`;
const described = {matrix: 1, configurations: [
  {name: 'again', target: 'reference', tier: 'smoke'},
  {name: 'oracle', target: 'reference', tier: 'smoke'},
  {name: 'absent', worker: 'false', tier: 'smoke'},
  {name: 'mutant', target: 'mutant:negative-index-ignored', tier: 'smoke', environment: {A: 'b'}},
]};

before(() => {
  writeFileSync(`${folder}/matrix-description.json`, JSON.stringify(described));
  assert.equal(dmlcts('matrix', 'matrix-description.json', '--out', 'matrix').status, 3);
});
after(close);

test('description and matrix.json are what their schemas say', () => {
  const description = ajv.compile(schema('matrix-1.schema.json'));
  assert.ok(description(described), JSON.stringify(description.errors));
  assert.ok(!description({...described, configurations: [{name: 'a', teir: 'smoke'}]}));
  assert.ok(!description({...described, configurations: [{name: 'a', journal: 'b', tier: 'smoke'}]}));
  assert.ok(!description({...described, configurations: [{name: '../a'}]}));
  const committed = JSON.parse(readFileSync(new URL('../../matrix/lavapipe.json', import.meta.url)));
  assert.ok(description(committed), JSON.stringify(description.errors));
  const report = ajv.compile(schema('matrix-report-1.schema.json'));
  const made = JSON.parse(readFileSync(`${folder}/matrix/matrix.json`));
  assert.ok(report(made), JSON.stringify(report.errors));
  const {headline, ...without} = made;
  assert.ok(!report(without), headline);
});

test('differences come first, then cells that say what the runs do and lead to their reports', () =>
  open(page, async (tab) => {
    assert.equal(await tab.locator('main section').first().getAttribute('id'), 'changes');
    await tab.locator('#changes').getByText('oracle → mutant').waitFor();
    const cells = tab.locator('#operators table').first().locator('tr', {hasText: 'gather_nd1'}).locator('td');
    assert.match(await cells.nth(0).textContent(), /conforms/);
    assert.equal(await cells.nth(1).textContent(), '');
    assert.match(await cells.nth(2).textContent(), /broken/);
    await tab.locator('#configurations').getByText('did not start').waitFor();
    await tab.locator('#findings').getByText('has=negative-index').first().waitFor();
    for (const href of await tab.locator('main a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))) {
      if (!href.startsWith('#')) assert.ok(statSync(`${folder}/matrix/${href.split('#')[0]}`).isFile(), href);
    }
    assert.equal(await cells.count(), 3);
    const shared = tab.locator('#operators table').first().locator('thead th').nth(1);
    await shared.getByText('and 1 other').click();
    assert.equal(await shared.getByText('oracle').count(), 1);
    const [count, of] = (await cells.nth(2).locator('.of').first().textContent()).replaceAll(',', '').split(' of ');
    const report = JSON.parse(readFileSync(`${folder}/matrix/mutant/report.json`));
    const rows = report.compliance.filter(({operator}) => operator === 'gather_nd1');
    assert.equal(Number(count), rows.reduce((sum, {totals}) => sum + (totals.Pass || 0), 0));
    assert.equal(Number(of), rows.flatMap(({totals}) => Object.values(totals)).reduce((a, b) => a + b));
  }));

test('a link to a rule or an operator is followed in the configuration\'s own report', async () => {
  const hrefs = await (async () => {
    let found;
    await open(page, async (tab) => {
      found = await tab.evaluate(() => ['operators', 'rules'].map((id) =>
        document.querySelector(`#${id} td:last-child a`).getAttribute('href')));
    });
    return found;
  })();
  for (const href of hrefs) {
    await open(`${folder}/matrix/${href}`, async (tab) => {
      const section = decodeURIComponent(href.split('#')[1].split('?')[0]);
      assert.ok(await tab.locator(`[id="${section}"]`).isVisible(), href);
    });
  }
});

for (const [what, options] of screens) {
  test(`nothing sticks out, and no barrier is known: ${what}`, () => open(page, async (tab) => {
    await tab.evaluate(() => { for (const each of document.querySelectorAll('details')) each.open = true; });
    await noBarrier(tab);
  }, options));
}

test('prints', () => open(page, async (tab) => {
  const pdf = await tab.pdf({format: 'A4', printBackground: true});
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;
  assert.ok(pages >= 1 && pages < 30, `${pages} pages`);
}));
