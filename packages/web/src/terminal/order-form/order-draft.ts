/** An order while it is being written: every field as text, as it was typed, and which way its stop waits. */

import type { SelfTradePrevention, Side, TimeInForce } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';

export type OrderKind = 'limit' | 'market' | 'stop-limit' | 'stop-market' | 'oco';

export interface OrderDraft {
  readonly kind: OrderKind;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly funds: string;
  /** A market order is by size or by funds. */
  readonly isByFunds: boolean;
  readonly stopPrice: string;
  /** When the last price falls to stopPrice (loss) or rises to it (entry): derived when the stop price is typed. */
  readonly stop: 'loss' | 'entry';
  /** Of an OCO order: what is placed when stopPrice is reached. */
  readonly limitPrice: string;
  readonly timeInForce: TimeInForce;
  readonly cancelAfter: string;
  readonly isPostOnly: boolean;
  readonly isHidden: boolean;
  readonly isIceberg: boolean;
  readonly visibleSize: string;
  /** Price times size as it was typed; null where the size was. */
  readonly total: string | null;
  /** Where the slider was put; null where the amount was typed. */
  readonly percent: number | null;
  readonly stp: SelfTradePrevention | '';
  readonly clientOid: string;
  readonly remark: string;
}

export const emptyDraft: OrderDraft = {
  kind: 'limit',
  side: 'buy',
  price: '',
  size: '',
  funds: '',
  isByFunds: true,
  stopPrice: '',
  stop: 'loss',
  limitPrice: '',
  timeInForce: 'GTC',
  cancelAfter: '',
  isPostOnly: false,
  isHidden: false,
  isIceberg: false,
  visibleSize: '',
  total: null,
  percent: null,
  stp: '',
  clientOid: '',
  remark: '',
};

export const isMarket = ({ kind }: OrderDraft): boolean => kind === 'market' || kind === 'stop-market';

export const isStop = ({ kind }: OrderDraft): boolean => kind === 'stop-limit' || kind === 'stop-market';

/** Whether it has those of the fields that a plain limit order has: validity, postOnly, hidden, iceberg. */
export const hasLimitFields = ({ kind }: OrderDraft): boolean => kind === 'limit' || kind === 'stop-limit';

/** Which way the last price must go to trigger a stop: `entry` at or above the stop price, `loss` at or below. */
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
