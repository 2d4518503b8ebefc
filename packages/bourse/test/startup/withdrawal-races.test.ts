/**
 * Withdrawals that several people settle concurrently, in every order: one settlement counts, and balances are exact.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { ConnectionFile } from '../../src/startup/running-exchange.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client, type Credentials, type Reply } from '@bourse/test-kit/server.ts';
import { Operator } from './exchange.ts';
import { serve } from './process.ts';
import { limitsEnv } from '@bourse/test-kit/limits.ts';

const ROUNDS = ofSize(2, 8);
const EACH_ROUND = 12;
const AMOUNT = 10;
const ADDRESS = 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz';
const ROOMY = ['--quotas', '{"manage":1000000}'];
const ROOMY_LIMITS = limitsEnv({ operatorPoolWeight: 1_000_000 });

type Word = 'sent' | 'failed' | 'cancelled';

interface Account {
  readonly available: string;
  readonly holds: string;
}

/** The accepted settlements, by withdrawal. */
type Taken = Map<string, Word[]>;

const operatorOf = (connection: ConnectionFile, by: string) =>
  new Operator({ connection } as never, { 'x-operator': by });

async function mainUsdt(client: Client): Promise<Account> {
  const { json } = await client.get('/api/v1/accounts?currency=USDT&type=MAIN');
  return (json.data as Account[])[0]!;
}

async function request(client: Client): Promise<string> {
  const body = {
    currency: 'USDT',
    chain: 'trx',
    amount: String(AMOUNT),
    toAddress: ADDRESS,
    withdrawType: 'ADDRESS',
    // No two requests are one request sent twice.
    remark: randomBytes(8).toString('hex'),
  };
  const { json, text } = await client.post('/api/v3/withdrawals', body);
  assert.equal(json.code, '200000', text);
  return (json.data as { withdrawalId: string }).withdrawalId;
}

/**
 * Everybody makes a call about every withdrawal, some calls twice, in random order; calls without a response are
 * omitted.
 */
async function settleAll(
  connection: ConnectionFile,
  user: Client,
  ids: readonly string[],
  random: Random,
  taken: Taken,
): Promise<void> {
  const take = (id: string, word: Word) => taken.set(id, [...(taken.get(id) ?? []), word]);
  const settle = (by: string, id: string, sent: boolean) => async () => {
    const body = { sent, ...(sent && { txId: `paid ${id}` }) };
    const { status } = await operatorOf(connection, by).post(`/v1/withdrawals/${id}/settle`, body);
    assert.ok(status === 200 || status === 409, `${status}`);
    if (status === 200) take(id, sent ? 'sent' : 'failed');
  };
  const pay = (by: string, id: string) => async () => {
    const { status } = await operatorOf(connection, by).post(`/v1/withdrawals/${id}/claim`, {});
    assert.ok(status === 200 || status === 409, `${status}`);
    await settle(by, id, true)();
  };
  const cancel = (id: string) => async () => {
    const { json, status } = await user.delete(`/api/v1/withdrawals/${id}`);
    assert.ok(status < 500, `${status}`);
    if (json.code === '200000') take(id, 'cancelled');
  };
  const words = ids.flatMap((id) => [
    pay('anna', id),
    pay('anna', id),
    settle('bert', id, false),
    settle('bert', id, false),
    ...(random.chance(1 / 3) ? [cancel(id), cancel(id)] : []),
  ]);
  const ordered = words
    .map((word) => ({ word, rank: random.below(1 << 20) }))
    .toSorted((one, other) => one.rank - other.rank);
  await Promise.all(ordered.map(({ word }) => word().catch(unlessGone)));
}

/** The service was killed before it answered. */
function unlessGone(error: unknown): void {
  if (!(error instanceof TypeError && error.message.includes('fetch failed'))) throw error;
}

