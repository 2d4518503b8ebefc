/** One trade: postings of both sides, the orders' sums, the book. */

import { Amount } from '../values/amount.ts';
import * as ledgers from '../ledger/ledger.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import * as ends from './finish.ts';
import { finish, setNeed } from './finish.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { FEES } = ledgers;
const TRADE = ledgers.CAUSE.trade;
const FILLED = ends.DONE.filled;
const { ZERO_AMOUNT } = ends;

const MAKER = 0;
const TAKER_RATE = 1;
const TAKER_LIQUIDITY = 2;

const funds = new Amount();
const incomingFee = new Amount();
const restingFee = new Amount();
const base = new Amount();
const spent = new Amount();
const held = new Amount();
const released = new Amount();
const sum = new Amount();

/** The incoming order takes `size` from the resting one, at the resting one's price. */
export function trade(
  state: State,
  instrument: Instrument,
  incoming: number,
  resting: number,
  size: number,
): void {
  const { orders } = state;
  const { book } = instrument;
  const price = orders.price(resting);
  funds.setProduct(price, size);

  // R9 and R10: which side is the taker, and who pays the taker's rate.
  const postOnly = orders.isPostOnly(incoming);
  const incomingTerms =
    (postOnly && !orders.isReserved(incoming) ? 0 : TAKER_RATE) | (postOnly ? 0 : TAKER_LIQUIDITY);
  const restingTerms = (orders.isReserved(resting) ? TAKER_RATE : 0) | (postOnly ? TAKER_LIQUIDITY : 0);
  fill(state, incoming, size, incomingTerms, incomingFee);
  fill(state, resting, size, restingTerms, restingFee);
  settle(state, instrument, incoming, resting, size, price, incomingTerms, restingTerms);
  if (book.trade(resting, size)) finish(state, resting, FILLED, ZERO_AMOUNT);
}

/** Both orders rest, and both pay the maker's rate. The later one counts as the incoming one. */
export function tradeInAuction(
  state: State,
  instrument: Instrument,
  buy: number,
  sell: number,
  price: number,
): void {
  const { orders } = state;
  const { book } = instrument;
  const size = Math.min(orders.remaining(buy), orders.remaining(sell));
  const isBuyLater = orders.id(buy) > orders.id(sell);
  const incoming = isBuyLater ? buy : sell;
  const resting = isBuyLater ? sell : buy;
  funds.setProduct(price, size);
  fill(state, incoming, size, MAKER, incomingFee);
  fill(state, resting, size, MAKER, restingFee);
  settle(state, instrument, incoming, resting, size, price, MAKER, MAKER);
  book.countAuctionTrade(resting, incoming);
  const isRestingFilled = book.tradeInAuction(resting, size);
  const isIncomingFilled = book.tradeInAuction(incoming, size);
  if (isRestingFilled) finish(state, resting, FILLED, ZERO_AMOUNT);
  if (isIncomingFilled) finish(state, incoming, FILLED, ZERO_AMOUNT);
}

/** Writes the trade's event, and posts `funds` and the two fees for both sides. */
function settle(
  state: State,
  instrument: Instrument,
  incoming: number,
  resting: number,
  size: number,
  price: number,
  incomingTerms: number,
  restingTerms: number,
): void {
  const { orders, events } = state;
  const { book } = instrument;
  const number = ++book.trades;
  book.lastPrice = price;
  state.touch(instrument.number);
  events.trade(instrument.number, number, price, size, funds, 1 - orders.side(resting));
  events.fill(false, orders, incoming, incomingFee, incomingTerms);
  events.fill(true, orders, resting, restingFee, restingTerms);

  if (orders.isPaired(incoming)) state.notePairChange(incoming, true);
  if (orders.isPaired(resting)) state.notePairChange(resting, true);

  instrument.setBase(base, size);
  if (orders.isBuy(incoming)) {
    pay(state, incoming, incomingFee, number);
    deliver(state, resting, restingFee, number);
  } else {
    pay(state, resting, restingFee, number);
    deliver(state, incoming, incomingFee, number);
  }
  sum.copy(incomingFee);
  sum.add(restingFee);
  if (!sum.isZero()) {
    const fees = state.ledger.system(FEES, instrument.identity.quote.number);
    state.ledger.credit(fees, sum, TRADE, orders.id(incoming), number);
  }
}

/** Updates the order's sums. The fee is rounded up once over all its fills: see Amount.setFee. */
function fill(state: State, row: number, size: number, terms: number, fee: Amount): void {
  const { orders } = state;
  const rate = terms & TAKER_RATE ? orders.takerRate(row) : orders.makerRate(row);
  const slack = fee.setFee(funds, rate, orders.slack(row));
  orders.addFill(row, size, funds, fee, slack, state.time);
}

/** The buyer pays cost and fee from the hold; a limit order's excess hold is released. */
function pay(state: State, row: number, fee: Amount, tradeNumber: number): void {
  const { orders, ledger, traders } = state;
  const id = orders.id(row);
  const trader = orders.trader(row);
  spent.copy(funds);
  spent.add(fee);
  orders.readHold(row, held);
  held.subtract(spent);
  released.clear();
  if (!orders.isMarket(row)) {
    released.copy(held);
    setNeed(held, state, row);
    released.subtract(held);
  }
  orders.setHold(row, held);
  ledger.spend(traders.quoteAccount(trader), spent, released, TRADE, id, tradeNumber);
  ledger.credit(traders.baseAccount(trader), base, TRADE, id, tradeNumber);
}

/** The seller gives what was held and gets the proceeds less the fee. */
function deliver(state: State, row: number, fee: Amount, tradeNumber: number): void {
  const { orders, ledger, traders } = state;
  const id = orders.id(row);
  const trader = orders.trader(row);
  orders.readHold(row, held);
  held.subtract(base);
  orders.setHold(row, held);
  ledger.spend(traders.baseAccount(trader), base, ZERO_AMOUNT, TRADE, id, tradeNumber);
  spent.copy(funds);
  spent.subtract(fee);
  // At a fee rate of 1 the seller gets nothing, and there is nothing to post.
  if (!spent.isZero()) ledger.credit(traders.quoteAccount(trader), spent, TRADE, id, tradeNumber);
}
