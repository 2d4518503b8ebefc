/**
 * The public book order by order: only the trades of hidden orders, and only the visible slice of an iceberg.
 * Sequence numbers are the core's (`Book.messages`), so that they have no gap, are the same on every node,
 * and cost nothing without subscribers; the messages here must match the count there.
 */

import type { BookChanged, Event, Exchange, SymbolSet, Trade } from '@bourse/core';
import { formatMoney, formatSmall } from '../../gateway/decimals.ts';
import { orderId } from '../../gateway/ids.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';
import type { OrderFacts, RecordOrders } from './record-orders.ts';

export type Level3Kind = 'received' | 'open' | 'match' | 'change' | 'done';
type Publish = (kind: Level3Kind, members: string) => void;

const TOPIC = '/spotMarket/level3';

export class Level3Topic {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  /** Handles all events of a record, which `exchange` has just applied. */
  take(events: readonly Event[], orders: RecordOrders, exchange: Exchange): void {
    const channels = this.#channels;
    if (!channels.has(TOPIC)) return;
    const bySymbol = level3Messages(events, orders, {
      isWatched: (symbol) => channels.find(TOPIC, symbol) !== undefined,
      termsOf: (symbol) => this.#services.catalogue.symbolAt(symbol),
      fundsScaleOf: ({ quote }) => this.#services.catalogue.currencyAt(quote).scale,
    });
    for (const [symbol, messages] of bySymbol) {
      const channel = channels.find(TOPIC, symbol);
      const { code } = this.#services.catalogue.symbolAt(symbol);
      let sequence = exchange.level3.sequence(symbol) - messages.length;
      for (const [kind, members] of messages) {
        sequence += 1;
        const head = `{"type":"${kind}","symbol":"${code}","sequence":"${sequence}",`;
        channel?.push(`${head}${members},"ts":${orders.time}000000}`, kind);
      }
    }
  }
}

export interface Level3Terms {
  isWatched(symbol: number): boolean;
  termsOf(symbol: number): SymbolSet;
  fundsScaleOf(symbol: SymbolSet): number;
}

/** The messages of a record by symbol, each with its type and its own members as JSON. */
export function level3Messages(
  events: readonly Event[],
  orders: RecordOrders,
  terms: Level3Terms,
): Map<number, [Level3Kind, string][]> {
  const bySymbol = new Map<number, [Level3Kind, string][]>();
  const publishers = new Map<number, Level3Publisher>();
  for (const event of events) {
    if (!isPublic(event) || !terms.isWatched(event.symbol)) continue;
    let publisher = publishers.get(event.symbol);
    if (publisher === undefined) {
      const messages: [Level3Kind, string][] = [];
      bySymbol.set(event.symbol, messages);
      const symbol = terms.termsOf(event.symbol);
      publisher = new Level3Publisher(orders, symbol, terms.fundsScaleOf(symbol), (kind, members) =>
        messages.push([kind, members]),
      );
      publishers.set(event.symbol, publisher);
    }
    publisher.take(event);
  }
  return bySymbol;
}

type Level3Event = Extract<
  Event,
  { kind: 'order-received' | 'order-opened' | 'trade' | 'order-reduced' | 'order-done' | 'book-changed' }
>;
const KINDS: ReadonlySet<string> = new Set<Level3Event['kind']>([
  'order-received',
  'order-opened',
  'trade',
  'order-reduced',
  'order-done',
  'book-changed',
]);
const isPublic = (event: Event): event is Level3Event => KINDS.has(event.kind);

/**
 * One symbol during a record. Events name an order, book changes a level, so the visible size of an order is derived
 * from both: the book change follows an order that rests and a trade, and precedes a
 * reduction. A second change after a trade that increases the level again is the next slice of an iceberg.
 */
class Level3Publisher {
  readonly #orders: RecordOrders;
  readonly #symbol: SymbolSet;
  readonly #fundsScale: number;
  readonly #publish: Publish;
  /** The next book change belongs to the preceding event. */
  #isExpected = false;
  /** The latest trade, which its book change follows. */
  #trade: Trade | null = null;
  #traded: BookChanged | null = null;
  /** The latest book change belongs to the following event. */
  #isLoose = false;

  constructor(orders: RecordOrders, symbol: SymbolSet, fundsScale: number, publish: Publish) {
    this.#orders = orders;
    this.#symbol = symbol;
    this.#fundsScale = fundsScale;
    this.#publish = publish;
  }

