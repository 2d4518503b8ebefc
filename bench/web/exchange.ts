/**
 * node exchange.ts UPDATES SYMBOL
 *
 * A sandbox with a book of fifty levels on each side and UPDATES changes per second in SYMBOL. Each change places one order and
 * cancels another, directly in the engine, to leave the CPU to the measured part.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@bourse/core';
import { startWhole } from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const LEVELS = 50;
const TICK_MS = 20;
const PRICE = 60_000;

const updatesPerSecond = Number(process.argv[2]);
const symbolCode = process.argv[3]!;
const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-web-'));
const generous = { quotas: { public: 1e9 }, servicePoolWeight: 1e9 };
const exchange = await startWhole(dir, generous);
const { engine, connection } = exchange;
const { symbol, priceDecimals, sizeDecimals } = await engine.read(({ reference }) =>
  reference.symbol(reference.symbolNumber(symbolCode)),
);
const user = await engine.read(
  ({ reference }) => reference.users.find(({ name }) => name === 'alice')!.number,
);

let changes = 0;
let placed = 0;
let cancelled = 0;

async function place(): Promise<void> {
  const turn = ++placed;
  const side = turn % 2 === 0 ? 'buy' : 'sell';
  const away = 1 + (turn % LEVELS);
  const { outcome } = await submit(engine, {
    kind: 'place-order',
    user,
    symbol,
    side,
    type: 'limit',
    price: (side === 'buy' ? PRICE - away : PRICE + away) * 10 ** priceDecimals,
    size: (1 + (turn % 9)) * 10 ** (sizeDecimals - 3),
    clientId: `bench-${turn}`,
  });
  count(outcome);
}

/** The oldest order. */
async function cancel(): Promise<void> {
  const { outcome } = await submit(engine, {
    kind: 'cancel-order',
    user,
    symbol,
    clientId: `bench-${++cancelled}`,
  });
  count(outcome);
}

function count(outcome: Outcome): void {
  if (outcome.kind === 'rejected') throw new Error(`the bench was refused: ${outcome.rejection.code}`);
  changes++;
}

for (let at = 0; at < 2 * LEVELS; at++) await place();
let owed = 0;
const timer = setInterval(() => {
  owed += (updatesPerSecond * TICK_MS) / 1000;
  const pairs = Math.floor(owed / 2);
  owed -= 2 * pairs;
  for (let at = 0; at < pairs; at++) {
    void place();
    void cancel();
  }
}, TICK_MS);

process.on('message', () => process.send!({ changes }));
process.on('SIGTERM', () => {
  clearInterval(timer);
  void exchange.close().then(() => {
    rmSync(dir, { recursive: true, force: true });
    process.exit(0);
  });
});
process.send!({ url: connection.baseUrl });
