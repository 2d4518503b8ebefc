/** Random orders around a price, in bursts of which each becomes one record or a few. */

import assert from 'node:assert/strict';
import type { Command, SymbolSet } from '@bourse/core';
import type { Services } from '../../../src/gateway/services.ts';
import { unitsOf } from './book-copy.ts';
import { submit } from '@bourse/test-kit/submit.ts';

/** Where a market's orders are, and how far from its middle; more ticks make deeper books. */
interface Ground {
  readonly code: string;
  readonly middle: string;
  readonly tick: string;
  readonly ticks: number;
  readonly size: string;
}

export const GROUNDS: readonly Ground[] = [
  { code: 'BTC-USDT', middle: '1000', tick: '0.1', ticks: 200, size: '0.0001' },
  { code: 'ETH-USDT', middle: '1000', tick: '1', ticks: 20, size: '0.001' },
  { code: 'ETH-BTC', middle: '0.05', tick: '0.0001', ticks: 30, size: '0.001' },
];
const BURST_MAX = 40;
/** One in this many commands is sent by the last user. */
const WATCHED_ONE_IN = 24;
/** One in this many commands cancels all orders of a user in a market. */
const CANCEL_ONE_IN = 120;
/** One in this many commands of the last user is a deposit. */
const DEPOSIT_ONE_IN = 20;
/** One in this many limit orders crosses the mid price and trades. */
const CROSS_ONE_IN = 10;

export class Flow {
  commands = 0;
  #deposits = 0;
  readonly #services: Services;
  readonly #users: readonly number[];
  readonly #markets: readonly {
    terms: SymbolSet;
    middle: number;
    tick: number;
    ticks: number;
    size: number;
  }[];
  #state: number;

  /** The last of the users places few orders. */
  constructor(services: Services, seed: number, users: readonly number[]) {
    this.#services = services;
    this.#state = seed >>> 0;
    this.#users = users;
    this.#markets = GROUNDS.map(({ code, middle, tick, ticks, size }) => {
      const terms = services.catalogue.symbol(code)!;
      const price = (text: string) => unitsOf(text, terms.priceDecimals);
      return {
        terms,
        middle: price(middle),
        tick: price(tick),
        ticks,
        size: unitsOf(size, terms.sizeDecimals),
      };
    });
  }

  /** Mostly a few, now and then many. Resolves when all are answered. */
  async burst(): Promise<void> {
    const count = 1 + this.below(this.below(16) === 0 ? BURST_MAX : 2);
    const answers: Promise<{ outcome: { kind: string } }>[] = [];
    for (let i = 0; i < count; i++) answers.push(submit(this.#services.port, this.#command()));
    this.commands += count;
    const outcomes = await Promise.all(answers);
    assert.ok(
      outcomes.some(({ outcome }) => outcome.kind !== 'rejected') || count < 5,
      'everything is refused',
    );
  }

  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }

  #command(): Command {
    const isWatched = this.below(WATCHED_ONE_IN) === 0;
    const user = isWatched
      ? this.#users[this.#users.length - 1]
      : this.#users[this.below(this.#users.length - 1)];
    if (isWatched && this.below(DEPOSIT_ONE_IN) === 0) return this.#deposit(user);
    const market = this.#markets[this.below(this.#markets.length)];
    const { symbol } = market.terms;
    if (this.below(CANCEL_ONE_IN) === 0) return { kind: 'cancel-orders', user, symbol };
    const side = this.below(2) === 0 ? 'buy' : 'sell';
    const size = (1 + this.below(50)) * market.size;
    const kind = this.below(30);
    if (kind === 0) return { kind: 'place-order', user, symbol, type: 'market', side, size };
    if (kind === 1) {
      const funds = BigInt(market.middle) * BigInt(size);
      return { kind: 'place-order', user, symbol, type: 'market', side, funds };
    }
    const away = this.below(market.ticks) * market.tick * (this.below(CROSS_ONE_IN) === 0 ? -1 : 1);
    const price = market.middle + (side === 'buy' ? -away : away);
    const order = { user, symbol, type: 'limit', side, price, size } as const;
    if (kind === 2 || kind === 3) {
      const stop = this.below(2) === 0 ? 'loss' : 'entry';
      return {
        kind: 'place-stop-order',
        ...order,
        stop,
        stopPrice: market.middle + (stop === 'loss' ? -away : away),
      };
    }
    const stp = this.below(2) === 0 ? 'DC' : 'CO';
    return { kind: 'place-order', ...order, stp, ...this.#shape(size) };
  }

  #deposit(user: number): Command {
    const { number, scale, chains } = this.#services.catalogue.currency('USDT')!;
    const amount = BigInt(1 + this.below(1000)) * 10n ** BigInt(scale);
    const txId = `tx-${this.#deposits++}`;
    const { chainId: chain } = chains[0];
    const where = { user, currency: number, chain };
    return { kind: 'report-deposit', ...where, amount, txId, travelRule: false, by: 'operator' };
  }

  #shape(size: number): object {
    const kind = this.below(6);
    if (kind === 0) return { postOnly: true };
    if (kind === 1) return { hidden: true };
    return kind === 2 ? { iceberg: true, visibleSize: Math.ceil(size / 10) } : {};
  }
}
