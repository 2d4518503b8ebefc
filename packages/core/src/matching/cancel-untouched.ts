/**
 * Fast path for most cancels: of an order that is fully visible, does not expire, has not traded and is in no pair.
 * Anything else, including every rejection, falls through to cancel.ts; no state has changed then.
 */

import { Amount } from '../values/amount.ts';
import type { CancelOrder } from '../commands/commands.ts';
import type { State } from '../state.ts';
import * as ends from './finish.ts';
import { hasEndEffects } from './orders/order-rows.ts';
import { rememberClientId } from './finish.ts';

/** Local copies of imported constants: see event-batch.ts. */
const REQUESTED = ends.DONE.requested;
const { ZERO_AMOUNT } = ends;
const hasEffects = hasEndEffects;

const held = new Amount();

/** Whether the order was cancelled. */
export function cancelUntouched(state: State, command: CancelOrder): boolean {
  const { user, symbol, order, clientId } = command;
  if ((order !== undefined) === Boolean(clientId) || command.createdSec !== undefined) return false;
  const instrument = state.instruments.all[symbol];
  if (instrument === undefined || instrument.removed || instrument.isHalted) return false;
  const { orders, ledger, traders } = state;
  const id = order ?? state.clientIds.find(user, clientId ?? '');
  const row = orders.rowOf(id);
  if (row < 0 || orders.trader(row) !== traders.find(user, symbol)) return false;
  const flags = orders.flags(row);
  if (hasEffects(flags) || orders.isTouched(row)) return false;

  const side = flags & 1;
  const size = orders.remaining(row);
  const { book } = instrument;
  const trader = orders.trader(row);
  const account = side === 0 ? traders.quoteAccount(trader) : traders.baseAccount(trader);
  orders.readHold(row, held);
  // The account first, then the order's neighbours: in a large exchange all of these miss the cache, and loads issued
  // close together are waited for together.
  ledger.unhold(account, held);
  const visible = book.leaveOrdinary(row, side);
  traders.unlink(orders, row, user);
  const at = state.events.cancelled(id, user, symbol, flags, orders.price(row), size, book.sequence, visible);
  ledger.emitBalance(account, held, at);
  orders.markCancelled(row, REQUESTED);
  if (orders.hasTexts(row)) forgetTexts(state, row);
  else state.outcomes.cancelled(id, size);
  return true;
}

function forgetTexts(state: State, row: number): void {
  const { orders } = state;
  state.outcomes.order(orders, row, REQUESTED, ZERO_AMOUNT, ZERO_AMOUNT);
  const clientId = orders.textsOf(row)?.clientId;
  if (clientId) rememberClientId(state, orders.user(row), clientId);
}
