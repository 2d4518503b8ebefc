/** A small exchange for tests: one market, three users with money, and shorthands for commands and queries. */

import assert from 'node:assert/strict';
import type { Command, OrderRequest } from '../../packages/core/src/commands/commands.ts';
import type { Event } from '../../packages/core/src/events/events.ts';
import { RULES_VERSION } from '../../packages/core/src/rules-version.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { NaiveExchange } from './exchange.ts';

export const [ann, bob, cat] = [0, 1, 2];
export const [BTC, USDT] = [0, 1];

export const symbolTerms = {
  name: 'BTC-USDT',
  market: 'USDS',
  baseMinSize: '0.01',
  baseMaxSize: '1000',
  quoteMinSize: '0.1',
  quoteMaxSize: '1000000',
  quoteIncrement: '0.01',
  priceIncrement: '0.1',
  priceLimitRate: '0.1',
  minFunds: '0.001',
  isMarginEnabled: false,
  enableTrading: true,
};
/**
 * 1 USDT as a price. Sizes count in 0.01 BTC and prices in 0.0001 USDT, so 100 at 100 * P is 1 BTC at 100 USDT,
 * which is 100_000000 of the quote's units.
 */
export const P = 10_000;

const chain = {
  chainId: 'main',
  chainName: 'Main',
  depositMinSize: null,
  depositFeeRate: '',
  withdrawalMinSize: '1',
  withdrawalMinFee: '0.5',
  withdrawFeeRate: '0.01',
  withdrawMaxFee: '2',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 1,
  preConfirms: 1,
  contractAddress: '',
};

export class World {
  readonly exchange = new NaiveExchange();
  events: Event[] = [];
  time = 1_000_000;
  #seq = 0;
  #names = 0;

  constructor() {
    const currency = {
      kind: 'add-currency',
      fullName: 'A currency',
      confirms: null,
      contractAddress: null,
      isMarginEnabled: false,
      isDebitEnabled: false,
      chains: [chain],
    } as const;
    this.run({ ...currency, code: 'BTC', name: 'BTC', precision: 8, scale: 8 });
    this.run({ ...currency, code: 'USDT', name: 'USDT', precision: 2, scale: 6 });
    this.addSymbol('BTC-USDT');
    for (const name of ['ann', 'bob', 'cat']) {
      this.run({ kind: 'add-user', name });
    }
    for (const user of [ann, bob, cat]) {
      this.fund(user, BTC, 100_00000000n);
      this.fund(user, USDT, 10_000_000000n);
    }
  }

  addSymbol(code: string): void {
    this.run({
      kind: 'add-symbol',
      code,
      base: BTC,
      quote: USDT,
      baseIncrement: '0.01',
      ...symbolTerms,
    });
  }

  run(command: Command): Outcome {
    this.#seq += 1;
    const { outcomes, events } = this.exchange.apply({
      seq: this.#seq,
      rules: RULES_VERSION,
      time: this.time,
      commands: [command],
    });
    this.events = events;
    for (const currency of [BTC, USDT]) assert.equal(this.exchange.sum(currency), 0n);
    return outcomes[0]!;
  }

  pass(ms: number): Event[] {
    this.#seq += 1;
    this.time += ms;
    this.events = this.exchange.apply({
      seq: this.#seq,
      time: this.time,
      rules: RULES_VERSION,
      commands: [],
    }).events;
    return this.events;
  }

  fund(user: number, currency: number, amount: bigint): void {
    this.#names += 1;
    const clientId = `fund-${this.#names}`;
    this.run({
      kind: 'report-deposit',
      user,
      currency,
      chain: 'main',
      amount,
      txId: clientId,
      travelRule: false,
    });
    const move = { kind: 'transfer', type: 'internal', from: 'main', to: 'trade' } as const;
    this.run({ ...move, user, clientId, currency, amount });
  }

  limit(user: number, side: 'buy' | 'sell', size: number, price: number, more: Partial<OrderRequest> = {}) {
    return this.run({ kind: 'place-order', user, symbol: 0, type: 'limit', side, size, price, ...more });
  }

  market(user: number, side: 'buy' | 'sell', more: Partial<OrderRequest>): Outcome {
    return this.run({ kind: 'place-order', user, symbol: 0, type: 'market', side, ...more });
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  kinds(): string {
    const short = (event: Event): string => {
      if (event.kind === 'balance-changed') return `${event.cause}:${event.user}:${event.account}`;
      return event.kind === 'order-done' ? `done:${event.reason}` : event.kind;
    };
    return this.events.map(short).join(' ');
  }

  trades(): string {
    return this.of('trade')
      .map((trade) => `${trade.resting.order}x${trade.size}@${trade.price / P}`)
      .join(' ');
  }

  rejection(outcome: Outcome): string {
    assert.equal(outcome.kind, 'rejected');
    return outcome.kind === 'rejected' ? outcome.rejection.code : '';
  }

  idOf(outcome: Outcome): number {
    assert.equal(outcome.kind, 'order');
    return outcome.kind === 'order' ? outcome.order : 0;
  }
}
