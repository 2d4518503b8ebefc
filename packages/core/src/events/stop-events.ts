/** Events of stop orders and OCO orders. */

import type { OrderType, Side } from '../commands/commands.ts';

export interface StopPlaced {
  readonly kind: 'stop-placed';
  readonly stopOrder: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  readonly clientId: string;
}

/**
 * 'triggered': became `order`. 'rejected': triggered, but refused as an order for `rejection`. 'oco': see OcoDone.
 * 'operator': an operator cancelled it for the reason in `rejection`.
 */
export interface StopDone {
  readonly kind: 'stop-done';
  readonly stopOrder: number;
  readonly user: number;
  readonly symbol: number;
  readonly reason: 'triggered' | 'rejected' | 'requested' | 'oco' | 'delisted' | 'operator';
  readonly order: number;
  readonly rejection: string;
}

/** `order` rests in the book and `stopOrder` is pending; each has its own events. */
export interface OcoPlaced {
  readonly kind: 'oco-placed';
  readonly oco: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number;
  readonly limitPrice: number;
  readonly stopOrder: number;
  readonly order: number;
  readonly clientId: string;
}

/** 'traded': the order did, so the stop order is gone. 'triggered': the reverse. 'cancelled': both are gone. */
export interface OcoDone {
  readonly kind: 'oco-done';
  readonly oco: number;
  readonly user: number;
  readonly symbol: number;
  readonly reason: 'traded' | 'triggered' | 'cancelled';
}
