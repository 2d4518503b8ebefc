/**
 * Rules 1 to 4 of checking an order: user and symbol, texts, words, fields. Valid input is written to the draft row in the
 * core's own representation.
 */

import * as users from '../access/users.ts';
import type { OrderRequest } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkClientId, checkPrintable, invalidValue, NOTE_LENGTH_MAX } from '../values/text.ts';
import * as orderFlags from './orders/order-flags.ts';
import type { OrderTable } from './orders/order-table.ts';
import { pick } from '../values/pick.ts';

/** Copied from the imports, which V8 would load at every use: see event-batch.ts. */
const { NO_TRADING } = users;
const { FOK, GTC, GTT, IOC, STP_CN, STP_DC, STP_NONE } = orderFlags;
const { packFlags, sideCode, stpCode, timeCode, withByFunds } = orderFlags;

const CANCEL_AFTER_SEC_MAX = 1e9;
/** Stands for funds that are too large for an Amount. It exceeds any balance, so the order is rejected later, with the exact value. */
const FUNDS_END = 1n << 101n;

/** Fills the draft row with the request. */
export function readDraft(
  state: State,
  draft: number,
  user: number,
  request: OrderRequest,
): Rejection | null {
  const standing = state.users.standing(user);
  if (!standing) return reject('user-unknown', { user });
  if ((standing & NO_TRADING) !== 0) return state.users.barred(user, NO_TRADING);
  const { symbol } = request;
  const instrument = state.instruments.all[symbol];
  if (instrument === undefined || instrument.removed) return reject('symbol-unknown', { symbol });
  state.orders.setOwner(draft, user, symbol);
  return readTexts(state.orders, draft, request) ?? readFields(state.orders, draft, request);
}

function readTexts(orders: OrderTable, draft: number, request: OrderRequest): Rejection | null {
  const { clientId = '', tags = '', remark = '' } = request;
  if (clientId === '' && tags === '' && remark === '') return null;
  orders.setTexts(draft, { clientId, tags, remark });
  return (
    checkClientId(clientId) ??
    checkPrintable('tags', tags, 0, NOTE_LENGTH_MAX) ??
    checkPrintable('remark', remark, 0, NOTE_LENGTH_MAX)
  );
}

function readFields(orders: OrderTable, draft: number, request: OrderRequest): Rejection | null {
  const { type, timeInForce, stp, cancelAfterSec } = request;
  const side = sideCode(request.side);
  const time = timeInForce === undefined ? GTC : timeCode(timeInForce);
  const mode = stp === undefined ? STP_NONE : stpCode(stp);
  if (side < 0) return invalidValue('side', request.side, 'buy or sell');
  if (type !== 'limit' && type !== 'market') return invalidValue('type', type, 'limit or market');
  if (time < 0) return invalidValue('timeInForce', timeInForce, 'GTC, GTT, IOC or FOK');
  if (mode < 0) return invalidValue('stp', stp, 'CN, CO, CB or DC');
  if (cancelAfterSec !== undefined && !isWithin(cancelAfterSec, 1, CANCEL_AFTER_SEC_MAX)) {
    return invalidValue('cancelAfterSec', cancelAfterSec, `an integer from 1 to ${CANCEL_AFTER_SEC_MAX}`);
  }
  if (type === 'limit') return readLimit(orders, draft, request, side, time, mode);
  return readMarket(orders, draft, request, side, mode);
}

function readLimit(
  orders: OrderTable,
  draft: number,
  request: OrderRequest,
  side: number,
  time: number,
  mode: number,
): Rejection | null {
  const { price, size, cancelAfterSec, visibleSize, iceberg = false, hidden = false } = request;
  if (price === undefined) return missing('price', 'limit-order');
  if (size === undefined) return missing('size', 'limit-order');
  if (time === GTT && cancelAfterSec === undefined) return missing('cancelAfterSec', 'gtt');
  if (iceberg && visibleSize === undefined) return missing('visibleSize', 'iceberg');
  if (request.funds !== undefined) return notAllowed('funds', 'limit-order');
  if (time !== GTT && cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', 'not-gtt');
  if (!iceberg && visibleSize !== undefined) return notAllowed('visibleSize', 'not-iceberg');
  orders.setPrice(draft, price);
  orders.setSize(draft, size);
  if (visibleSize !== undefined) orders.setVisibleSize(draft, visibleSize);
  if (cancelAfterSec !== undefined) orders.setCancelAfterSec(draft, cancelAfterSec);
  const postOnly = request.postOnly === true && time < IOC;
  const stp = time === FOK ? STP_CN : mode;
  orders.addFlags(draft, packFlags(side, false, time, stp, postOnly, hidden && !iceberg, iceberg));
  return null;
}

function readMarket(
  orders: OrderTable,
  draft: number,
  request: OrderRequest,
  side: number,
  mode: number,
): Rejection | null {
  const { size } = request;
  if (size === undefined && request.funds === undefined) return missing('size', 'market-order');
  if (request.price !== undefined) return notAllowed('price', 'market-order');
  if (request.timeInForce !== undefined) return notAllowed('timeInForce', 'market-order');
  if (request.cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', 'market-order');
  if (request.postOnly) return notAllowed('postOnly', 'market-order');
  if (request.hidden) return notAllowed('hidden', 'market-order');
  if (request.iceberg) return notAllowed('iceberg', 'market-order');
  if (request.visibleSize !== undefined) return notAllowed('visibleSize', 'market-order');
  if (mode === STP_DC) return notAllowed('stp', 'market-order');
  if (size !== undefined && request.funds !== undefined) return notAllowed('funds', 'size-and-funds');
  const flags = packFlags(side, true, GTC, mode, false, false, false);
  orders.addFlags(draft, request.funds === undefined ? flags : withByFunds(flags));
  if (size !== undefined) orders.setSize(draft, size);
  if (request.funds !== undefined) {
    orders.funds.setBigInt(request.funds < FUNDS_END ? request.funds : FUNDS_END);
  }
  return null;
}

const isWithin = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;
const missing = (field: string, because: string) => reject('field-missing', { field, because });
const notAllowed = (field: string, because: string) => reject('field-not-allowed', { field, because });

const REQUEST = [
  'symbol',
  'type',
  'side',
  'price',
  'size',
  'funds',
  'timeInForce',
  'cancelAfterSec',
  'postOnly',
  'hidden',
  'iceberg',
  'visibleSize',
  'stp',
  'clientId',
  'tags',
  'remark',
] as const satisfies readonly (keyof OrderRequest)[];

/** An order request with its fields in canonical order, as a snapshot needs them. */
export function requestOf(command: OrderRequest): OrderRequest {
  return pick<OrderRequest, keyof OrderRequest>(command, REQUEST);
}
