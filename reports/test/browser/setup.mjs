// Shared by the tests: real runs of dmlcts, their reports, and a browser that tolerates no error.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';

export const folder = mkdtempSync(join(tmpdir(), 'dmlcts-browser-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

export function dmlcts(...args) {
  const result = spawnSync(process.env.DMLCTS, args, {encoding: 'utf8', maxBuffer: 1 << 28, cwd: folder});
  assert.equal(result.error, undefined);
  return {status: result.status, out: result.stdout, err: result.stderr};
}

// Runs a tier and returns the report's folder. A smoke-tier page opens twice as fast as one of the
// default tier, for tests that do not need the size.
export function run(name, tier, target, ...queries) {
  const {status, err} = dmlcts('run', ...queries, '--tier', tier, '--target', target,
    '--report', join(folder, name), '--quiet');
  assert.ok(status === 0 || status === 1, err);
  return join(folder, name);
}

export function sample(name, cases) {
  execFileSync(process.env.REPORTS_SAMPLE, [join(folder, name), String(cases)]);
  return join(folder, name);
}

export const screens = [
  ['a wide screen, light', {viewport: {width: 1280, height: 900}, colorScheme: 'light'}],
  ['a phone, dark', {viewport: {width: 375, height: 812}, colorScheme: 'dark'}],
];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Fails where something sticks out of the page, or axe knows a barrier in it.
export async function noBarrier(page) {
  assert.ok(await page.evaluate(() =>
    document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'sticks out');
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => window.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}));
  assert.deepEqual(violations.map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
}

// One tab for all tests of a file: opening a tab takes more than a second of processor time, most
// of a test's. Each test gets a new document, so none sees what another did.
let browser, tab;
async function launch() {
  browser = await chromium.launch({executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files']});
  const context = await browser.newContext({permissions: ['clipboard-read', 'clipboard-write']});
  context.setDefaultTimeout(60000);
  return context.newPage();
}
export const close = () => browser?.close();

// Opens a page, waits until it is complete, and passes it to `use`. A console error or warning, an
// uncaught error or any request except for the page itself fails the test.
export async function open(address, use, {viewport = {width: 1280, height: 900}, colorScheme = 'light'} = {}) {
  tab ??= await launch();
  await tab.goto('about:blank');
  await tab.setViewportSize(viewport);
  await tab.emulateMedia({colorScheme, media: 'screen'});
  const wrong = [];
  const listeners = {
    console: (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
    },
    pageerror: (error) => wrong.push(error.stack),
    dialog: (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); },
    request: (request) => {
      if (request.url() !== `file://${address}`.split('#')[0]) wrong.push(`request: ${request.url()}`);
    },
  };
  for (const [event, listener] of Object.entries(listeners)) tab.on(event, listener);
  try {
    await tab.goto(`file://${address}`);
    await tab.locator('html[data-ready]').waitFor();
    await use(tab);
    assert.deepEqual(wrong, []);
  } finally {
    for (const [event, listener] of Object.entries(listeners)) tab.off(event, listener);
  }
}

// The address's state, and the note beside a section's heading.
export const state = (page) => page.evaluate(() => decodeURIComponent(location.hash.replaceAll('+', ' ')));
export const noted = (page, section) => page.locator(`#${section} .aside`).first().textContent();
