/**
 * A test of faults. Afterwards all balances sum correctly, and a new client has the exchange's books: a fault can
 * mislead a bot, never the exchange.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BourseClient, Feed } from '@bourse/client';
import { type Flags, sandboxFor, type TestSandbox } from './exchange.ts';

const SYMBOL = 'BTC-USDT';
const SYNC_MS_MAX = 60_000;

export function faultTest(
  name: string,
  body: (sandbox: TestSandbox, context: TestContext) => Promise<void>,
  flags: Flags = {},
): void {
  test(name, async (context) => {
    const sandbox = await sandboxFor(context, flags);
    await body(sandbox, context);
    await assertSound(sandbox);
  });
}

async function assertSound(sandbox: TestSandbox): Promise<void> {
  await sandbox.call('DELETE', '/faults');
  await assertLedger(sandbox);
  const feed = new Feed(
    new BourseClient({ url: sandbox.running.connection.baseUrl, credentials: aliceOf(sandbox) }),
  );
  try {
    const book = await feed.book(SYMBOL);
    assert.deepEqual(levelsOf(book), await coreLevels(sandbox), 'a book that begins anew is right');
    book.close();
  } finally {
    feed.close();
  }
}

/** The operator's check: all accounts of every currency sum to nothing. */
export async function assertLedger({ running }: TestSandbox): Promise<void> {
  const { operatorUrl, operatorToken } = running.connection;
  const reply = await fetch(`${operatorUrl}/v1/ledger/check`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  assert.equal(reply.status, 200);
  const sums = Object.entries((await reply.json()) as Record<string, string>);
  assert.ok(sums.length >= 10);
  for (const [currency, sum] of sums) assert.equal(sum, '0', currency);
}

/** Waits until the client's book equals the exchange's. */
export async function assertBook(sandbox: TestSandbox, book: Kept): Promise<void> {
  for (const end = Date.now() + SYNC_MS_MAX; Date.now() < end; ) {
    if (book.isSynced && same(levelsOf(book), await coreLevels(sandbox))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(levelsOf(book), await coreLevels(sandbox));
}

export const aliceOf = ({ running }: TestSandbox) => running.connection.users[0]!;

type Kept = Awaited<ReturnType<Feed['book']>>;
type Levels = readonly (readonly [price: number, size: number])[];

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const levelsOf = (book: Kept): Levels[] =>
  (['bids', 'asks'] as const).map((side) =>
    book.levels(side).map(([price, size]) => [Number(price), Number(size)] as const),
  );

const coreLevels = ({ running }: TestSandbox): Promise<Levels[]> =>
  running.engine.read((exchange) => {
    const number = exchange.reference.symbolNumber(SYMBOL);
    const { priceDecimals, sizeDecimals } = exchange.reference.symbol(number);
    return (['buy', 'sell'] as const).map((side) =>
      exchange
        .depth(number, side, 1000)
        .map(({ price, size }) => [price / 10 ** priceDecimals, size / 10 ** sizeDecimals] as const),
    );
  });
