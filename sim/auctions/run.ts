/**
 * npm run sim -- auctions [--books N] [--seed N]
 *
 * Random small books: the core's auctions are compared with the independent implementation in reference.ts.
 */

import { parseArgs } from 'node:util';
import type { Applied, Command, Outcome, Trade } from '@bourse/core';
import { Random } from '@bourse/test-kit/random.ts';
import { Exchange } from '../../packages/core/src/exchange.ts';
import { type AuctionPrice, findAuctionPrice } from '../../packages/core/src/matching/auction.ts';
import { RULES_VERSION } from '../../packages/core/src/rules-version.ts';
import { State } from '../../packages/core/src/state.ts';
import { OPEN_HASH_KEY } from '../../packages/core/src/tables/index-table.ts';
import { type CalledOrder, fillsOf, uncross, type Uncrossed } from './reference.ts';

const USERS = 12;
const CALL_MS = 1000;
const CHAIN = {
  chainId: 'c',
  chainName: 'c',
  depositMinSize: '0',
  depositFeeRate: '',
  withdrawalMinSize: '0',
  withdrawalMinFee: '0',
  withdrawFeeRate: '0',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 1,
  preConfirms: 1,
  contractAddress: '',
};

export interface AuctionReport {
  readonly books: number;
  readonly crossed: number;
  readonly trades: number;
  /** In how many auctions a low and a high reference give different prices. */
  readonly decidedByReference: number;
}

export function runAuctions(books: number, seed: number): AuctionReport {
  const random = new Random(seed);
  const venue = new Venue();
  let crossed = 0;
  let trades = 0;
  let decidedByReference = 0;
  for (let book = 0; book < books; book += 1) {
    const result = venue.tryBook(random);
    if (result.isCrossed) crossed += 1;
    trades += result.trades;
    if (result.isByReference) decidedByReference += 1;
  }
  return { books, crossed, trades, decidedByReference };
}

class Venue {
  readonly #state = new State(OPEN_HASH_KEY);
  readonly #exchange = new Exchange(OPEN_HASH_KEY, this.#state);
  #seq = 0;
  #time = 1_700_000_000_000;

