// What the tests share: real runs of dmlcts, their reports, and a browser that tolerates no error.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
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

// For each query what the harness's own query language finds in a journal: indices of its cases, or
// the text of the error.
export function matchQueries(journal, queries) {
  const out = execFileSync(process.env.REPORTS_MATCH_QUERIES, [journal],
    {input: queries.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28});
  return out.trim().split('\n').map((line) => JSON.parse(line));
}

// A run in the default tier; the folder of its report.
export function run(name, target, ...queries) {
  const {status, err} = dmlcts('run', ...queries, '--tier', 'default', '--target', target,
    '--report', join(folder, name), '--quiet');
  assert.ok(status === 0 || status === 1, err);
  return join(folder, name);
}

export function sample(name, cases) {
  execFileSync(process.env.REPORTS_SAMPLE, [join(folder, name), String(cases)]);
  return join(folder, name);
}

let browser;
export async function launch() {
  browser ??= await chromium.launch({executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files']});
  return browser;
}
export const close = () => browser?.close();

// Opens a page, waits until it is whole, and hands it to `use`. Any console message of weight,
// uncaught error or request but for the page itself fails the test.
export async function open(address, use, options = {}) {
  const context = await (await launch()).newContext(
    {viewport: {width: 1280, height: 900}, permissions: ['clipboard-read', 'clipboard-write'], ...options});
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.stack));
  page.on('dialog', (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (request.url() !== `file://${address}`.split('#')[0]) wrong.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(`file://${address}`);
    await page.locator('html[data-ready]').waitFor({timeout: 60000});
    await use(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}
