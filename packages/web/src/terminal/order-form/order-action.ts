/** Builds the request from a draft. */

import type { SymbolInfo } from '@bourse/client';
import type { Action, Members } from '../../user/actions.ts';
import { hasLimitFields, isMarket, isStop, type OrderDraft } from './order-draft.ts';

export function orderAction(draft: OrderDraft, { symbol }: SymbolInfo): Action {
  const { side, remark, clientOid } = draft;
  const named = { ...(clientOid !== '' && { clientOid }), ...(remark !== '' && { remark }) };
  if (draft.kind === 'oco') {
    const { price, size, stopPrice, limitPrice } = draft;
    return {
      title: 'Place an OCO order',
      method: 'POST',
      path: '/api/v3/oco/order',
      // The API requires a clientOid here; one is generated if the user has typed none.
      body: {
        symbol,
        side,
        price,
        size,
        stopPrice,
        limitPrice,
        ...named,
        clientOid: clientOid || newClientOid(),
      },
      ccxt: 'privatePostOcoOrder',
    };
  }
  const body = { symbol, side, ...(isMarket(draft) ? marketFields(draft) : limitFields(draft)), ...named };
  if (isStop(draft)) {
    return {
      title: 'Place a stop order',
      method: 'POST',
      path: '/api/v1/stop-order',
      body: { ...body, stop: draft.stop, stopPrice: draft.stopPrice },
      ccxt: 'privatePostStopOrder',
    };
  }
  return {
    title: 'Place an order',
    method: 'POST',
    path: '/api/v1/hf/orders/sync',
    body,
    client: 'placeOrderSync',
    ccxt: 'privatePostHfOrdersSync',
  };
}

/**
 * The order test call: the exchange validates the order without placing it. Stop and OCO orders have no such call.
 */
export function checkAction(action: Action): Action | null {
  if (action.client !== 'placeOrderSync') return null;
  return {
    ...action,
    title: 'Check an order',
    path: '/api/v1/hf/orders/test',
    client: 'testOrder',
    ccxt: 'privatePostHfOrdersTest',
  };
}

function marketFields({ isByFunds, size, funds, stp }: OrderDraft): Members {
  return { type: 'market', ...(isByFunds ? { funds } : { size }), ...(stp !== '' && { stp }) };
}

function limitFields(draft: OrderDraft): Members {
  const { price, size, timeInForce, cancelAfter, isPostOnly, isHidden, isIceberg, visibleSize, stp } = draft;
  const isAtOnce = timeInForce === 'IOC' || timeInForce === 'FOK';
  return {
    type: 'limit',
    price,
    size,
    ...(stp !== '' && { stp }),
    ...(hasLimitFields(draft) && {
      ...(timeInForce !== 'GTC' && { timeInForce }),
      ...(timeInForce === 'GTT' && { cancelAfter: Number(cancelAfter) }),
      ...(isPostOnly && !isAtOnce && { postOnly: true }),
      ...(isHidden && !isIceberg && { hidden: true }),
      ...(isIceberg && { iceberg: true, visibleSize }),
    }),
  };
}

const newClientOid = (): string => crypto.randomUUID();
