/**
 * The order flow for the measurements: one symbol, a thousand accounts, half new limit orders, the rest cancels of
 * live orders and a few IOC orders that take. Deterministic: only 32-bit integer steps and + - * / floor, so the same
 * arguments give the same bytes anywhere.
 *
 * A command is 16 little-endian bytes: u8 kind (0 limit, 1 cancel, 2 IOC), u8 side (0 buy, 1 sell), u16 account, u32
 * order id, u32 price in ticks, u32 size in lots. The first `prefill` commands build the book and are not timed. A
 * simple matcher runs along, because cancels need live orders; its trades are the expected result.
 */

import type { CancelOrder, PlaceOrder } from '@bourse/core';
import { limitOrder } from './venue.ts';

export interface FlowOptions {
  readonly seed: number;
  readonly commands: number;
  readonly prefill: number;
  /** Maximum distance of limit orders from the mid, in ticks. */
  readonly width: number;
  /** How often the mid moves, and by how many ticks. */
  readonly walkProbability: number;
  readonly walkStep: number;
}

export const DEFAULT_FLOW: FlowOptions = {
  seed: 20240607,
  commands: 1_000_000,
  prefill: 10_000,
  width: 200,
  walkProbability: 0.02,
  walkStep: 1,
};

/** About 4,000 price levels instead of 250. */
export const WIDE_FLOW: FlowOptions = {
  ...DEFAULT_FLOW,
  seed: 7,
  width: 3000,
  walkProbability: 0.2,
  walkStep: 5,
};

export interface Expected {
  readonly trades: number;
  readonly volume: number;
  readonly notional: bigint;
  readonly live: number;
  readonly liveLots: number;
  /** FNV-1a over maker id, taker id, price and size of every trade. */
  readonly fnv: number;
}

export interface Flow {
  readonly bytes: Uint8Array;
  readonly prefill: number;
  readonly expected: Expected;
}

const COMMAND_BYTES = 16;
const LIMIT = 0;
const CANCEL = 1;
const IOC = 2;

const LIVE_TARGET = 10_000;
const ACCOUNTS = 1000;
const MIDDLE_START = 100_000;
const RECENT = 512;
const IOC_REACH = 10;

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Resting {
  readonly id: number;
  readonly side: number;
  readonly account: number;
  readonly price: number;
  size: number;
}

/** Price to queue; finds the best price by search: slow, but obviously correct. */
class PlainBook {
  readonly live = new Map<number, Resting>();
  /** Every live id once, to draw one at random; removal moves the last id into the gap. */
  readonly ids: number[] = [];
  trades = 0;
  volume = 0;
  notional = 0n;
  fnv = 0x811c9dc5;

  readonly #places = new Map<number, number>();
  readonly #queues: readonly [Map<number, Resting[]>, Map<number, Resting[]>] = [new Map(), new Map()];
  readonly #best: [number, number] = [0, Infinity];

  rest(order: Resting): void {
    const queues = this.#queues[order.side];
    const queue = queues.get(order.price);
    if (queue) queue.push(order);
    else queues.set(order.price, [order]);
    this.live.set(order.id, order);
    this.#places.set(order.id, this.ids.length);
    this.ids.push(order.id);
    const pick = order.side === 0 ? Math.max : Math.min;
    this.#best[order.side] = pick(this.#best[order.side], order.price);
  }

  cancel(order: Resting): void {
    const queue = this.#queues[order.side].get(order.price) ?? [];
    queue.splice(queue.indexOf(order), 1);
    if (queue.length === 0) this.#removeLevel(order.side, order.price);
    this.#drop(order.id);
  }

  take(taker: Resting): void {
    const side = 1 - taker.side;
    while (taker.size > 0) {
      const price = this.#best[side];
      const queue = this.#queues[side].get(price);
      if (!queue || (side === 1 ? price > taker.price : price < taker.price)) return;
      while (queue.length > 0 && taker.size > 0) this.#trade(queue, taker);
      if (queue.length === 0) this.#removeLevel(side, price);
    }
  }

  #trade(queue: Resting[], taker: Resting): void {
    const maker = queue[0];
    const size = Math.min(maker.size, taker.size);
    maker.size -= size;
    taker.size -= size;
    this.trades++;
    this.volume += size;
    this.notional += BigInt(size * maker.price);
    this.fnv = fnvOfTrade(this.fnv, maker.id, taker.id, maker.price, size);
    if (maker.size > 0) return;
    queue.shift();
    this.#drop(maker.id);
  }

  #removeLevel(side: number, price: number): void {
    const queues = this.#queues[side];
    queues.delete(price);
    if (this.#best[side] !== price) return;
    let best = side === 0 ? 0 : Infinity;
    for (const other of queues.keys()) best = side === 0 ? Math.max(best, other) : Math.min(best, other);
    this.#best[side] = best;
  }

  #drop(id: number): void {
    this.live.delete(id);
    const place = this.#places.get(id) as number;
    this.#places.delete(id);
    const last = this.ids.pop() as number;
    if (last === id) return;
    this.ids[place] = last;
    this.#places.set(last, place);
  }
}

/** Adds one trade to the checksum, 16 bits at a time. */
export function fnvOfTrade(fnv: number, maker: number, taker: number, price: number, size: number): number {
  let hash = fnv;
  for (const word of [maker, taker, price, size]) {
    hash = Math.imul(hash ^ (word & 0xffff), 16777619) >>> 0;
    hash = Math.imul(hash ^ (word >>> 16), 16777619) >>> 0;
  }
  return hash;
}

