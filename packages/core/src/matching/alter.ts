/** Altering an order: cancel and replace or, if the replacement would be rejected, neither. */

import { NO_TRADING } from '../access/users.ts';
import type { AlterOrder } from '../commands/commands.ts';
import { firstOf, type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { findOwn } from './cancel.ts';
import { deferAltered } from './unfinished/continuation.ts';
import { checkMarketOpen, checkRulesAndMoney, leastVisible } from './check.ts';
import { cancelResting, DONE, rememberClientId } from './finish.ts';
import { isPositiveMultiple, neighbours } from '../values/checks.ts';
import { isIceberg, withoutPaired, withoutRested } from './orders/order-rows.ts';
import { accept } from './place.ts';

export function alterOrder(state: State, command: AlterOrder): Rejection | null {
  const { newPrice, newSize, symbol } = command;
  const old = findOwn(state, command);
  const instrument = state.instruments.all[symbol];
  const nothing = newPrice === undefined && newSize === undefined;
  const refused = firstOf(
    firstOf(state.users.barred(command.user, NO_TRADING), typeof old === 'number' ? null : old),
    firstOf(
      nothing ? reject('field-missing', { field: 'newPrice', because: 'nothing-new' }) : null,
      instrument ? checkMarketOpen(instrument) : null,
    ),
  );
  if (refused || typeof old !== 'number') return refused;
  const { baseIncrement } = instrument.rules;
  if (newSize !== undefined && !isPositiveMultiple(newSize, baseIncrement)) {
    return reject('size-increment', { value: newSize, ...neighbours(newSize, baseIncrement) });
  }
  const { orders } = state;
  const dealt = orders.dealt(old);
  if (newSize !== undefined && newSize <= dealt) {
    state.outcomes.replaced(orders.id(old), false);
    const clientId = orders.textsOf(old)?.clientId;
    cancelResting(state, old, DONE.altered);
    // No replacement follows that would take over the client id.
    if (clientId) rememberClientId(state, command.user, clientId);
    return null;
  }
  const size = newSize === undefined ? orders.remaining(old) : newSize - dealt;
  const draft = copyToDraft(state, old, newPrice ?? orders.price(old), size);
  const wrong = checkRulesAndMoney(state, draft, undefined, old);
  if (wrong) return wrong;
  const begin = state.outcomes.end;
  state.outcomes.replaced(orders.id(old), true);
  // Commit first: the draft is the next free row only until another row is freed.
  orders.commit(draft, state.newId());
  cancelResting(state, old, DONE.altered);
  if (accept(state, draft, true)) return null;
  state.outcomes.drop(begin);
  deferAltered(state, orders.id(old));
  return null;
}

/** The old order's fields, with another price and size. */
function copyToDraft(state: State, old: number, price: number, size: number): number {
  const { orders } = state;
  const draft = orders.draft();
  const flags = withoutPaired(withoutRested(orders.flags(old)));
  orders.setOwner(draft, orders.user(old), orders.symbol(old));
  orders.addFlags(draft, flags);
  orders.setPrice(draft, price);
  orders.setSize(draft, size);
  const seconds = orders.cancelAfterSec(old);
  if (seconds > 0) orders.setCancelAfterSec(draft, seconds);
  if (isIceberg(flags)) orders.setVisibleSize(draft, fitVisible(state, old, size));
  const texts = orders.textsOf(old);
  if (texts) orders.setTexts(draft, texts);
  return draft;
}

/** Keeps an iceberg's slice within the bounds of its new size. */
function fitVisible(state: State, old: number, size: number): number {
  const { baseIncrement } = state.instruments.all[state.orders.symbol(old)].rules;
  const visibleSize = state.orders.visibleSize(old);
  return Math.min(Math.max(visibleSize, leastVisible(size, baseIncrement)), size);
}
