/** Finds an order of the caller: active, done but not yet in history, or in history within the look-up window. */

import type { SymbolSet } from '@bourse/core';
import { parseOrderId } from '../ids.ts';
import type { AnyOrder } from './order-detail.ts';
import type { Services } from '../services.ts';

export type Finding = Pick<Services, 'port' | 'history' | 'lookupWindowMs'>;

/** The caller, the symbol and the time of a look-up. */
export interface Seeker {
  readonly user: number;
  /** Undefined: any symbol. */
  readonly symbol?: SymbolSet;
  /** Milliseconds. */
  readonly time: number;
}

/** Another user's order, or one of another symbol, gets the same error as a nonexistent one. */
export async function findById(finding: Finding, seeker: Seeker, id: string): Promise<AnyOrder | null> {
  const parsed = parseOrderId(id);
  if (parsed === null) return null;
  const { number, seconds } = parsed;
  const order =
    (await finding.port.read((exchange) => exchange.order(number) ?? exchange.doneOrder(number))) ??
    finding.history.order(number);
  if (order === null || Math.floor(order.createdAt / 1000) !== seconds) return null;
  return isFor(order, seeker, finding.lookupWindowMs) ? order : null;
}

/** The latest order with the client id. */
export async function findByClientOid(
  finding: Finding,
  seeker: Seeker,
  clientOid: string,
): Promise<AnyOrder | null> {
  if (clientOid === '') return null;
  const { user, time } = seeker;
  const order =
    (await finding.port.read(
      (exchange) =>
        exchange.orderByClientId(user, clientOid) ?? exchange.doneOrderByClientId(user, clientOid),
    )) ?? finding.history.orderByClientId(user, clientOid, time - finding.lookupWindowMs);
  return order !== null && isFor(order, seeker, finding.lookupWindowMs) ? order : null;
}

function isFor(order: AnyOrder, { user, symbol, time }: Seeker, windowMs: number): boolean {
  if (order.user !== user || (symbol && order.symbol !== symbol.symbol)) return false;
  return !('doneAt' in order) || order.doneAt > time - windowMs;
}