  constructor() {
    for (const code of ['B', 'Q']) {
      this.#do({
        kind: 'add-currency',
        code,
        precision: 0,
        scale: 0,
        name: code,
        fullName: code,
        confirms: null,
        contractAddress: null,
        isMarginEnabled: false,
        isDebitEnabled: false,
        chains: [CHAIN],
      });
    }
    this.#do({
      kind: 'add-symbol',
      code: 'B-Q',
      base: 0,
      quote: 1,
      name: 'B-Q',
      market: 'Q',
      baseIncrement: '1',
      baseMinSize: '1',
      baseMaxSize: '1000000',
      quoteMinSize: '0',
      quoteMaxSize: '1000000000000',
      quoteIncrement: '1',
      priceIncrement: '1',
      priceLimitRate: '1000',
      minFunds: '0',
      isMarginEnabled: false,
      enableTrading: true,
    });
    this.#do({ kind: 'set-fees', maker: '0', taker: '0' });
    for (let user = 0; user < USERS; user += 1) {
      this.#do({ kind: 'add-user', name: `u${user}` });
      for (const currency of [0, 1]) {
        const amount = 10n ** 24n;
        this.#do({
          kind: 'report-deposit',
          user,
          currency,
          chain: 'c',
          amount,
          txId: `${user}-${currency}`,
          travelRule: false,
          isTestMoney: true,
        });
        this.#do({
          kind: 'transfer',
          user,
          type: 'internal',
          clientId: `${user}-${currency}`,
          currency,
          amount,
          from: 'main',
          to: 'trade',
        });
      }
    }
  }

  tryBook(random: Random): { isCrossed: boolean; trades: number; isByReference: boolean } {
    const increment = random.pick([1, 1, 1, 2, 5]);
    const base = random.range(1, 8) * 10;
    const width = random.pick([1, 2, 4, 8, 20]);
    this.#do({ kind: 'begin-auction', symbol: 0, endsInMs: CALL_MS, thenState: 'open' });
    const orders: CalledOrder[] = [];
    for (let left = random.range(0, random.pick([3, 6, USERS])); left > 0; left -= 1) {
      const side = random.pick(['buy', 'sell'] as const);
      const price = base + random.below(width);
      const size = random.range(1, random.pick([1, 3, 10]));
      const look = random.pick([{}, {}, { hidden: true }, { iceberg: true, visibleSize: size }]);
      // One order per user, so that no user's orders cross each other.
      const [outcome] = this.#try([
        { kind: 'place-order', user: orders.length, symbol: 0, type: 'limit', side, price, size, ...look },
      ]);
      if (outcome?.kind !== 'order') throw new Error(`an order came to ${JSON.stringify(outcome)}`);
      orders.push({ id: outcome.order, side, price, size });
    }
    this.#setIncrement(increment);
    const { book } = this.#state.instruments.all[0]!;
    for (const reference of [null, base, random.range(1, 200)]) {
      const expected = uncross(orders, increment, reference);
      const found = findAuctionPrice(book, increment, reference ?? 0);
      if (!isSame(found, expected)) {
        const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
        throw new Error(
          `${one} instead of ${other}, increment ${increment}, reference ${reference}: ${JSON.stringify(orders)}`,
        );
      }
    }
    const reference = book.lastPrice || null;
    const expected = uncross(orders, increment, reference);
    this.#time += CALL_MS;
    const trades = this.#apply([])
      .events.decode()
      .filter((event) => event.kind === 'trade');
    this.#compareTrades(trades, orders, increment, expected);
    // Remainders whose limits are off the increment may still cross, so empty the book before it reopens.
    this.#clear(orders);
    this.#setIncrement(1);
    const [low, high] = [uncross(orders, increment, 1), uncross(orders, increment, 1000)];
    return {
      isCrossed: expected !== null,
      trades: trades.length,
      isByReference: low?.price !== high?.price,
    };
  }

  #setIncrement(increment: number): void {
    if (this.#state.instruments.all[0]!.rules.priceIncrement === increment) return;
    this.#do({ kind: 'change-symbol', symbol: 0, priceIncrement: String(increment) });
  }

  #compareTrades(
    trades: readonly Trade[],
    orders: readonly CalledOrder[],
    increment: number,
    expected: Uncrossed | null,
  ): void {
    const fills = new Map<number, number>();
    for (const { price, size, incoming, resting } of trades) {
      if (price !== expected?.price) throw new Error(`a trade at ${price} instead of ${expected?.price}`);
      for (const { order } of [incoming, resting]) fills.set(order, (fills.get(order) ?? 0) + size);
    }
    const wanted = expected === null ? new Map<number, number>() : fillsOf(orders, increment, expected);
    const listed = (map: Map<number, number>) => JSON.stringify([...map].toSorted(([a], [b]) => a - b));
    if (listed(fills) !== listed(wanted)) {
      throw new Error(`fills ${listed(fills)} instead of ${listed(wanted)}: ${JSON.stringify(orders)}`);
    }
  }

  #clear(orders: readonly CalledOrder[]): void {
    if (this.#state.instruments.all[0]!.state === 'halted') {
      this.#do({ kind: 'set-market-state', symbol: 0, state: 'cancel-only' });
    }
    const cancels = orders.map((_, user): Command => ({ kind: 'cancel-orders', user, symbol: 0 }));
    this.#try(cancels);
  }

  #do(command: Command): void {
    const [outcome] = this.#try([command]);
    if (outcome?.kind === 'rejected') throw new Error(JSON.stringify({ command, outcome }));
  }

  #try(commands: readonly Command[]): Outcome[] {
    return this.#apply(commands).outcomes.decode();
  }

  #apply(commands: readonly Command[]): Applied {
    this.#seq += 1;
    return this.#exchange.apply({ seq: this.#seq, time: this.#time, rules: RULES_VERSION, commands });
  }
}

function isSame(found: AuctionPrice | null, expected: Uncrossed | null): boolean {
  if (found === null || expected === null) return found === expected;
  const surplus = found.side === 'sell' ? -found.imbalance : found.imbalance;
  return (
    found.price === expected.price &&
    found.size === expected.volume &&
    surplus === expected.surplus &&
    found.reference === expected.reference
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { books: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  });
  const began = process.hrtime.bigint();
  const report = runAuctions(Number(values.books), Number(values.seed));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(
    `seed ${values.seed}: ${report.books} books, ${report.crossed} crossed, ${report.trades} trades, ` +
      `${report.decidedByReference} in which the reference decides; no difference, ${seconds.toFixed(1)} s`,
  );
}
