import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { RequestPrinter, requestLine, wantsRequestLog } from '../../src/cli/request-printer.ts';
import type { RequestEntry } from '../../../sandbox/src/watch/requests.ts';
import { banner } from './process.ts';

const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const ESCAPE = '\x1b';

const entry: RequestEntry = {
  id: 1,
  seq: 1,
  time: 1_767_225_600_000,
  wallTime: Date.UTC(2026, 0, 1, 22, 14, 8, 123),
  user: 'alice',
  apiKey: 'key',
  dialect: 'literal',
  transport: 'http',
  route: 'place-order',
  method: 'POST',
  path: '/api/v1/hf/orders',
  query: '',
  body: '{"symbol":"LTC-USDT","type":"limit","side":"sell","price":"60","size":"5"}',
  status: 200,
  code: '200000',
  answer: '{"code":"200000","data":{}}',
  durationUs: 2140,
};
const refused: RequestEntry = {
  ...entry,
  status: 400,
  code: '400100',
  answer: '{"code":"400100","msg":"Price increment invalid.","detail":"The nearest are 60 and 60.001."}',
};

test('a request has one line, and a rejected one shows the reason', () => {
  assert.equal(
    requestLine(entry, false),
    '22:14:08.123  alice     POST   /api/v1/hf/orders  LTC-USDT sell limit 5 at 60  ok  2.1 ms',
  );
  assert.equal(
    requestLine({ ...refused, body: '', fault: 'f1' }, false),
    '22:14:08.123  alice     POST   /api/v1/hf/orders  400100 Price increment invalid. The nearest are 60 and 60.001.  2.1 ms  fault f1',
  );
  assert.match(
    requestLine({ ...entry, user: null, method: 'GET', query: 'a=1', body: '' }, false),
    /  -         GET    \/api\/v1\/hf\/orders\?a=1  ok  /,
  );
  assert.match(requestLine({ ...entry, status: 0 }, false), /  no answer  /);
});

test('colours are only for terminals, and control characters from outside are escaped', () => {
  assert.ok(requestLine(refused, true).includes(ESCAPE));
  const hostile = { ...refused, body: `{"symbol":"${'\\u001b'}[2J","side":"a\\nb"}` };
  const line = requestLine({ ...hostile, answer: `{"msg":"${'\\u001b'}[31m\\nnext"}` }, false);
  assert.ok(!line.includes(ESCAPE) && !line.includes('\n'), line);
});

test('the request log is on at a terminal unless --quiet or --json is given, and elsewhere only on request', () => {
  const rows = [
    [{}, true, true],
    [{}, false, false],
    [{ quiet: true }, true, false],
    [{ json: true }, true, false],
    [{ requestLog: true }, false, true],
    [{ requestLog: true, quiet: true }, true, false],
  ] as const;
  for (const [options, isTerminal, wanted] of rows)
    assert.equal(wantsRequestLog(options, isTerminal), wanted, JSON.stringify([options, isTerminal]));
});

test('a blocked terminal delays no request and fills no memory: omitted lines are counted', async () => {
  const written: string[] = [];
  const pending: (() => void)[] = [];
  const due: (() => void)[] = [];
  const log = new RequestPrinter({
    clock: { after: (_, action) => (due.push(action), () => undefined) },
    isColoured: false,
    write: (text) => new Promise((resolve) => (written.push(text), pending.push(resolve))),
  });
  for (let at = 0; at < 10; at++) log.add(entry);
  due.shift()!();
  assert.equal(written[0]!.split('\n').length, 11);
  // The terminal is stopped now.
  for (let at = 0; at < 100_000; at++) log.add(entry);
  assert.deepEqual([due.length, written.length], [0, 1]);
  pending.shift()!();
  await new Promise(setImmediate);
  due.shift()!();
  const lines = written[1]!.trimEnd().split('\n');
  assert.deepEqual([lines.length, lines.at(-1)], [51, '... and 99950 more requests']);
});

test('bourse start --request-log prints requests as they arrive; without it a program gets only the banner', async (t) => {
  const child = spawn(
    process.execPath,
    [BIN, 'start', '--request-log', '--port', '0', '--market', 'quiet', '--data', `${makeDirectory(t)}/data`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  while (!said.includes('Ctrl-C')) await once(child.stdout, 'data');
  const [, url] = /interface +(http:\S+)/.exec(said)!;
  await fetch(`${url}/api/v1/market/orderbook/level1?symbol=BTC-USDT`);
  await fetch(`${url}/api/v1/accounts`);
  while (!/GET +\/api\/v1\/accounts/.test(said)) await once(child.stdout, 'data');
  assert.match(said, /  GET    \/api\/v1\/market\/orderbook\/level1\?symbol=BTC-USDT  ok  \d+\.\d ms\n/);
  assert.match(said, /  GET    \/api\/v1\/accounts  400\d+ .+  \d+\.\d ms\n/);
  assert.match(await banner(t, ['--data', `${makeDirectory(t)}/data`]), /Stop with Ctrl-C\.\n$/);
});
