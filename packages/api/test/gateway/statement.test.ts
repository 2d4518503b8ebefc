import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '@bourse/core';
import { EVERYBODY } from '@bourse/engine';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { LongLists } from '../../src/gateway/paging.ts';
import { statementOf } from '../../src/gateway/money/statement.ts';
import type { Services } from '../../src/gateway/services.ts';

const EMPTY = { time: 0, accounts: () => [] };

test('statements of one user queue behind each other, and do not delay the lists of operators', async () => {
  const longLists = new LongLists(nodeClock);
  const services = {
    port: { read: <T>(ask: (exchange: Exchange) => T) => Promise.resolve(ask(EMPTY as unknown as Exchange)) },
    history: { countLedger: () => 0, ledger: () => [] },
    historyCaughtUp: () => Promise.resolve(),
    historyRetentionMs: 1,
    catalogue: { user: () => ({ createdAt: Infinity }) },
    clock: nodeClock,
    longLists,
  } as unknown as Services;
  const period = { from: 0, until: 1 };
  const read = (user: number) => statementOf(services, user, period, user);
  const many = await Promise.allSettled(Array.from({ length: 40 }, () => read(7)));
  assert.ok(many.some(({ status }) => status === 'rejected'));
  const mine = Array.from({ length: 40 }, () => read(7).catch(() => null));
  assert.deepEqual(await statementOf(services, 7, period, EVERYBODY), { until: 1, accounts: [] });
  assert.deepEqual(await read(8), { until: 1, accounts: [] });
  await Promise.all(mine);
});

test('the entries of a long statement are shown in pieces, as they are read', async () => {
  const count = 5000;
  let [shown, most] = [0, 0];
  const rows = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    seq: at + 1,
    time: at,
    cause: 'deposit',
    reference: 1,
    account: 'main',
    currency: at % 2,
    change: 10n,
    balance: BigInt(10 * Math.floor(at / 2) + 10),
    // Read for each entry that is shown.
    get fee() {
      most = Math.max(most, ++shown);
      return 0n;
    },
  }));
  const accounts = [0, 1].map((currency) => ({ type: 'main', currency, available: 0n, hold: 0n }));
  const services = {
    port: {
      read: <T>(ask: (exchange: Exchange) => T) =>
        Promise.resolve(ask({ time: count, accounts: () => accounts } as unknown as Exchange)),
    },
    history: {
      countLedger: () => count,
      ledger({ after = 0, limit = 0 }) {
        shown = 0;
        return rows.slice(after, after + limit);
      },
    },
    historyCaughtUp: () => Promise.resolve(),
    historyRetentionMs: Infinity,
    catalogue: {
      user: () => ({ createdAt: 0 }),
      currencyAt: (number: number) => ({ code: `C${number}`, scale: 1 }),
    },
    clock: nodeClock,
    longLists: new LongLists(nodeClock),
  } as unknown as Services;
  const statement = await statementOf(services, 7, { from: 0, until: count }, 7);
  assert.deepEqual(
    statement.accounts.map(({ currency, opening, entries, closing }) => [
      currency,
      opening,
      entries.length,
      closing,
    ]),
    [0, 1].map((currency) => [`C${currency}`, '0', count / 2, String(count / 2)]),
  );
  assert.deepEqual(statement.accounts[1]?.entries[0], {
    id: '2-2',
    time: '1970-01-01T00:00:00.001Z',
    kind: 'deposit',
    reference: statement.accounts[0]?.entries[0]?.reference,
    counterAccount: 'outside',
    amount: '1',
    fee: '0',
    balance: '1',
  });
  assert.ok(most > 0 && most <= 50, `${most} entries at once`);
});
