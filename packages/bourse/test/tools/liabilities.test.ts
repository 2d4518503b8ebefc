/** Liabilities of a running exchange: published, proved to their users, and verified on another machine. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { SecretBox } from '@bourse/api/basics';
import { nodeClock } from '@bourse/engine';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { headBytes } from '../../src/startup/liabilities-file.ts';
import { Liabilities } from '../../src/startup/liabilities.ts';
import { ProofWrong, verifyLiabilities } from '../../src/tools/verify-liabilities.mjs';
import { clientOf, codeOf, open, openFor, Operator } from '../startup/exchange.ts';
import { run } from '../startup/process.ts';

interface Published {
  readonly id: string;
  readonly record: number;
  readonly currencies: readonly { readonly currency: string; readonly sum: string }[];
  readonly checkpoint: string;
}

const proofPath = (id: string): string => `/api/v1/bourse/liabilities/${id}/proof`;

async function publicText({ connection }: RunningExchange, path: string): Promise<string> {
  const response = await fetch(`${connection.baseUrl}/transparency/${path}`);
  assert.equal(response.status, 200);
  return response.text();
}

async function take(running: RunningExchange): Promise<Published> {
  const { status, body } = await new Operator(running).post('/v1/liabilities', {});
  assert.equal(status, 200, JSON.stringify(body));
  return body as Published;
}

/** The balances of users by the ledger, in the currencies with a balance. */
async function owed(running: RunningExchange): Promise<Map<string, number>> {
  const { body } = await new Operator(running).get('/v1/ledger');
  const rows = body as { currency: string; available: string; holds: string }[];
  return new Map(
    rows
      .map((row) => [row.currency, Number(row.available) + Number(row.holds)] as const)
      .filter(([, sum]) => sum > 0),
  );
}

/** In a directory with nothing but the files that a customer has, by the file that the exchange serves. */
async function verifyElsewhere(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  args: string[],
) {
  const dir = makeDirectory(context);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${dir}/${name}`, text);
  const start = ['verify-liabilities.mjs', 'proof.json', '--root', 'roots.json', ...args];
  return promisify(execFile)(process.execPath, start, { cwd: dir, env: {} }).then(
    ({ stdout }) => ({ code: 0, out: stdout, err: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      out: stdout,
      err: stderr,
    }),
  );
}

test('a user downloads a proof, and verifies it on another machine', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data });
  t.after(() => running.close());
  assert.deepEqual(JSON.parse(await publicText(running, 'liabilities')), { items: [] });
  const order = {
    clientOid: 'held',
    side: 'buy',
    symbol: 'BTC-USDT',
    type: 'limit',
    price: '100',
    size: '1',
  };
  assert.equal((await clientOf(running, 'bob').post('/api/v1/orders', order)).status, 200);
  const published = await take(running);
  const sums = new Map(published.currencies.map(({ currency, sum }) => [currency, Number(sum)]));
  assert.deepEqual([...sums].toSorted(), [...(await owed(running))].toSorted());

  // Nothing was lost over a restart.
  await running.close();
  running = await open({ data });
  const roots = await publicText(running, 'liabilities');
  assert.deepEqual(JSON.parse(roots), { items: [published] });
  const answer = await clientOf(running, 'bob').get(proofPath(published.id));
  assert.equal(answer.status, 200, answer.text);
  const { user } = answer.json.data as { user: string };
  const files = {
    'proof.json': answer.text,
    'roots.json': roots,
    'key.txt': await publicText(running, 'key'),
    'verify-liabilities.mjs': await publicText(running, 'verify-liabilities.mjs'),
  };
  const verified = await verifyElsewhere(t, files, ['--key', 'key.txt', '--user', user]);
  assert.equal(verified.code, 0, verified.err);
  assert.match(verified.out, /USDT: your [0-9.]+ is included in the [0-9.]+ that the exchange owes\./);
  assert.doesNotMatch(verified.out, /not verified/);
  assert.match(
    verified.out,
    /The proof contains no other currency\. If you had a balance in one, the exchange omitted it\./,
  );
  const [, usdt] = /USDT: your ([0-9.]+) is/.exec(verified.out)!;
  const exact = await verifyElsewhere(t, files, ['--balance', `USDT=${usdt}`, '--balance', 'NONE=0']);
  assert.equal(exact.code, 0, exact.err);
  const more = await verifyElsewhere(t, files, ['--balance', `USDT=${usdt}1`]);
  assert.equal(more.code, 1);
  assert.match(more.err, /Not proved\. USDT: the exchange counts/);

  const { text: ofAlice } = await clientOf(running, 'alice').get(proofPath(published.id));
  const foreign = await verifyElsewhere(t, { ...files, 'proof.json': ofAlice }, ['--user', user]);
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, /Not proved\. The proof belongs to user [0-9a-f]{24}, not to [0-9a-f]{24}\./);
  const smaller = roots.replace(/"units":"\d/, '"units":"9');
  const lied = await verifyElsewhere(t, { ...files, 'roots.json': smaller }, []);
  assert.match(lied.err, /Not proved\. The roots do not match the signed checkpoint/);

  const dir = makeDirectory(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${dir}/${name}`, text);
  // A path may have plus signs, too.
  mkdirSync(`${dir}/a+b`);
  writeFileSync(`${dir}/a+b/key.txt`, files['key.txt']);
  const told = await run([
    'liabilities',
    'verify',
    `${dir}/proof.json`,
    '--root',
    `${dir}/roots.json`,
    '--key',
    `${dir}/a+b/key.txt`,
    '--balance',
    `USDT=${usdt}`,
    '--json',
  ]);
  assert.equal(told.code, 0, told.err);
  assert.equal((JSON.parse(told.out) as { isSigned: boolean }).isSigned, true);
});

