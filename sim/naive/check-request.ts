/** Checks 1 to 5 of an order: user, symbol, fields, and client id. */

import type { OrderRequest } from '../../packages/core/src/commands/commands.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import type { Terms } from './instrument.ts';
import { checkInteger, checkNotFrozen, checkOneOf, checkSymbol, checkText, checkUser } from './refusal.ts';
import type { State } from './state.ts';

/** The normalised request, after its fields have been checked. */
export function termsOf(request: OrderRequest): Terms {
  const timeInForce = request.timeInForce ?? 'GTC';
  const atOnce = timeInForce === 'IOC' || timeInForce === 'FOK';
  const iceberg = request.iceberg === true;
  return {
    symbol: request.symbol,
    type: request.type,
    side: request.side,
    price: request.price ?? 0,
    size: request.size ?? 0,
    funds: request.funds ?? 0n,
    byFunds: request.funds !== undefined,
    timeInForce,
    cancelAfterSec: request.cancelAfterSec ?? 0,
    postOnly: request.postOnly === true && !atOnce,
    hidden: request.hidden === true && !iceberg,
    iceberg,
    visibleSize: request.visibleSize ?? 0,
    stp: timeInForce === 'FOK' ? 'CN' : (request.stp ?? ''),
    clientId: request.clientId ?? '',
    tags: request.tags ?? '',
    remark: request.remark ?? '',
  };
}

/** 1 to 5. `checkMore` is for values of a single kind of order. */
export function checkRequest(
  state: State,
  user: number,
  request: OrderRequest,
  checkMore: () => Rejection | null = () => null,
): Rejection | null {
  return (
    checkUser(state, user) ??
    checkNotFrozen(state, user, 'trading') ??
    checkSymbol(state, request.symbol) ??
    checkTexts(request) ??
    checkValues(request) ??
    checkMore() ??
    (request.type === 'limit' ? checkLimitFields(request) : checkMarketFields(request)) ??
    checkClientId(state, user, request.clientId ?? '')
  );
}

function checkTexts(request: OrderRequest): Rejection | null {
  return (
    checkText('clientId', request.clientId ?? '', 0, 40, 'clientId') ??
    checkText('tags', request.tags ?? '', 0, 20, 'printable') ??
    checkText('remark', request.remark ?? '', 0, 20, 'printable')
  );
}

function checkValues(request: OrderRequest): Rejection | null {
  return (
    checkOneOf('side', request.side, ['buy', 'sell']) ??
    checkOneOf('type', request.type, ['limit', 'market']) ??
    checkOneOf('timeInForce', request.timeInForce ?? 'GTC', ['GTC', 'GTT', 'IOC', 'FOK']) ??
    checkOneOf('stp', request.stp ?? '', ['', 'CN', 'CO', 'CB', 'DC']) ??
    (request.cancelAfterSec === undefined
      ? null
      : checkInteger('cancelAfterSec', request.cancelAfterSec, 1, 1_000_000_000))
  );
}

function missing(field: string, because: string): Rejection {
  return reject('field-missing', { field, because });
}

function notAllowed(field: string, because: string): Rejection {
  return reject('field-not-allowed', { field, because });
}

/** All missing fields are reported before any superfluous one. */
function checkLimitFields(request: OrderRequest): Rejection | null {
  const expires = request.timeInForce === 'GTT';
  const hasTime = request.cancelAfterSec !== undefined;
  const iceberg = request.iceberg === true;
  const hasVisibleSize = request.visibleSize !== undefined;

  if (request.price === undefined) return missing('price', 'a limit order needs a price');
  if (request.size === undefined) return missing('size', 'a limit order needs a size');
  if (expires && !hasTime) return missing('cancelAfterSec', 'timeInForce is GTT');
  if (iceberg && !hasVisibleSize) return missing('visibleSize', 'the order is an iceberg');

  if (request.funds !== undefined) return notAllowed('funds', 'a limit order has a size');
  if (!expires && hasTime) return notAllowed('cancelAfterSec', 'timeInForce is not GTT');
  if (!iceberg && hasVisibleSize) return notAllowed('visibleSize', 'the order is no iceberg');
  return null;
}

function checkMarketFields(request: OrderRequest): Rejection | null {
  if (request.size === undefined && request.funds === undefined) {
    return missing('size', 'a market order needs a size or funds');
  }
  const because = 'it is for limit orders';
  if (request.price !== undefined) return notAllowed('price', because);
  if (request.timeInForce !== undefined) return notAllowed('timeInForce', because);
  if (request.cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', because);
  if (request.postOnly === true) return notAllowed('postOnly', because);
  if (request.hidden === true) return notAllowed('hidden', because);
  if (request.iceberg === true) return notAllowed('iceberg', because);
  if (request.visibleSize !== undefined) return notAllowed('visibleSize', because);
  if (request.stp === 'DC') return notAllowed('stp', 'DC is for limit orders');
  if (request.size !== undefined && request.funds !== undefined) {
    return notAllowed('funds', 'a market order has a size or funds');
  }
  return null;
}

function checkClientId(state: State, user: number, clientId: string): Rejection | null {
  const use = clientId === '' ? undefined : state.users[user]!.clientIds.get(clientId);
  if (use === undefined) return null;
  return reject('client-id-used', { clientId, order: use.id });
}
