/**
 * The exchange's state as a scenario sees it, built from events alone, and the invariants after every record: sums,
 * counters, holds and fees computed a second time.
 */

import type { Side } from '../../../src/commands/commands.ts';
import type {
  BalanceChanged,
  BookChanged,
  CurrencySet,
  Event,
  Fill,
  OrderDone,
  OrderReceived,
  SymbolSet,
  Trade,
} from '../../../src/events/events.ts';

const RATE = 100_000_000n;

export interface OrderState {
  readonly received: OrderReceived;
  state: 'received' | 'open' | 'done';
  reason: string;
  dealSize: number;
  dealFunds: bigint;
  fee: bigint;
  cancelledSize: number;
  cancelledFunds: bigint;
  /** Sum of rate times funds over the fills, before rounding. */
  exactFee: bigint;
  held: bigint;
}

interface Balance {
  available: bigint;
  hold: bigint;
}

interface Book {
  sequence: number;
  trades: number;
  readonly buy: Map<number, number>;
  readonly sell: Map<number, number>;
}

export class State {
  seq = 0;
  time = 1_700_000_000_000;
  readonly users: string[] = [];
  readonly currencies: CurrencySet[] = [];
  readonly symbols: SymbolSet[] = [];
  readonly orders = new Map<number, OrderState>();
  readonly balances = new Map<string, Balance>();
  readonly books: Book[] = [];
  /** The latest event of everything that has one: `withdrawal 17`, `limits`, `fees -1 -1`. */
  readonly latest = new Map<string, Event>();
  readonly labels = new Map<string, number>();
  readonly names = new Map<number, string>();
  readonly #touched = new Set<OrderState>();

  name(id: number, label: string): void {
    if (this.labels.has(label)) throw new Error(`label ${label} is taken`);
    this.labels.set(label, id);
    this.names.set(id, label);
  }

  balance(user: number, account: string, currency: number): Balance {
    const key = `${user} ${account} ${currency}`;
    let balance = this.balances.get(key);
    if (balance === undefined) this.balances.set(key, (balance = { available: 0n, hold: 0n }));
    return balance;
  }

  /** Levels of one side, best first. */
  depth(symbol: number, side: Side): { price: number; size: number }[] {
    const levels = [...this.books[symbol]![side]].map(([price, size]) => ({ price, size }));
    return levels.toSorted((a, b) => (side === 'buy' ? b.price - a.price : a.price - b.price));
  }

  see(events: readonly Event[]): void {
    this.#touched.clear();
    for (const event of events) this.#seeOne(event);
    this.#checkSums();
    for (const order of this.#touched) if (order.state !== 'done') this.#checkHold(order);
  }

  #seeOne(event: Event): void {
    switch (event.kind) {
      case 'order-received':
        return this.#received(event);
      case 'order-opened': {
        const order = this.#order(event.order);
        same('state of an opened order', order.state, 'received');
        same('remaining of an opened order', event.remaining, remaining(order));
        order.state = 'open';
        return undefined;
      }
      case 'trade':
        return this.#trade(event);
      case 'order-reduced': {
        const order = this.#order(event.order);
        order.cancelledSize += event.by;
        same('remaining of a reduced order', event.remaining, remaining(order));
        return undefined;
      }
      case 'order-done':
        return this.#done(event);
      case 'book-changed':
        return this.#book(event);
      case 'balance-changed':
        return this.#money(event);
      default:
        return this.#rare(event);
    }
  }