  take(event: Level3Event): void {
    if (event.kind === 'book-changed') {
      this.#changed(event);
      return;
    }
    this.#trade = null;
    this.#traded = null;
    switch (event.kind) {
      case 'order-received':
        this.#received(this.#orders.facts(event.order));
        break;
      case 'order-opened': {
        const facts = this.#orders.facts(event.order);
        if (facts.hidden) break;
        this.#isExpected = true;
        this.#open(facts, facts.iceberg ? Math.min(facts.visibleSize, event.remaining) : event.remaining);
        break;
      }
      case 'trade':
        this.#matched(event);
        break;
      case 'order-reduced':
        if (this.#isLoose) this.#reduced(this.#orders.facts(event.order), event.remaining);
        break;
      case 'order-done': {
        const facts = this.#orders.facts(event.order);
        const reason = event.reason === 'filled' ? 'filled' : 'canceled';
        if (!facts.hidden) this.#publish('done', `${this.#of(facts)},"reason":"${reason}"`);
      }
    }
    this.#isLoose = false;
  }

  #changed(event: BookChanged): void {
    if (this.#isExpected) {
      this.#isExpected = false;
      if (this.#trade !== null) this.#traded = event;
      return;
    }
    const trade = this.#trade,
      traded = this.#traded;
    if (trade !== null && traded !== null && isSameLevel(event, traded) && event.size > traded.size) {
      this.#open(this.#orders.facts(trade.resting.order), event.size - traded.size);
      this.#trade = null;
      return;
    }
    this.#isLoose = true;
  }

  #received(facts: OrderFacts): void {
    if (facts.hidden) return;
    const { clientId, type, price, funds, size, iceberg, visibleSize } = facts;
    const { priceDecimals } = this.#symbol;
    const limit = type === 'limit' ? `,"price":"${formatSmall(price, priceDecimals)}"` : '';
    const amount =
      funds > 0n
        ? `"funds":"${formatMoney(funds, this.#fundsScale)}"`
        : `"size":"${this.#size(iceberg ? visibleSize : size)}"`;
    // A client id has only letters, digits, - and _.
    this.#publish(
      'received',
      `${this.#of(facts)},"clientOid":"${clientId}","orderType":"${type}"${limit},${amount}`,
    );
  }

  #open(facts: OrderFacts, size: number): void {
    const price = formatSmall(facts.price, this.#symbol.priceDecimals);
    this.#publish(
      'open',
      `${this.#of(facts)},"price":"${price}","size":"${this.#size(size)}","orderTime":${facts.createdAt}`,
    );
  }

  #matched(event: Trade): void {
    const resting = this.#orders.facts(event.resting.order);
    const incoming = this.#orders.facts(event.incoming.order);
    const isAuction = event.incoming.liquidity === event.resting.liquidity;
    if (!isAuction && !resting.hidden) {
      this.#isExpected = true;
      this.#trade = event;
    }
    // It traded more than its visible size: `match` subtracts the size, and the next slice is complete.
    if (isAuction && resting.iceberg) {
      this.#reduced(resting, event.size + shownOf(resting, event.resting.remaining));
    }
    const price = formatSmall(event.price, this.#symbol.priceDecimals);
    this.#publish(
      'match',
      `"makerOrderId":"${idOf(resting)}","takerOrderId":"${idOf(incoming)}","side":"${event.side}",` +
        `"price":"${price}","size":"${this.#size(event.size)}","tradeId":"${event.trade}"`,
    );
    // In an auction the later order rests too. If it is filled, it is done next.
    const { remaining } = event.incoming;
    if (isAuction && !incoming.hidden && remaining > 0) this.#reduced(incoming, shownOf(incoming, remaining));
  }

  #reduced(facts: OrderFacts, remaining: number): void {
    const price = formatSmall(facts.price, this.#symbol.priceDecimals);
    this.#publish('change', `${this.#of(facts)},"price":"${price}","newSize":"${this.#size(remaining)}"`);
  }

  #of(facts: OrderFacts): string {
    return `"orderId":"${idOf(facts)}","side":"${facts.side}"`;
  }

  #size(units: number): string {
    return formatSmall(units, this.#symbol.sizeDecimals);
  }
}

const idOf = ({ order, createdAt }: OrderFacts): string => orderId(order, createdAt);
const shownOf = ({ iceberg, visibleSize }: OrderFacts, remaining: number): number =>
  iceberg ? Math.min(visibleSize, remaining) : remaining;
const isSameLevel = (a: BookChanged, b: BookChanged): boolean => a.side === b.side && a.price === b.price;
