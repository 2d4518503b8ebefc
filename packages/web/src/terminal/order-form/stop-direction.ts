/** Which way the last price must go to trigger a stop: `entry` at or above the stop price, `loss` at or below. */

import type { Side } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { isStop, type OrderDraft } from './order-draft.ts';

export type StopDirection = OrderDraft['stop'];

/**
 * A stop above the last price waits for a rise, one below it for a fall. Without a last price, and at it, a buy waits
 * for a rise and a sell for a fall, as stops usually do.
 */
export function directionOf(side: Side, stopPrice: string, last: string | null): StopDirection {
  const usual = side === 'buy' ? 'entry' : 'loss';
  const order = comparison(stopPrice, last);
  return order === null || order === 0 ? usual : order > 0 ? 'entry' : 'loss';
}

/** Whether the exchange would trigger it at once. */
export function triggersNow(draft: OrderDraft, last: string | null): boolean {
  if (!isStop(draft) && draft.kind !== 'oco') return false;
  return isReached(directionIn(draft), draft.stopPrice, last);
}

export function isReached(direction: StopDirection, stopPrice: string, last: string | null): boolean {
  const order = comparison(stopPrice, last);
  if (order === null) return false;
  return direction === 'entry' ? order <= 0 : order >= 0;
}

/** Of an OCO order the direction is fixed: its stop is on the other side of the market than its limit. */
export function directionIn(draft: OrderDraft): StopDirection {
  if (draft.kind === 'oco') return draft.side === 'buy' ? 'entry' : 'loss';
  return draft.stop;
}

export const directionWords = (stop: StopDirection): string => (stop === 'entry' ? 'rises to' : 'falls to');

function comparison(stopPrice: string, last: string | null): number | null {
  const price = Decimal.parse(stopPrice);
  if (price === null || price.isZero || last === null || last === '') return null;
  return price.compare(Decimal.of(last));
}
