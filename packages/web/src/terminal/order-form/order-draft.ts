/** An order while it is being written: every field as text, as it was typed. */

import type { SelfTradePrevention, Side, TimeInForce } from '@bourse/client';

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
