/**
 * Equivalent mutants, which no test can catch. Identified by their code, not by position; the test of this list fails
 * if the code no longer exists.
 */

import type { Place } from './mutant.ts';

export interface Equivalent extends Place {
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/core/src/matching/cancel.ts',
    scope: 'cancelOrder',
    operator: 'arguments swapped',
    text: 'cancelUntouched(state, command)',
    nth: 1,
    reason: 'the fast path finds no order and falls through to the general path, which does the same',
  },
  {
    file: 'packages/core/src/tables/index-table.ts',
    scope: 'IndexTable.constructor',
    operator: 'statement removed',
    text: 'this.#highFactor = high | 1;',
    nth: 1,
    reason: 'a worse hash only makes searches longer',
  },
  {
    file: 'packages/core/src/matching/rest-at-once.ts',
    scope: 'isTextFree',
    operator: 'and, or',
    text: "clientId === '' || state.clientIds.find(user, clientId) === 0",
    nth: 1,
    reason: 'orders with a client id fall through to the general path, which does the same',
  },
];