  #rare(event: Exclude<Event, { kind: `order-${string}` | 'trade' | `b${string}` }>): void {
    switch (event.kind) {
      case 'currency-set':
        this.currencies[event.currency] = event;
        this.latest.set(`currency ${event.currency}`, event);
        break;
      case 'symbol-set':
        this.symbols[event.symbol] = event;
        this.books[event.symbol] ??= { sequence: 0, trades: 0, buy: new Map(), sell: new Map() };
        this.latest.set(`symbol ${event.symbol}`, event);
        break;
      case 'currency-removed':
        this.currencies[event.currency] = {
          ...this.currencies[event.currency]!,
          code: `#${event.currency}`,
        };
        break;
      case 'symbol-removed':
        this.symbols[event.symbol] = { ...this.symbols[event.symbol]!, code: `#${event.symbol}` };
        break;
      case 'user-added':
        this.users[event.user] = event.name;
        this.latest.set(`user ${event.user}`, event);
        break;
      case 'user-changed':
        this.latest.set(`standing ${event.user}`, event);
        break;
      case 'address-set':
        this.latest.set(`address ${event.user} ${event.currency} ${event.chain}`, event);
        break;
      case 'deposit-set': {
        const label = this.names.get(event.deposit);
        const rule = event.travelRuleId;
        if (rule !== 0 && label !== undefined && !this.names.has(rule))
          this.name(rule, `${label}.travelRule`);
        this.latest.set(`deposit ${event.deposit}`, event);
        break;
      }
      case 'questionnaire-set':
        this.latest.set(`questionnaire ${event.questionnaire}`, event);
        break;
      case 'transfer-made':
        this.latest.set(`transfer ${event.transfer}`, event);
        break;
      case 'withdrawal-set':
        this.latest.set(`withdrawal ${event.withdrawal}`, event);
        break;
      case 'stop-placed':
        this.latest.set(`stop ${event.stopOrder}`, event);
        break;
      case 'oco-placed': {
        const label = this.names.get(event.oco);
        if (label !== undefined) {
          this.name(event.order, `${label}.limit`);
          this.name(event.stopOrder, `${label}.stop`);
        }
        this.latest.set(`oco ${event.oco}`, event);
        break;
      }
      case 'stop-done': {
        const label = this.names.get(event.stopOrder);
        if (event.order !== 0 && label !== undefined) this.name(event.order, `${label}.order`);
        break;
      }
      case 'key-set':
        this.latest.set(`key ${event.key}`, event);
        break;
      case 'key-removed':
        this.latest.delete(`key ${event.key}`);
        break;
      case 'limits-set':
        this.latest.set('limits', event);
        break;
      default:
        break;
    }
  }

  #order(id: number): OrderState {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`event of an unknown order ${id}`);
    this.#touched.add(order);
    return order;
  }

  #received(event: OrderReceived): void {
    this.orders.set(event.order, {
      received: event,
      state: 'received',
      reason: '',
      dealSize: 0,
      dealFunds: 0n,
      fee: 0n,
      cancelledSize: 0,
      cancelledFunds: 0n,
      exactFee: 0n,
      held: 0n,
    });
  }

  #trade(event: Trade): void {
    const book = this.books[event.symbol]!;
    same('trade number', event.trade, ++book.trades);
    same('funds of a trade', event.funds, BigInt(event.price) * BigInt(event.size));
    for (const fill of [event.incoming, event.resting]) this.#fill(fill, event);
  }

  #fill(fill: Fill, { size, funds }: Trade): void {
    const order = this.#order(fill.order);
    const { received } = order;
    same('user of a fill', fill.user, received.user);
    order.dealSize += size;
    order.dealFunds += funds;
    order.fee += fill.fee;
    order.exactFee += BigInt(fill.rate === 'maker' ? received.makerRate : received.takerRate) * funds;
    same('remaining of a fill', fill.remaining, received.size === 0 ? 0 : remaining(order));
    same('fee charged in all', order.fee, ceilRate(order.exactFee));
  }

  #done(event: OrderDone): void {
    const order = this.#order(event.order);
    if (order.state === 'done') throw new Error(`order ${event.order} is done a second time`);
    same('rested', event.rested, order.state === 'open');
    same('dealSize at the end', event.dealSize, order.dealSize);
    same('dealFunds at the end', event.dealFunds, order.dealFunds);
    same('fee at the end', event.fee, order.fee);
    if (order.received.size > 0) order.cancelledSize = order.received.size - order.dealSize;
    same('cancelledSize at the end', event.cancelledSize, order.cancelledSize);
    same('held at the end', order.held, 0n);
    order.state = 'done';
    order.reason = event.reason;
    order.cancelledFunds = event.cancelledFunds;
  }

  #book(event: BookChanged): void {
    const book = this.books[event.symbol]!;
    same('book sequence', event.sequence, ++book.sequence);
    if (event.size === 0) book[event.side].delete(event.price);
    else book[event.side].set(event.price, event.size);
  }

  #money(event: BalanceChanged): void {
    const balance = this.balance(event.user, event.account, event.currency);
    balance.available += event.availableChange;
    balance.hold += event.holdChange;
    same('available after a change', event.available, balance.available);
    same('hold after a change', event.hold, balance.hold);
    if (event.availableChange === 0n && event.holdChange === 0n)
      throw new Error('a balance change of nothing');
    if (balance.hold < 0n) throw new Error('a negative hold');
    if (event.user >= 0 && balance.available < 0n) throw new Error('a negative balance');
    if (event.order !== 0) this.#order(event.order).held += event.holdChange;
  }

  #checkSums(): void {
    const sums = new Map<string, bigint>();
    for (const [key, { available, hold }] of this.balances) {
      const currency = key.split(' ')[2]!;
      sums.set(currency, (sums.get(currency) ?? 0n) + available + hold);
    }
    for (const [currency, sum] of sums) same(`sum of currency ${currency}`, sum, 0n);
  }

  /** R6: while a limit order lives it holds exactly this. */
  #checkHold(order: OrderState): void {
    const { received } = order;
    if (order.state !== 'open') throw new Error(`order ${received.order} neither rests nor is done`);
    const left = remaining(order);
    if (received.side === 'sell') {
      const symbol = this.symbols[received.symbol]!;
      const unit = 10n ** BigInt(this.currencies[symbol.base]!.scale - symbol.sizeDecimals);
      same(`held by order ${received.order}`, order.held, BigInt(left) * unit);
      return;
    }
    const funds = BigInt(received.price) * BigInt(left);
    const slack = order.fee * RATE - order.exactFee;
    const fee = ceilRate(BigInt(received.takerRate) * funds - slack);
    same(`held by order ${received.order}`, order.held, funds + fee);
  }
}

export function remaining(order: OrderState): number {
  if (order.state === 'done' || order.received.size === 0) return 0;
  return order.received.size - order.dealSize - order.cancelledSize;
}

function ceilRate(value: bigint): bigint {
  return value <= 0n ? 0n : (value + RATE - 1n) / RATE;
}

function same<T>(what: string, actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`${what}: expected ${expected}, actual ${actual}`);
}
