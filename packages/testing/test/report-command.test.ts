/** `bourse report` as a process, about the maker bot of the examples: the figures are the ledger's, to the last unit. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatUnits, parseDecimal, toUnits } from '@bourse/core';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { startExchange } from '@bourse/testing';
import { EVERY_MS, Maker } from '../../../examples/maker-bot.ts';

const BIN = fileURLToPath(new URL('../../bourse/bin/bourse.mjs', import.meta.url));
const SYMBOL = 'BTC-USDT';
const ROUNDS = ofSize(30, 450);
/** More decimals than any amount has. */
const SCALE = 30;

const exchange = await startExchange({ clock: 'manual', seed: 11, market: 'calm' });
after(() => exchange.stop());
const alice = exchange.client('alice');

const units = (text: string): bigint =>
  text.startsWith('-') ? -units(text.slice(1)) : toUnits(parseDecimal(text)!, SCALE)!;
const sum = (...texts: readonly string[]): string =>
  formatUnits(
    texts.reduce((total, text) => total + units(text), 0n),
    SCALE,
  );
const plain = (text: string): string => sum(text);

async function report(...args: readonly string[]): Promise<string> {
  const { baseUrl, operatorToken } = exchange.connection;
  const env = { ...process.env, BOURSE_URL: baseUrl, BOURSE_OPERATOR_TOKEN: operatorToken };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [BIN, 'report', '--user', 'alice', ...args],
    { env },
  );
  return stdout;
}

async function balances(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { currency, balance } of await alice.accounts()) {
    found.set(currency, sum(found.get(currency) ?? '0', balance));
  }
  return found;
}

/** The bot, and two market orders, so that something is traded however quiet the minutes are. */
async function trade(): Promise<void> {
  const maker = new Maker();
  const take = (side: 'buy' | 'sell') =>
    alice.placeOrder({ symbol: SYMBOL, type: 'market', side, size: '0.01' });
  await take('buy');
  for (let round = 0; round < ROUNDS; round++) {
    const { bestBid, bestAsk } = await alice.ticker(SYMBOL);
    await alice.cancelOrders(SYMBOL);
    const quotes = maker.quotes(Number(bestBid), Number(bestAsk), 0);
    await alice.placeOrders(
      quotes.map((quote) => ({ symbol: SYMBOL, type: 'limit', postOnly: true, ...quote })),
    );
    await exchange.clock.advance(EVERY_MS);
  }
  await take('sell');
}

test('bourse report prints the PnL of the ledger, as JSON and as a table', async (context) => {
  const { time: from } = await exchange.clock.advance(1000);
  const before = await balances();
  await trade();
  const text = await report('--from', String(from), '--json');
  const { pnl, inventory, orders, fills } = JSON.parse(text) as Awaited<ReturnType<typeof exchange.report>>;
  context.diagnostic(`${orders.placed} orders, ${fills.count} fills, PnL ${pnl.total}`);
  assert.ok(orders.placed >= 2 * ROUNDS && fills.taker >= 2, text);

  const held = await balances();
  for (const { currency, start, end, moved, traded, fees } of inventory) {
    assert.equal(plain(start), before.get(currency) ?? '0', `${currency} at the beginning`);
    assert.equal(plain(end), held.get(currency) ?? '0', `${currency} at the end`);
    assert.equal(sum(start, moved, traded, `-${fees}`), plain(end), currency);
  }
  assert.ok(inventory.length >= 2);
  assert.equal(sum(pnl.worthAtEnd, `-${pnl.worthAtStart}`, `-${pnl.moved}`), plain(pnl.total));
  assert.equal(sum(pnl.realised, pnl.unrealised, `-${pnl.fees}`), plain(pnl.total));
  assert.equal(sum(pnl.trading, pnl.holding), plain(pnl.total));

  const table = await report('--from', String(from));
  assert.match(table, /^alice, 20\d\d-.* worths in USDT$/m);
  assert.ok(table.includes(`${pnl.total} = ${pnl.realised} + ${pnl.unrealised} - ${pnl.fees}`), table);
  assert.match(table, new RegExp(`orders placed +${orders.placed}`));
  await assert.rejects(report('--currency', 'NONE'), /NONE/);
});
