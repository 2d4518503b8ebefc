/**
 * The flow's knowledge of the exchange, from events only. It need not be exact (the checkers keep their own books); it lets
 * the next command meet an order, an amount or an instant.
 */

import type {
  AccountType,
  Chain,
  DepositSet,
  Event,
  MarketState,
  OrderReceived,
  QuestionnaireSet,
  Side,
  SymbolSet,
  WithdrawalSet,
} from '@bourse/core';
import { type MarketPlan, toUnits } from './world.ts';

export interface KnownUser {
  readonly user: number;
  /** -1 for a master. */
  readonly parent: number;
  readonly name: string;
  frozen: boolean;
  closed: boolean;
}

export interface KnownCurrency {
  readonly currency: number;
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
  /** Units between two amounts that may move in or out. */
  readonly step: bigint;
  readonly chains: readonly Chain[];
  readonly removed?: true;
}

export interface KnownOrder {
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly price: number;
  readonly clientId: string;
  readonly createdAt: number;
  remaining: number;
  dealSize: number;
}

export interface KnownMarket {
  readonly symbol: number;
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly quoteScale: number;
  readonly increment: number;
  /** Base units of one unit of size. */
  readonly sizeFactor: bigint;
  readonly plan: MarketPlan;
  terms: SymbolSet;
  tick: number;
  minSize: number;
  maxSize: number;
  quoteStep: bigint;
  state: MarketState;
  last: number;
  readonly orders: KnownOrder[];
  removed?: true;
}

export interface KnownStop {
  readonly stopOrder: number;
  readonly user: number;
  readonly symbol: number;
  readonly clientId: string;
}

export interface KnownOco {
  readonly oco: number;
  readonly user: number;
  readonly symbol: number;
  readonly clientId: string;
}

/** Old objects (closed, done, used before) stay worth naming, but not forever. */
const MEMORY_MAX = 40;

export class Model {
  time: number;
  readonly users: KnownUser[] = [];
  /** By number, including removed ones. */
  readonly currencies: KnownCurrency[] = [];
  readonly markets: KnownMarket[] = [];
  readonly keys: string[] = [];
  readonly stops: KnownStop[] = [];
  readonly ocos: KnownOco[] = [];
  readonly waitingDeposits: { readonly user: number; readonly travelRuleId: number }[] = [];
  readonly depositSets: DepositSet[] = [];
  readonly corrections: number[] = [];
  /** An estimate: some additions may have been rejected. */
  addressRules = 0;
  readonly questionnaires: QuestionnaireSet[] = [];
  readonly withdrawals: WithdrawalSet[] = [];
  readonly clientIds: { readonly user: number; readonly symbol: number; readonly clientId: string }[] = [];
  /** Ids of completed objects, or of another kind than required. */
  readonly oldIds: number[] = [];
  /** Instants at which something falls due, for records that arrive exactly then. */
  readonly instants: number[] = [];
  lookupWindowMs = 259_200_000;
  isPaused = false;
  readonly scheduled: number[] = [];
  readonly #orders = new Map<number, KnownOrder>();
  readonly #available = new Map<number, bigint>();
  readonly #plans: ReadonlyMap<string, MarketPlan>;

  constructor(plans: ReadonlyMap<string, MarketPlan>, time: number) {
    this.#plans = plans;
    this.time = time;
  }

  get listedCurrencies(): readonly KnownCurrency[] {
    return this.currencies.filter(({ removed }) => !removed);
  }

  get listedMarkets(): readonly KnownMarket[] {
    return this.markets.filter(({ removed }) => !removed);
  }

  available(user: number, account: AccountType, currency: number): bigint {
    return this.#available.get(balanceKey(user, account, currency)) ?? 0n;
  }

  observe(events: readonly Event[]): void {
    for (const event of events) this.#see(event);
  }

