/** The events that expectations and assertions match: one object per event, with names and decimals. */

import {
  type Catalogue,
  formatMoney,
  formatSmall,
  orderId,
  type OrderProgress,
  RecordOrders,
} from '@bourse/api';
import type { BalanceChanged, Event, Exchange, Fill, OrderDone, SymbolSet, Trade } from '@bourse/core';
import type { Published } from '@bourse/engine';

export type EventKind = 'order' | 'fill' | 'trade' | 'balance' | 'request';

export interface WatchedEvent {
  readonly kind: EventKind;
  readonly seq: number;
  readonly time: number;
  readonly [field: string]: unknown;
}

interface WatchedRecord {
  readonly seq: number;
  /** Approximate number of its events. */
  readonly size: number;
  /** Creates the events; later calls return the same ones. */
  read(): readonly WatchedEvent[];
}

const names = (text: string): readonly string[] => [...text.split(' '), 'seq', 'time'];

/** The fields that can be compared. */
export const EVENT_FIELDS: Readonly<Record<EventKind, readonly string[]>> = {
  order: names('user symbol orderId clientOid side type status change reason price size dealSize remainSize'),
  fill: names('user symbol orderId clientOid side liquidity price size fee tradeId'),
  trade: names('symbol price size side tradeId'),
  balance: names('user account currency available hold change cause availableChange holdChange'),
  request: names(
    'id wallTime user apiKey dialect transport route method path query body status code answer durationUs fault ' +
      'symbol clientOid',
  ),
};

export class EventWatcher {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * A published record, with the state that its events need. Creating events takes longer than applying the
   * record, and usually nobody reads them, so they are created on demand from the values captured here.
   */
  watch(published: Published, exchange: Exchange): WatchedRecord {
    const orders = new RecordOrders(published, exchange);
    const size = orders.keep();
    return { seq: published.seq, size, read: () => this.#read(published.events, orders) };
  }

  #read(events: readonly Event[], orders: RecordOrders): WatchedEvent[] {
    const found: WatchedEvent[] = [];
    for (const event of events) {
      switch (event.kind) {
        case 'order-received': {
          orders.receive(event);
          found.push(this.#order(orders, event.order, 'received', event.size));
          break;
        }
        case 'order-opened':
          found.push(this.#order(orders, event.order, 'open', event.remaining));
          break;
        case 'trade':
          found.push(this.#trade(event, orders));
          for (const fill of [event.incoming, event.resting]) found.push(...this.#fill(event, fill, orders));
          break;
        case 'order-reduced':
          orders.progressOf(event.order).reduced += event.by;
          found.push(this.#order(orders, event.order, 'update', event.remaining));
          break;
        case 'order-done':
          found.push(this.#done(event, orders));
          break;
        case 'balance-changed':
          if (event.user >= 0) found.push(this.#balance(event, orders));
          break;
        default:
      }
    }
    return found;
  }

  #order(orders: RecordOrders, order: number, change: string, remaining: number): WatchedEvent {
    return this.#orderEvent(orders, orders.progressOf(order), change, 'open', '', remaining);
  }

  #done(event: OrderDone, orders: RecordOrders): WatchedEvent {
    const change = event.reason === 'filled' ? 'filled' : 'canceled';
    return this.#orderEvent(orders, orders.progressOf(event.order), change, 'done', event.reason, 0);
  }

  #orderEvent(
    { seq, time }: RecordOrders,
    { facts, filled }: OrderProgress,
    change: string,
    status: string,
    reason: string,
    remaining: number,
  ): WatchedEvent {
    const { code, priceDecimals, sizeDecimals } = this.#symbol(facts.symbol);
    const size = (units: number) => formatSmall(units, sizeDecimals);
    return {
      kind: 'order',
      seq,
      time,
      user: this.#user(facts.user),
      symbol: code,
      orderId: orderId(facts.order, facts.createdAt),
      clientOid: facts.clientId,
      side: facts.side,
      type: facts.type,
      status,
      change,
      reason,
      price: formatSmall(facts.price, priceDecimals),
      size: size(facts.size),
      dealSize: size(filled),
      remainSize: size(remaining),
    };
  }

  #trade({ symbol, price, size, side, trade }: Trade, { seq, time }: RecordOrders): WatchedEvent {
    const { code, priceDecimals, sizeDecimals } = this.#symbol(symbol);
    return {
      kind: 'trade',
      seq,
      time,
      symbol: code,
      price: formatSmall(price, priceDecimals),
      size: formatSmall(size, sizeDecimals),
      side,
      tradeId: String(trade),
    };
  }

  #fill(trade: Trade, fill: Fill, orders: RecordOrders): WatchedEvent[] {
    const progress = orders.progressOf(fill.order);
    progress.filled += trade.size;
    const { code, quote, priceDecimals, sizeDecimals } = this.#symbol(trade.symbol);
    const { facts } = progress;
    const { seq, time } = orders;
    return [
      {
        kind: 'fill',
        seq,
        time,
        user: this.#user(fill.user),
        symbol: code,
        orderId: orderId(fill.order, facts.createdAt),
        clientOid: facts.clientId,
        side: facts.side,
        liquidity: fill.liquidity,
        price: formatSmall(trade.price, priceDecimals),
        size: formatSmall(trade.size, sizeDecimals),
        fee: formatMoney(fill.fee, this.#catalogue.currencyAt(quote).scale),
        tradeId: String(trade.trade),
      },
      this.#orderEvent(orders, progress, 'match', 'open', '', fill.remaining),
    ];
  }

  #balance(event: BalanceChanged, { seq, time }: RecordOrders): WatchedEvent {
    const { code, scale } = this.#catalogue.currencyAt(event.currency);
    const money = (units: bigint) => formatMoney(units, scale);
    return {
      kind: 'balance',
      seq,
      time,
      user: this.#user(event.user),
      account: event.account,
      currency: code,
      available: money(event.available),
      hold: money(event.hold),
      change: money(event.availableChange + event.holdChange),
      cause: event.cause,
      availableChange: money(event.availableChange),
      holdChange: money(event.holdChange),
    };
  }

  #symbol(number: number): SymbolSet {
    return this.#catalogue.symbolAt(number);
  }

  #user(number: number): string {
    return this.#catalogue.user(number)?.name ?? String(number);
  }
}

