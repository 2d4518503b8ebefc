/**
 * Fast path for most orders: a fully visible GTC limit order that is valid and does not match. It is placed here in one
 * step. Anything else, including every rejection, falls through to place.ts; no visible state has changed then.
 */

import { Amount, UNITS_END } from '../values/amount.ts';
import type { OrderRequest } from '../commands/commands.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { checkClientId, checkPrintable, NOTE_LENGTH_MAX, isPositiveMultiple } from '../values/checks.ts';
import * as ends from './finish.ts';
import * as orderFlags from './orders/order-rows.ts';
import type { OrderTexts } from './orders/order-rows.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { STP_NONE, stpCode } = orderFlags;
const packPlain = orderFlags.packResting;
const markTexts = orderFlags.withTexts;
const isMultiple = isPositiveMultiple;
const { ZERO_AMOUNT, RESTS } = ends;
const BUY = 0;
const SELL = 1;
const PRICE_END = UNITS_END;
const SAFE = Number.MAX_SAFE_INTEGER;

const cost = new Amount();
const need = new Amount();

/** Whether the order was placed. */
export function restAtOnce(state: State, user: number, request: OrderRequest): boolean {
  const { symbol, price, size } = request;
  if (price === undefined || size === undefined || !isPlain(request) || !state.users.isActive(user))
    return false;
  const instrument = state.instruments.all[symbol];
  if (instrument === undefined || instrument.removed || !instrument.isOpen) return false;
  const { rules, book } = instrument;
  const side = request.side === 'buy' ? BUY : SELL;
  // Load trader, level and account before they are needed: in a large exchange all three miss the cache, and loads issued
  // close together are waited for together.
  const { traders, ledger } = state;
  const trader = traders.find(user, symbol);
  const level = book.nearLevel(side, price);
  if (trader < 0) return restWithTrader(state, user, request, instrument);
  const account = side === BUY ? traders.quoteAccount(trader) : traders.baseAccount(trader);
  const available = ledger.availableHigh(account);
  if (!isMultiple(price, rules.priceIncrement) || price >= PRICE_END || book.meets(side, price)) return false;
  if (!isMultiple(size, rules.baseIncrement) || size < rules.baseMinSize || size > rules.baseMaxSize)
    return false;
  if (size > SAFE - book.totals[side]) return false;
  cost.setProduct(price, size);
  if (rules.minFunds.isAbove(cost)) return false;

  const { activeOrdersPerSymbolMax, activeOrdersPerUserMax } = state.limits.values;
  if (!traders.hasRoom(trader, user, activeOrdersPerSymbolMax, activeOrdersPerUserMax)) return false;
  const makerRate = traders.makerRate(trader);
  const takerRate = traders.takerRate(trader);
  if (takerRate < 0) return restWithTrader(state, user, request, instrument);
  const mode = request.stp === undefined ? STP_NONE : stpCode(request.stp);
  if (mode < 0) return false;
  let flags = packPlain(side, mode, request.postOnly === true);
  let texts: OrderTexts | undefined;
  if (request.clientId || request.tags || request.remark) {
    texts = textsOf(request);
    flags = markTexts(flags);
    if (!isTextFree(state, user, texts)) return false;
  }
  if (side === BUY) {
    need.setFee(cost, takerRate, 0);
    need.add(cost);
  } else instrument.setBase(need, size);
  if (!ledger.tryHold(account, need, available)) return false;

  const { orders, outcomes } = state;
  const id = state.newId();
  const row = orders.addResting(
    id,
    user,
    symbol,
    trader,
    flags,
    price,
    size,
    need,
    makerRate,
    takerRate,
    state.time,
  );
  traders.append(orders, row, user);
  const visible = book.restOrdinary(row, side, price, size, level);
  const at = state.events.rested(
    id,
    user,
    symbol,
    flags,
    price,
    size,
    makerRate,
    takerRate,
    book.sequence,
    visible,
  );
  ledger.emitBalance(account, need, at);
  if (texts === undefined) outcomes.resting(id, size);
  else {
    rememberTexts(state, user, id, row, texts);
    state.events.keepTexts(texts);
    outcomes.order(orders, row, RESTS, ZERO_AMOUNT, ZERO_AMOUNT);
  }
  return true;
}

/**
 * Creates the trader, or looks up its rates, and tries again. A restored exchange has fewer traders than one that kept
 * running, and more rates, so neither may decide which path an order takes: the paths write different event rows, and
 * nodes compare digests of the rows.
 */
function restWithTrader(state: State, user: number, request: OrderRequest, instrument: Instrument): boolean {
  state.trader(user, instrument);
  return restAtOnce(state, user, request);
}

const isPlain = (request: OrderRequest): boolean =>
  request.type === 'limit' &&
  (request.side === 'buy' || request.side === 'sell') &&
  (request.timeInForce === 'GTC' || request.timeInForce === undefined) &&
  request.funds === undefined &&
  request.cancelAfterSec === undefined &&
  request.visibleSize === undefined &&
  !request.hidden &&
  !request.iceberg;

const textsOf = ({ clientId = '', tags = '', remark = '' }: OrderRequest): OrderTexts => ({
  clientId,
  tags,
  remark,
});

function isTextFree(state: State, user: number, { clientId, tags, remark }: OrderTexts): boolean {
  return (
    !(
      checkClientId(clientId) ??
      checkPrintable('tags', tags, 0, NOTE_LENGTH_MAX) ??
      checkPrintable('remark', remark, 0, NOTE_LENGTH_MAX)
    ) &&
    (clientId === '' || state.clientIds.find(user, clientId) === 0)
  );
}

function rememberTexts(state: State, user: number, id: number, row: number, texts: OrderTexts): void {
  state.orders.setTexts(row, texts);
  if (texts.clientId) state.clientIds.claim(user, texts.clientId, id);
}
