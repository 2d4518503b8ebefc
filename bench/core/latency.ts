/** Latency of single commands: on the flow, and as the book and the number of symbols grow. */

import type { Command } from '@bourse/core';
import { coreCommands, type Flow } from './flow.ts';
import { bytesInUse } from './memory.ts';
import { limitOrder, Venue } from './venue.ts';

const USERS = 1001;
const MIDDLE = 100_000;
const ORDERS_PER_USER = 100;
const WARM_UP = 50_000;
const MEASURED = 100_000;

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** In nanoseconds, including the cost of the timer. */
function percentiles(samples: Float64Array): Percentiles {
  const sorted = samples.slice().toSorted();
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] * 1e6);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

export function timerCost(): number {
  const samples = new Float64Array(100_000);
  for (let i = 0; i < samples.length; i++) {
    const start = performance.now();
    samples[i] = performance.now() - start;
  }
  return percentiles(samples).p50;
}

/** One command per record, as with a single caller. */
export function latencyOfFlow(flow: Flow): Percentiles {
  const venue = new Venue(USERS, 1);
  const commands = coreCommands(flow, venue.firstOrder);
  const samples = new Float64Array(commands.length - flow.prefill);
  for (let i = 0; i < commands.length; i++) {
    const record = venue.next([commands[i]]);
    const start = performance.now();
    venue.exchange.apply(record);
    if (i >= flow.prefill) samples[i - flow.prefill] = performance.now() - start;
  }
  return percentiles(samples);
}

export interface Growth extends Percentiles {
  readonly resting: number;
  readonly symbols: number;
  readonly bytesPerOrder: number;
}

/** Fills a book with resting orders, then repeatedly places and cancels one order at a random price. */
export function latencyAt(resting: number, symbols: number, clientIds: boolean): Growth {
  let seed = 1;
  const below = (end: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 4294967296) * end);
  };
  const users = Math.max(100, Math.ceil(resting / ORDERS_PER_USER));
  const venue = new Venue(users, symbols);
  const levels = Math.max(20, Math.min(20_000, Math.ceil(resting / symbols / 50)));
  const live: { order: number; user: number; symbol: number }[] = [];
  let nextOrder = venue.firstOrder;
  const place = (i: number): Command => {
    const user = i % users;
    const symbol = i % symbols;
    const side = below(2);
    const distance = 1 + below(levels);
    const ticks = side === 0 ? MIDDLE - distance : MIDDLE + distance;
    live.push({ order: nextOrder++, user, symbol });
    const order = limitOrder(user, symbol, side, ticks, 1 + below(100), 'GTC');
    return clientIds ? { ...order, clientId: `client-order-${nextOrder}` } : order;
  };
  const cancel = (): Command => {
    const at = below(live.length);
    const { order, user, symbol } = live[at];
    live[at] = live[live.length - 1];
    live.pop();
    return { kind: 'cancel-order', user, symbol, order };
  };
  const before = bytesInUse();
  const bytesOfList = 64;
  for (let i = 0; i < resting; i++) venue.apply([place(i)]);
  const bytesPerOrder = Math.round((bytesInUse() - before) / resting) - bytesOfList;
  const samples = new Float64Array(MEASURED);
  for (let i = -WARM_UP; i < MEASURED; i++) {
    const record = venue.next([i % 2 === 0 ? cancel() : place(below(resting))]);
    const start = performance.now();
    venue.exchange.apply(record);
    if (i >= 0) samples[i] = performance.now() - start;
  }
  if (venue.exchange.counts.orders !== live.length) throw new Error('an order was refused');
  return { resting, symbols, bytesPerOrder, ...percentiles(samples) };
}