interface Listener {
  readonly onEvent: (event: WatchedEvent) => void;
  readonly onRecordEnd: () => void;
}

const EVENTS_KEPT = 50_000;
/** Events scanned without yielding, about two milliseconds. */
const PIECE_EVENTS = 500;

interface Entry extends Pick<WatchedRecord, 'seq' | 'size'> {
  read: WatchedRecord['read'];
}

/**
 * The latest events: expectations search those after a given record, and listeners get each new one. The events of a
 * record are created on demand.
 */
export class EventLog {
  #entries: Entry[] = [];
  #size = 0;
  /** Number of entries dropped so far. Positions count from the very first entry. */
  #gone = 0;
  /** Events up to this record may be gone. */
  #goneThrough = 0;
  readonly #listeners = new Set<Listener>();

  /** All events after this record are still kept. */
  get goneThrough(): number {
    return this.#goneThrough;
  }

  /** The world is reset to this record: drops later events. */
  begin(seq: number): void {
    this.#gone += this.#entries.length;
    this.#entries = [];
    this.#size = 0;
    this.#goneThrough = seq;
  }

  /** A large event counts as several, which bounds the bytes too. */
  add(event: WatchedEvent, size = 1): void {
    this.addRecord({ seq: event.seq, size, read: () => [event] });
  }

  addRecord({ seq, size, read }: WatchedRecord): void {
    const entry: Entry = { seq, size, read };
    this.#entries.push(entry);
    this.#size += size;
    if (this.#size >= 2 * EVENTS_KEPT) this.#cut();
    if (this.#listeners.size === 0) return;
    for (const event of eventsOf(entry)) for (const { onEvent } of this.#listeners) onEvent(event);
    for (const { onRecordEnd } of this.#listeners) onRecordEnd();
  }

  /** Drops the oldest entries, but never the newest, which an immediate query must find. */
  #cut(): void {
    let count = 0;
    while (this.#size > EVENTS_KEPT && count < this.#entries.length - 1) {
      this.#size -= this.#entries[count].size;
      this.#goneThrough = this.#entries[count++].seq;
    }
    this.#entries.splice(0, count);
    this.#gone += count;
  }

  /** The position of the first entry after this record. */
  placeAfter(seq: number): number {
    // From the end: most queries are about recent events.
    let from = this.#entries.length;
    while (from > 0 && this.#entries[from - 1].seq > seq) from--;
    return this.#gone + from;
  }

  /** Some events from this position on, and the position after them; null if there are none. */
  pieceAt(place: number): { readonly events: readonly WatchedEvent[]; readonly next: number } | null {
    const events: WatchedEvent[] = [];
    let at = Math.max(place - this.#gone, 0);
    if (at >= this.#entries.length) return null;
    while (at < this.#entries.length && events.length < PIECE_EVENTS) {
      for (const event of eventsOf(this.#entries[at++])) events.push(event);
    }
    return { events, next: this.#gone + at };
  }

  /** `onRecordEnd` is called after the last event of each record. The returned function unsubscribes. */
  subscribe(onEvent: Listener['onEvent'], onRecordEnd: () => void = () => undefined): () => void {
    const listener: Listener = { onEvent, onRecordEnd };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** Caches the decoded events: they are often read again. */
function eventsOf(entry: Entry): readonly WatchedEvent[] {
  const events = entry.read();
  entry.read = () => events;
  return events;
}