test('money in suspense, waiting or claimed for a payout is counted as in the ledger', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const done = async (path: string, body: object): Promise<unknown> => {
    const answer = await operator.post(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const deposit = { userId: 'alice', currency: 'USDT', chain: 'erc20', amount: '500' };
  await done('/v1/deposits', { ...deposit, txId: 'one' });
  await done('/v1/deposits', { ...deposit, txId: 'two', travelRule: true });
  const from = { userId: 'alice', account: 'main' };
  const move = { kind: 'move', currency: 'USDT', amount: '200', from };
  for (const system of ['suspense', 'fees']) await done('/v1/corrections', { ...move, to: { system } });
  const withdrawal = {
    currency: 'USDT',
    chain: 'trx',
    amount: '10',
    toAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  };
  const alice = clientOf(running, 'alice');
  const { withdrawalId } = (await alice.post('/api/v3/withdrawals', withdrawal)).json.data as {
    withdrawalId: string;
  };
  await done(`/v1/withdrawals/${withdrawalId}/claim`, {});
  const sums = (await take(running)).currencies.map(({ currency, sum }) => [currency, Number(sum)] as const);
  assert.deepEqual([...sums].toSorted(), [...(await owed(running))].toSorted());
});

test('old trees are removed by age; their roots and sums stay', async (t) => {
  const dir = makeDirectory(t);
  const now = 1_800_000_000_000;
  const day = 86_400_000;
  const write = (record: number, time: number): void => {
    const head = { origin: 'bourse/test', record, generation: 0, time, entries: 1, currencies: [] };
    mkdirSync(`${dir}/liabilities`, { recursive: true });
    writeFileSync(`${dir}/liabilities/${record}`, Buffer.concat([headBytes(head), Buffer.alloc(12)]));
  };
  const warnings: string[] = [];
  const openTrees = (record = 999) =>
    Liabilities.open(
      {
        dir,
        secrets: new SecretBox(Buffer.alloc(32, 7)),
        clock: { ...nodeClock, now: () => now },
        warn: (sentence) => warnings.push(sentence),
      },
      {
        origin: 'bourse/test',
        find: (size: number) => ({ size, time: 0, note: `note ${size}` }),
        shown: (taken: object) => taken,
        takeWith: (make: (size: number) => Promise<never>) => make(record),
      } as never,
    );
  for (let record = 1; record <= 14; record++) write(record, now - (record < 3 ? 91 : 89) * day);
  const liabilities = await openTrees();
  // There is no log to compute the next one from.
  await assert.rejects(liabilities.take());
  for (const each of [liabilities, await openTrees()]) {
    const ids = each.published().map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      Array.from({ length: 14 }, (_, at) => 14 - at),
    );
    assert.deepEqual(
      each.published(3).map(({ id }) => id),
      ['2', '1'],
    );
    for (const id of ['1', '2']) assert.equal(await each.proofOf(id, 0), null);
    assert.deepEqual((await each.proofOf('3', 7))?.balances, []);
  }
  assert.equal((await (await openTrees(14)).take()).id, '14', 'nothing was logged since the newest');
  for (let record = 15; record <= 102; record++) write(record, now);
  const full = await openTrees();
  await assert.rejects(full.take(), { name: 'LiabilitiesFull' });
  assert.deepEqual(warnings, []);
});

/** Every place in a JSON value, by the names that lead there. */
function* placesIn(value: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* placesIn(member, [...at, name]);
}