export function makeFlow(options: FlowOptions): Flow {
  const { commands, prefill, width, walkProbability, walkStep } = options;
  const random = randomOf(options.seed);
  const below = (end: number) => Math.floor(random() * end);
  const bytes = new Uint8Array((commands + prefill) * COMMAND_BYTES);
  const view = new DataView(bytes.buffer);
  const book = new PlainBook();
  const recent = new Uint32Array(RECENT);
  let recentCount = 0;
  let middle = MIDDLE_START;
  let nextId = 1;

  const write = (at: number, kind: number, order: Resting, size: number) => {
    view.setUint8(at, kind);
    view.setUint8(at + 1, order.side);
    view.setUint16(at + 2, order.account, true);
    view.setUint32(at + 4, order.id, true);
    view.setUint32(at + 8, order.price, true);
    view.setUint32(at + 12, size, true);
  };
  const drawLive = (): Resting => {
    let id = 0;
    if (random() < 0.5) id = recent[below(RECENT)];
    return book.live.get(id) ?? (book.live.get(book.ids[below(book.ids.length)]) as Resting);
  };

  for (let i = 0; i < commands + prefill; i++) {
    const at = i * COMMAND_BYTES;
    const isPrefill = i < prefill;
    if (!isPrefill && random() < walkProbability) middle += random() < 0.5 ? -walkStep : walkStep;
    const draw = random();
    const limitShare = 0.5 + (book.live.size < LIVE_TARGET ? 0.03 : -0.02);
    if (!isPrefill && draw >= limitShare && draw < 0.95) {
      const order = drawLive();
      book.cancel(order);
      write(at, CANCEL, order, 0);
      continue;
    }
    const isLimit = isPrefill || draw < limitShare;
    const side = below(2);
    const account = 1 + below(ACCOUNTS);
    const id = nextId++;
    const size = 1 + Math.floor(random() * random() * 100);
    const distance = isLimit ? 1 + Math.floor(width * random() * random()) : -IOC_REACH;
    const price = side === 0 ? middle - distance : middle + distance;
    const order = { id, side, account, price, size };
    write(at, isLimit ? LIMIT : IOC, order, size);
    book.take(order);
    if (!isLimit) continue;
    if (order.size > 0) book.rest(order);
    recent[recentCount++ % RECENT] = id;
  }
  let liveLots = 0;
  for (const order of book.live.values()) liveLots += order.size;
  const { trades, volume, notional, fnv } = book;
  return { bytes, prefill, expected: { trades, volume, notional, live: book.live.size, liveLots, fnv } };
}

// The flow as commands of the core and as calls of the rival; both are created outside the measured time.

export interface RivalOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
  readonly timeInForce: 'GTC' | 'IOC';
}

interface Entry {
  readonly kind: number;
  readonly side: number;
  readonly account: number;
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
}

/** A piece of a flow, as a range of command indexes. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

export const commandCount = ({ bytes }: Flow): number => bytes.length / COMMAND_BYTES;

/** Yields the flow's commands in small pieces: real callers send fresh commands, not a million prepared ones. */
export function* piecesOf(from: number, to: number): Generator<Piece> {
  for (let at = from; at < to; at += PIECE) yield { from: at, to: Math.min(at + PIECE, to) };
}

const PIECE = 1000;

function* entriesOf(flow: Flow, { from, to }: Piece): Generator<Entry> {
  const { bytes } = flow;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from * COMMAND_BYTES; at < to * COMMAND_BYTES; at += COMMAND_BYTES) {
    yield {
      kind: view.getUint8(at),
      side: view.getUint8(at + 1),
      account: view.getUint16(at + 2, true),
      id: view.getUint32(at + 4, true),
      ticks: view.getUint32(at + 8, true),
      lots: view.getUint32(at + 12, true),
    };
  }
}

/** The core's order ids follow those of the flow; `firstOrder` is the id of order 1. Account 0 is unused. */
export function coreCommands(
  flow: Flow,
  firstOrder: number,
  piece: Piece = { from: 0, to: commandCount(flow) },
): (PlaceOrder | CancelOrder)[] {
  const commands: (PlaceOrder | CancelOrder)[] = [];
  for (const { kind, side, account, id, ticks, lots } of entriesOf(flow, piece)) {
    commands.push(
      kind === CANCEL
        ? { kind: 'cancel-order', user: account, symbol: 0, order: firstOrder + id - 1 }
        : limitOrder(account, 0, side, ticks, lots, kind === IOC ? 'IOC' : 'GTC'),
    );
  }
  return commands;
}

/** A string cancels the order with that id. */
export function rivalCommands(flow: Flow, piece: Piece): (RivalOrder | string)[] {
  const commands: (RivalOrder | string)[] = [];
  for (const { kind, side, id, ticks, lots } of entriesOf(flow, piece)) {
    commands.push(
      kind === CANCEL
        ? String(id)
        : {
            id: String(id),
            side: side === 0 ? 'buy' : 'sell',
            price: ticks,
            size: lots,
            timeInForce: kind === IOC ? 'IOC' : 'GTC',
          },
    );
  }
  return commands;
}
