/** Actions on existing orders, as data. */

import type { Order } from '@bourse/client';
import type { Action } from '../../user/actions.ts';
import type { OcoOrder, StopOrder } from '../../user/user-queries.ts';

export const cancelOrder = ({ id, symbol }: Order): Action => ({
  title: 'Cancel an order',
  method: 'DELETE',
  path: `/api/v1/hf/orders/${id}`,
  query: { symbol },
  ccxt: 'privateDeleteHfOrdersOrderId',
  ccxtPath: '/api/v1/hf/orders/{orderId}',
});

export const cancelOrders = (symbol: string): Action => ({
  title: `Cancel all orders in ${symbol}`,
  method: 'DELETE',
  path: '/api/v1/hf/orders',
  query: { symbol },
  ccxt: 'privateDeleteHfOrders',
});

export const cancelAllOrders: Action = {
  title: 'Cancel all orders',
  method: 'DELETE',
  path: '/api/v1/hf/orders/cancelAll',
  ccxt: 'privateDeleteHfOrdersCancelAll',
};

export const cancelPart = ({ id, symbol }: Order, cancelSize: string): Action => ({
  title: 'Cancel a part of an order',
  method: 'DELETE',
  path: `/api/v1/hf/orders/cancel/${id}`,
  query: { symbol, cancelSize },
  ccxt: 'privateDeleteHfOrdersCancelOrderId',
  ccxtPath: '/api/v1/hf/orders/cancel/{orderId}',
});

/** Without a size, what is open stays: `order.size` would bring back what was cancelled. */
export const alterOrder = ({ id, symbol }: Order, newPrice: string, newSize?: string): Action => ({
  title: 'Alter an order',
  method: 'POST',
  path: '/api/v1/hf/orders/alter',
  body: { symbol, orderId: id, newPrice, ...(newSize !== undefined && { newSize }) },
  client: 'alterOrder',
  ccxt: 'privatePostHfOrdersAlter',
});

export const cancelStop = ({ id }: StopOrder): Action => ({
  title: 'Cancel a stop order',
  method: 'DELETE',
  path: `/api/v1/stop-order/${id}`,
  ccxt: 'privateDeleteStopOrderOrderId',
  ccxtPath: '/api/v1/stop-order/{orderId}',
});

/** Of one symbol, or of all if undefined. */
export const cancelStops = (symbol: string | undefined): Action => ({
  title: symbol === undefined ? 'Cancel all stop orders' : `Cancel all stop orders in ${symbol}`,
  method: 'DELETE',
  path: '/api/v1/stop-order/cancel',
  ...(symbol !== undefined && { query: { symbol } }),
  ccxt: 'privateDeleteStopOrderCancel',
});

export const cancelOco = ({ orderId }: OcoOrder): Action => ({
  title: 'Cancel an OCO order',
  method: 'DELETE',
  path: `/api/v3/oco/order/${orderId}`,
  ccxt: 'privateDeleteOcoOrderOrderId',
  ccxtPath: '/api/v3/oco/order/{orderId}',
});

/** Of one symbol, or of all if undefined. */
export const cancelOcos = (symbol: string | undefined): Action => ({
  title: symbol === undefined ? 'Cancel all OCO orders' : `Cancel all OCO orders in ${symbol}`,
  method: 'DELETE',
  path: '/api/v3/oco/orders',
  ...(symbol !== undefined && { query: { symbol } }),
  ccxt: 'privateDeleteOcoOrders',
});

export const setSwitch = (timeout: number): Action => ({
  title: "Set the dead man's switch",
  method: 'POST',
  path: '/api/v1/hf/orders/dead-cancel-all',
  body: { timeout },
  ccxt: 'privatePostHfOrdersDeadCancelAll',
});