function changedAt(value: object, at: readonly string[], to: unknown): object {
  const changed = structuredClone(value) as Record<string, unknown>;
  let inner = changed;
  for (const name of at.slice(0, -1)) inner = inner[name] as Record<string, unknown>;
  inner[at.at(-1)!] = to;
  return changed;
}

test('a changed proof or root either proves the same or is rejected with an error message', async (t) => {
  const running = await open({ data: makeDirectory(t) });
  t.after(() => running.close());
  const { id } = await take(running);
  const roots = JSON.parse(await publicText(running, 'liabilities')) as object;
  const key = await publicText(running, 'key');
  const proofOf = async (name: string) =>
    (await clientOf(running, name).get(proofPath(id))).json.data as {
      user: string;
      balances: { path: object[] }[];
    };
  const [alice, bob] = [await proofOf('alice'), await proofOf('bob')];
  const verify = (proof: object, root: object): object =>
    verifyLiabilities(JSON.stringify(proof), JSON.stringify(root), { key });
  const wanted = verify(alice, roots);
  let [refused, same] = [0, 0];
  const attempt = (proof: object, root: object, what: string): void => {
    try {
      assert.deepEqual(verify(proof, root), wanted, what);
      same++;
    } catch (error) {
      if (!(error instanceof ProofWrong)) throw new Error(what, { cause: error });
      refused++;
    }
  };
  const values = [
    undefined,
    null,
    -1,
    0,
    '',
    '0',
    '-1',
    '01',
    '9'.repeat(40),
    String(1n << 128n),
    [],
    'left',
  ];
  for (const to of values) {
    for (const at of placesIn(alice)) attempt(changedAt(alice, at, to), roots, `${at.join('.')}: ${to}`);
    for (const at of placesIn(roots)) attempt(alice, changedAt(roots, at, to), `${at.join('.')}: ${to}`);
  }
  const [first] = alice.balances;
  const before = refused;
  attempt({ ...bob, user: alice.user }, roots, 'the balances of somebody else');
  attempt({ ...alice, balances: [...alice.balances, first] }, roots, 'a balance twice');
  const longer = { ...first, path: [...first.path, first.path[0]] };
  attempt({ ...alice, balances: [longer] }, roots, 'a longer path');
  attempt({ ...alice, balances: [{ ...first, path: first.path.slice(1) }] }, roots, 'a shorter path');
  assert.equal(refused - before, 4);
  assert.ok(refused > 1000 && same > 10, `${refused} refused, ${same} the same`);
});

test('a user cannot get the proof of another user, or of liabilities that do not exist', async (t) => {
  const running = await open({ data: makeDirectory(t) });
  t.after(() => running.close());
  const { id } = await take(running);
  const [alice, bob] = await Promise.all(
    ['alice', 'bob'].map(
      async (name) => (await clientOf(running, name).get(proofPath(id))).json.data as { user: string },
    ),
  );
  assert.notEqual(alice.user, bob.user);
  const none = await clientOf(running, 'alice').get(proofPath('1'));
  assert.equal(none.status, 404);
  assert.match(none.json.msg ?? '', /^The liabilities do not exist\./);
  const unsigned = await fetch(`${running.connection.baseUrl}${proofPath(id)}`);
  assert.equal(unsigned.status, 400);
  // The identity interface, in a test of the sandbox's people.
  const stranger = await fetch(`${running.connection.identityUrl}/liabilities/${id}/proof`);
  assert.equal(stranger.status, 401);
});

test('each publication is in the audit trail, and files left by a kill are not published', async (t) => {
  const data = makeDirectory(t);
  mkdirSync(`${data}/liabilities`, { recursive: true });
  for (const name of ['7', '7.tmp', '9']) writeFileSync(`${data}/liabilities/${name}`, 'not whole');
  const running = await open({ data });
  t.after(() => running.close());
  assert.deepEqual(JSON.parse(await publicText(running, 'liabilities')), { items: [] });
  const operator = new Operator(running);
  const first = await take(running);
  assert.deepEqual(readdirSync(`${data}/liabilities`), [first.id]);
  const noted = (await operator.get('/v1/audit?limit=1')).body as Record<string, unknown>[];
  assert.deepEqual(
    noted.map(({ why, action, details }) => ({ why, action, details })),
    [{ why: 'a test', action: 'note-call', details: { noted: 'take-liabilities' } }],
  );
  const second = await take(running);
  assert.equal(second.record, first.record + 1, 'the only new record is the one of the call');
  assert.deepEqual(
    second.currencies.map(({ sum }) => sum),
    first.currencies.map(({ sum }) => sum),
  );
  assert.deepEqual(codeOf(await operator.post('/v1/liabilities', { colour: 'red' })), [400, 'field-unknown']);
});
