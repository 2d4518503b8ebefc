/** A draft of an order: every field as the text typed, and the direction of its stop. */

import type { SelfTradePrevention, Side, TimeInForce } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';

export type OrderKind = 'limit' | 'market' | 'stop-limit' | 'stop-market' | 'oco';

export interface OrderDraft {
  readonly kind: OrderKind;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly funds: string;
  /** Whether a market order is by funds, not by size. */
  readonly isByFunds: boolean;
  readonly stopPrice: string;
  /**
   * Triggers when the last price falls to stopPrice (loss) or rises to it (entry); derived when the stop price is
   * typed.
   */
  readonly stop: 'loss' | 'entry';
  /** OCO orders: the limit of the order placed when stopPrice is reached. */
  readonly limitPrice: string;
  readonly timeInForce: TimeInForce;
  readonly cancelAfter: string;
  readonly isPostOnly: boolean;
  readonly isHidden: boolean;
  readonly isIceberg: boolean;
  readonly visibleSize: string;
  /** The total (price times size) if the user typed that; null if the user typed the size. */
  readonly total: string | null;
  /** The slider's position; null if the amount was typed. */
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

/** Whether the order takes the options of limit orders: time in force, postOnly, hidden, iceberg. */
export const hasLimitFields = ({ kind }: OrderDraft): boolean => kind === 'limit' || kind === 'stop-limit';

/**
 * The direction that triggers a stop: `entry` when the last price is at or above the stop price, `loss` when it is at
 * or below.
 */
export type StopDirection = OrderDraft['stop'];

/**
 * A stop above the last price waits for a rise, one below it for a fall. At the last price, or without one, a buy
 * waits for a rise and a sell for a fall, as stops usually do.
 */
export function directionOf(side: Side, stopPrice: string, last: string | null): StopDirection {
  const usual = side === 'buy' ? 'entry' : 'loss';
  const order = comparison(stopPrice, last);
  return order === null || order === 0 ? usual : order > 0 ? 'entry' : 'loss';
}

/** Whether the stop would trigger at once. */
export function triggersNow(draft: OrderDraft, last: string | null): boolean {
  if (!isStop(draft) && draft.kind !== 'oco') return false;
  return isReached(directionIn(draft), draft.stopPrice, last);
}

export function isReached(direction: StopDirection, stopPrice: string, last: string | null): boolean {
  const order = comparison(stopPrice, last);
  if (order === null) return false;
  return direction === 'entry' ? order <= 0 : order >= 0;
}

/** The direction of an OCO order's stop is fixed: opposite to its limit. */
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
