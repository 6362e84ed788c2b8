// report.json and journals match their schemas, and the schemas refuse broken ones.
import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import {readFileSync} from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import {dmlcts, folder, run, sample} from './setup.mjs';

const load = (name) => JSON.parse(readFileSync(new URL(`../../schema/${name}`, import.meta.url)));
const ajv = new Ajv.default({allErrors: true, strict: true, strictRequired: false, strictTypes: false});
const journalLine = ajv.compile(load('journal-4.schema.json'));
const report = ajv.compile(load('report-3.schema.json'));
const fits = (check, value) => assert.ok(check(value), JSON.stringify(check.errors));

before(() => {
  run('schema', 'default', 'mutant:negative-index-ignored', 'family=documents');
  dmlcts('selftest', 'negative-*', '--tier', 'smoke', '--json', `${folder}/caught.json`);
  assert.equal(dmlcts('report', 'merge', `${folder}/schema`, '--mutants', `${folder}/caught.json`,
    '--report', `${folder}/schema-merged`).status, 1);
});

const lines = () => readFileSync(`${folder}/schema/journal.jsonl`, 'utf8').trim().split('\n')
  .map((line) => JSON.parse(line));
const whole = (name) => JSON.parse(readFileSync(`${folder}/${name}/report.json`, 'utf8'));

test('every line of a real journal', () => {
  for (const line of lines()) fits(journalLine, line);
});

test('reports of real and of invented runs', () => {
  fits(report, whole('schema'));
  fits(report, whole('schema-merged'));
  assert.ok(whole('schema-merged').mutants.mutants.length > 0);
  sample('schema-sample', 3000);
  fits(report, whole('schema-sample'));
  assert.ok(whole('schema-sample').workerFailures.length > 0);
  for (const verdict of load('journal-4.schema.json').$defs.verdictName.enum) {
    assert.ok(whole('schema-sample').totals[verdict] > 0, verdict);
  }
});

test('what is missing or wrong is refused', () => {
  const [header, verdict] = lines();
  const {seed, ...seedless} = header;
  assert.ok(!journalLine(seedless), seed);
  const {case: name, ...nameless} = verdict;
  assert.ok(!journalLine(nameless), name);
  assert.ok(!journalLine({...verdict, verdict: 'Passed'}));
  assert.ok(!journalLine({...header, journal: 1}));
  fits(journalLine, {workerFailure: 'at exit', verdict: 'Crash', message: 'signal 11'});
  assert.ok(!journalLine({workerFailure: 'at exit'}));
  assert.ok(!journalLine({workerFailure: 'at exit', verdict: 'Died'}));
  assert.ok(journalLine({...verdict, aMemberOfTheFuture: 1}));
  const {totals, ...without} = whole('schema');
  assert.ok(!report(without), totals);
});