test('two operators and the user settle the same withdrawals concurrently, with kills in between', async (t) => {
  const data = makeDirectory(t);
  const random = new Random(13);
  const taken: Taken = new Map();
  const ids: string[] = [];
  let before: Account | undefined;
  for (let round = 0; round <= ROUNDS; round++) {
    const served = await serve(t, ['--data', data, ...ROOMY], ROOMY_LIMITS);
    const { connection } = served;
    const user = new Client(connection.baseUrl, 'alice');
    before ??= await mainUsdt(user);
    const isLast = round === ROUNDS;
    if (!isLast) for (let i = 0; i < EACH_ROUND; i++) ids.push(await request(user));
    const settling = settleAll(connection, user, ids, random, taken);
    if (!isLast) {
      await new Promise((resolve) => setTimeout(resolve, random.range(1, 40)));
      await served.stop('SIGKILL');
    }
    await settling;
    if (!isLast) continue;

    const operator = operatorOf(connection, 'anna');
    let gone = 0;
    const seen = new Set<Word>();
    for (const id of ids) {
      const { status, fee } = (await operator.get(`/v1/withdrawals/${id}`)).body as {
        status: Word;
        fee: string;
      };
      seen.add(status);
      const said = taken.get(id) ?? [];
      assert.ok(said.length <= 1, `${id} was told ${said.join(' and ')}`);
      if (said.length === 1) assert.equal(status, said[0], id);
      assert.notEqual(status, 'processing');
      if (status === 'sent') gone += AMOUNT + Number(fee);
    }
    const after = await mainUsdt(user);
    assert.equal(Number(after.available).toFixed(6), (Number(before.available) - gone).toFixed(6));
    assert.deepEqual(
      [...seen].toSorted(),
      ['cancelled', 'failed', 'sent'],
      'each of them was first at times',
    );
    assert.equal(Number(after.holds), 0);
    const sums = Object.values((await operator.get('/v1/ledger/check')).body as Record<string, string>);
    assert.ok(sums.length > 0 && sums.every((sum) => Number(sum) === 0), sums.join());
    await served.stop('SIGTERM');
  }
});

test('a key that lost its permission cannot withdraw or cancel, even with requests in flight', async (t) => {
  const served = await serve(t, ['--data', makeDirectory(t), ...ROOMY], ROOMY_LIMITS);
  const { connection } = served;
  const operator = operatorOf(connection, 'anna');
  const permissions = ['General', 'Spot', 'FlexTransfers', 'Withdrawal'];
  const added = await operator.post('/v1/users/alice/keys', { permissions });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const key = added.body as Credentials;
  const before = await mainUsdt(new Client(connection.baseUrl, 'alice'));
  const withKey = new Client(connection.baseUrl, key);
  const id = await request(withKey);
  const asking: Promise<Reply>[] = [];
  for (let i = 0; i < 50; i++) {
    asking.push(
      withKey.post('/api/v3/withdrawals', {
        currency: 'USDT',
        chain: 'trx',
        amount: String(AMOUNT),
        toAddress: ADDRESS,
        withdrawType: 'ADDRESS',
        remark: `${i}`,
      }),
    );
    if (i === 25)
      assert.equal((await operator.post(`/v1/keys/${key.apiKey}`, { permissions: ['General'] })).status, 200);
  }
  const answers = await Promise.all(asking);
  const made = answers.filter(({ json }) => json.code === '200000').length + 1;
  // Those that were sent after the operator had its answer.
  for (const { json } of answers.slice(26)) assert.notEqual(json.code, '200000');
  assert.notEqual((await withKey.delete(`/api/v1/withdrawals/${id}`)).json.code, '200000');
  const after = await mainUsdt(new Client(connection.baseUrl, 'alice'));
  const { fee } = (await operator.get(`/v1/withdrawals/${id}`)).body as { fee: string };
  const held = made * (AMOUNT + Number(fee));
  assert.equal(Number(after.holds).toFixed(6), held.toFixed(6));
  assert.equal(Number(after.available).toFixed(6), (Number(before.available) - held).toFixed(6));
  await served.stop('SIGTERM');
});