  #see(event: Event): void {
    switch (event.kind) {
      case 'balance-changed':
        if (event.user >= 0) {
          const key = balanceKey(event.user, event.account as AccountType, event.currency);
          this.#available.set(key, event.available);
        }
        break;
      case 'order-received':
        this.#received(event);
        break;
      case 'trade': {
        (this.markets[event.symbol] as KnownMarket).last = event.price;
        for (const fill of [event.incoming, event.resting]) {
          const order = this.#orders.get(fill.order);
          if (order === undefined) continue;
          order.remaining = fill.remaining;
          order.dealSize += event.size;
        }
        break;
      }
      case 'order-reduced': {
        const order = this.#orders.get(event.order);
        if (order !== undefined) order.remaining = event.remaining;
        break;
      }
      case 'order-done':
        this.#done(event.order, event.symbol);
        break;
      case 'symbol-set':
        this.#symbolSet(event);
        break;
      case 'auction-set':
        remember(this.instants, event.endsAt);
        break;
      case 'schedule-changed': {
        if (event.what === 'scheduled') remember(this.scheduled, event.entry);
        else if (this.scheduled.includes(event.entry)) {
          this.scheduled.splice(this.scheduled.indexOf(event.entry), 1);
        }
        break;
      }
      case 'pause-set':
        this.isPaused = event.isPaused;
        break;
      case 'currency-set':
        this.currencies[event.currency] = { ...event, step: 10n ** BigInt(event.scale - event.precision) };
        break;
      case 'currency-removed':
        this.currencies[event.currency] = {
          ...(this.currencies[event.currency] as KnownCurrency),
          removed: true,
        };
        break;
      case 'symbol-removed':
        (this.markets[event.symbol] as KnownMarket).removed = true;
        break;
      case 'user-added':
        this.users.push({ ...event, frozen: false, closed: false });
        break;
      case 'user-changed':
        Object.assign(this.users[event.user] as KnownUser, {
          frozen: event.frozen,
          closed: event.closed ?? false,
        });
        break;
      case 'key-set':
        if (!this.keys.includes(event.key)) this.keys.push(event.key);
        break;
      case 'limits-set':
        this.lookupWindowMs = event.lookupWindowMs;
        break;
      case 'deposit-set':
        if (event.travelRuleId !== 0) remember(this.waitingDeposits, event);
        replace(this.depositSets, event, (other) => other.deposit === event.deposit);
        break;
      case 'correction-made':
        remember(this.corrections, event.correction);
        break;
      case 'questionnaire-set':
        replace(this.questionnaires, event, (other) => other.questionnaire === event.questionnaire);
        break;
      case 'withdrawal-set':
        replace(this.withdrawals, event, (other) => other.withdrawal === event.withdrawal);
        break;
      case 'switch-set':
        if (event.triggerAt > 0) remember(this.instants, event.triggerAt);
        break;
      case 'stop-placed':
        this.stops.push(event);
        if (event.clientId !== '') remember(this.clientIds, event);
        break;
      case 'oco-placed':
        this.ocos.push(event);
        if (event.clientId !== '') remember(this.clientIds, event);
        break;
      case 'oco-done': {
        const index = this.ocos.findIndex((known) => known.oco === event.oco);
        if (this.ocos[index]?.clientId) remember(this.instants, this.time + this.lookupWindowMs);
        this.ocos.splice(index, 1);
        remember(this.oldIds, event.oco);
        break;
      }
      case 'stop-done': {
        const index = this.stops.findIndex((stop) => stop.stopOrder === event.stopOrder);
        if (index >= 0) this.stops.splice(index, 1);
        remember(this.oldIds, event.stopOrder);
        break;
      }
    }
  }

  #received(event: OrderReceived): void {
    const { order, user, symbol, side, price, clientId } = event;
    const known: KnownOrder = {
      order,
      user,
      symbol,
      side,
      price,
      clientId,
      createdAt: this.time,
      remaining: event.size,
      dealSize: 0,
    };
    this.#orders.set(order, known);
    (this.markets[symbol] as KnownMarket).orders.push(known);
    if (clientId !== '') remember(this.clientIds, known);
    if (event.cancelAfterSec > 0) remember(this.instants, this.time + event.cancelAfterSec * 1000);
  }

  #done(order: number, symbol: number): void {
    const orders = (this.markets[symbol] as KnownMarket).orders;
    const known = this.#orders.get(order);
    this.#orders.delete(order);
    if (known === undefined) return;
    orders.splice(orders.indexOf(known), 1);
    remember(this.oldIds, order);
    if (known.clientId !== '') remember(this.instants, this.time + this.lookupWindowMs);
  }

  #symbolSet(event: SymbolSet): void {
    const known = this.markets[event.symbol];
    const quoteScale = event.sizeDecimals + event.priceDecimals;
    const terms = {
      terms: event,
      tick: Number(toUnits(event.priceIncrement, event.priceDecimals)),
      minSize: Number(toUnits(event.baseMinSize, event.sizeDecimals)),
      maxSize: Number(toUnits(event.baseMaxSize, event.sizeDecimals)),
      quoteStep: toUnits(event.quoteIncrement, quoteScale),
      state: event.state,
    };
    if (known !== undefined) {
      Object.assign(known, terms);
      return;
    }
    const baseScale = (this.currencies[event.base] as KnownCurrency).scale;
    const increment = Number(toUnits(event.baseIncrement, event.sizeDecimals));
    const plan = this.#plans.get(event.code) ?? {
      center: terms.tick * 100,
      step: terms.tick,
      depth: 2,
      patience: 0.9,
      lot: increment,
    };
    this.markets.push({
      ...terms,
      symbol: event.symbol,
      code: event.code,
      base: event.base,
      quote: event.quote,
      sizeDecimals: event.sizeDecimals,
      priceDecimals: event.priceDecimals,
      quoteScale,
      increment,
      sizeFactor: 10n ** BigInt(baseScale - event.sizeDecimals),
      // A symbol broken on purpose may yet be valid, with another increment than was planned for.
      plan: { ...plan, lot: Math.max(1, Math.floor(plan.lot / increment)) * increment },
      last: 0,
      orders: [],
    });
  }
}

function balanceKey(user: number, account: AccountType, currency: number): number {
  return (user * 2 + (account === 'main' ? 0 : 1)) * 64 + currency;
}

export function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MEMORY_MAX) list.shift();
}

function replace<T>(list: T[], item: T, isSame: (other: T) => boolean): void {
  const index = list.findIndex(isSame);
  if (index >= 0) list[index] = item;
  else remember(list, item);
}
