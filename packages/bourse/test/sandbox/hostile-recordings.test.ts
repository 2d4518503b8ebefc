/** Hostile recordings: each is rejected with an error message, and changes nothing. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';
import { assertLedger } from './fault-test.ts';

const SYMBOL = 'BTC-USDT';
const T = 1_700_000_000_000;
const HEAD = 'timestamp,side,price,amount\n';
const LINE = `${T},buy,100,1\n`;
const BOOK = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n';
const NINES = '9'.repeat(39);

const play = (sandbox: TestSandbox, file: string) =>
  sandbox.ask('POST', '/market/replay', { symbol: SYMBOL, file, speed: 10_000 });

test('only files below the directory are opened', { timeout: 60_000 }, async (t) => {
  const recordings = makeDirectory(t);
  const outside = makeDirectory(t);
  writeFileSync(`${outside}/secret.csv`, HEAD + LINE);
  mkdirSync(`${recordings}/directory`);
  symlinkSync(`${outside}/secret.csv`, `${recordings}/link.csv`);
  symlinkSync(outside, `${recordings}/linked`);
  symlinkSync(`${recordings}/circle.csv`, `${recordings}/circle.csv`);
  // Opening a pipe waits for a writer, and holds one of the few threads that also bring the log to the disk.
  execFileSync('mkfifo', [`${recordings}/pipe.csv`]);
  const sandbox = await sandboxFor(t, { recordings });
  const before = await sandbox.call('GET', '/');
  for (const [file, says] of [
    ['directory', /there is no file 'directory'/],
    ['.', /there is no file '\.'/],
    ['pipe.csv', /there is no file 'pipe\.csv'/],
    ['circle.csv', /there is no file 'circle\.csv'/],
    ['no\0thing.csv', /there is no file/],
    ['link.csv', /must lie below the directory/],
    ['linked/secret.csv', /must lie below the directory/],
    [`${outside}/secret.csv`, /there is no file/],
    ['..', /must lie below the directory/],
    ['a/'.repeat(5000), /^file '(a\/){32}\.\.\.' must lie below the directory/],
  ] as const) {
    const { status, body } = await play(sandbox, file);
    assert.equal(status, 400, file);
    assert.match((body as { msg: string }).msg, says);
  }
  assert.deepEqual(await sandbox.call('GET', '/'), before);
});

test('an invalid line is reported with its number and its beginning', { timeout: 60_000 }, async (t) => {
  const recordings = makeDirectory(t);
  const sandbox = await sandboxFor(t, { recordings });
  const before = await sandbox.call('GET', '/');
  for (const [text, says] of [
    ['', /has no events/],
    [HEAD, /has no events/],
    [`${HEAD}${LINE}${T - 1},buy,1,1\n`, /line 3 is earlier than the line before/],
    [`${HEAD}${T},buy,1\0,1\n`, /line 2 price is '1\0'/],
    [`${HEAD}${'x'.repeat(1 << 20)}\n`, /line 2 is longer than 4096 bytes/],
    [`${HEAD}${T},buy,1,1${' '.repeat(5000)}\n`, /line 2 is longer than 4096 bytes/],
    [`${','.repeat(4000)}\n`, /line 1 is neither timestamp,side,price,amount nor/],
    [`${HEAD}${T},buy,${'1'.repeat(3000)},1\n`, /line 2 price is '1{64}\.\.\.'/],
    [
      `${BOOK}v,A,${T}000,${T}000,true,bid,1,1\nv,${'B'.repeat(3000)},${T}000,${T}000,true,bid,1,1\n`,
      /line 3 is of B{64}\.\.\., and the lines before are of A/,
    ],
  ] as const) {
    writeFileSync(`${recordings}/wrong.csv`, text);
    const { status, body } = await play(sandbox, 'wrong.csv');
    assert.equal(status, 400, text.slice(0, 80));
    assert.match((body as { msg: string }).msg, says);
  }
  assert.deepEqual(await sandbox.call('GET', '/'), before);
});

test('amounts out of range are replayed without breaking the ledger', { timeout: 60_000 }, async (t) => {
  const recordings = makeDirectory(t);
  const level = (side: string, price: string, amount: string) =>
    `v,B,${T}000,${T}000,true,${side},${price},${amount}\n`;
  const tapes = {
    trades: `${HEAD}${T},buy,${NINES},1\n${T},sell,1,${NINES}\n${T},buy,0.${'0'.repeat(38)}1,${NINES}\n`,
    book: `${BOOK}${level('bid', NINES, NINES)}${level('ask', NINES, '1')}${level('ask', '1', NINES)}`,
    // From a spreadsheet: a byte order mark before the first line, and no line end after the last.
    marked: `\ufeff${HEAD}${T},buy,100,0.01\r\n${T + 1},sell,100,0.01`,
    far: `${HEAD}0000000000000,buy,100,1\n9999999999999,buy,100,1\n`,
  };
  const sandbox = await sandboxFor(t, { recordings });
  for (const [name, text] of Object.entries(tapes)) {
    writeFileSync(`${recordings}/${name}.csv`, text);
    assert.equal((await play(sandbox, `${name}.csv`)).status, 200, name);
    await sandbox.call('POST', '/clock/advance', { ms: 5000 });
    await sandbox.call('DELETE', '/market/replay');
    await assertLedger(sandbox);
  }
});

test('a file that becomes invalid during the replay ends it', { timeout: 60_000 }, async (t) => {
  const recordings = makeDirectory(t);
  const lines = Array.from({ length: 5000 }, (_, at) => `${T + at * 100},buy,100,0.01`);
  writeFileSync(`${recordings}/tape.csv`, `${HEAD}${lines.join('\n')}\n`);
  const sandbox = await sandboxFor(t, { recordings });
  await sandbox.call('POST', '/market/replay', { symbol: SYMBOL, file: 'tape.csv', speed: 1 });
  await sandbox.call('POST', '/clock/advance', { ms: 1000 });
  writeFileSync(`${recordings}/tape.csv`, `${HEAD}${'rubbish\n'.repeat(50_000)}`);
  const { id } = await sandbox.call<{ id: string }>('POST', '/snapshots', { name: 'playing' });
  await sandbox.call('POST', `/snapshots/${id}/restore`);
  await sandbox.call('POST', '/clock/advance', { ms: 5000 });
  assert.deepEqual(await sandbox.call('GET', '/market/replay'), { playing: false });
  await assertLedger(sandbox);
});
