/**
 * Removal of arbitrary orders from long lists: those of one trader, and those whose ids end in the same bits. Random
 * commands rarely produce such lists. The core and the naive exchange must agree.
 */

import type { Command } from '@bourse/core';
import { compare, order, type Step } from './beside.ts';

const [SUB, OTHER] = [3, 2];
const SYMBOL = 0;
/** The initial number of chains of the order index: ids at this distance share a chain. */
const CHAINS = 32;
/** Orders of a trader per chunk. */
const CHUNK = 14;

const named = (user: number, index: number) => ({ user, symbol: SYMBOL, clientId: `order-${index}` });
const place = (user: number, index: number): Command =>
  order(user, 'buy', 10, 1, { clientId: `order-${index}` });
const cancel = (user: number, index: number): Command => ({ kind: 'cancel-order', ...named(user, index) });
const cancelAll = (user: number): Command => ({ kind: 'cancel-orders', user });
const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);

/** Four orders in one chain. The orders in between are cancelled at once, so that no chain is added. */
const chained: readonly Step[] = upTo(3 * CHAINS + 1).flatMap((index): Step[] =>
  index % CHAINS === 0
    ? [[0, place(OTHER, index)]]
    : [
        [0, place(OTHER, index)],
        [0, cancel(OTHER, index)],
      ],
);
const CHAINED = [0, 1, 2, 3].map((which) => which * CHAINS);

/**
 * More than its size, so the command is rejected either way: for one reason if the order is found, for another if
 * not.
 */
const lookFor = (index: number): Command => ({ kind: 'reduce-order', ...named(OTHER, index), size: 2 });

/** They are cancelled in this order, and each remaining order must be found each time. */
function leaveChain(leaving: readonly number[]): Step[] {
  return [
    ...chained,
    ...leaving.flatMap((which): Step[] => [
      [0, cancel(OTHER, CHAINED[which])],
      [0, ...CHAINED.map(lookFor)],
    ]),
  ];
}

/** More orders add chains, which divides this chain; then all orders are cancelled. */
const dividedChain: readonly Step[] = [
  ...chained,
  ...upTo(100, 1000).map((index): Step => [0, place(SUB, index)]),
  ...upTo(50, 1000).map((index): Step => [0, cancel(SUB, index)]),
  ...CHAINED.map((index): Step => [0, cancel(OTHER, index)]),
  ...upTo(50, 1050).map((index): Step => [0, cancel(SUB, index)]),
];

/** Removes one or two chunks from a list, adds orders, and removes the rest in order of arrival. */
function leaveChunks(...leaving: readonly number[]): Step[] {
  return [
    [0, ...upTo(4 * CHUNK).map((index) => place(OTHER, index))],
    // Orders of another trader, whose chunks lie in between.
    [0, ...upTo(CHUNK, 500).map((index) => place(SUB, index))],
    ...leaving.map((chunk): Step => [0, ...upTo(CHUNK, chunk * CHUNK).map((index) => cancel(OTHER, index))]),
    [0, ...upTo(2 * CHUNK, 1000).map((index) => place(OTHER, index))],
    [0, ...upTo(CHUNK, 600).map((index) => place(SUB, index))],
    [0, ...upTo(CHUNK, 1000).map((index) => cancel(OTHER, index))],
    [0, cancelAll(OTHER), cancelAll(SUB)],
    [0, ...upTo(2 * CHUNK, 2000).map((index) => place(OTHER, index))],
    [0, cancelAll(OTHER)],
  ];
}

const MOMENTS: Readonly<Record<string, readonly Step[]>> = {
  'the first of a chain leave': leaveChain([3, 2, 1, 0]),
  'the last of a chain leave': leaveChain([0, 1, 2, 3]),
  'those in the middle of a chain leave': leaveChain([2, 1, 3, 0]),
  'a chain is divided': dividedChain,
  'the first chunk leaves': leaveChunks(0),
  'chunks in the middle leave': leaveChunks(1, 2),
  'chunks in the middle leave, the later one first': leaveChunks(2, 1),
  'the last chunk leaves': leaveChunks(3),
  'all chunks leave': leaveChunks(0, 1, 2, 3),
};

/** Throws if the two exchanges differ. */
export function runLongLists(): void {
  for (const [moment, steps] of Object.entries(MOMENTS)) compare(moment, steps);
}
