/** OCO orders: one cancels the other. */

import type { CancelOcoOrder, OrderRequest, PlaceOcoOrder } from '../../commands/commands.ts';
import type { OcoDone } from '../../events/events.ts';
import type { AddedOutcome, CancelledOutcome } from '../../commands/outcomes.ts';
import { pick } from '../../values/pick.ts';
import { firstOf, type Rejection, reject } from '../../commands/rejections.ts';
import type { State } from '../../state.ts';
import { checkClientId, invalidValue } from '../../values/text.ts';
import { checkName, unknownOrder } from '../cancel.ts';
import { checkMarketFor, checkRulesAndMoney, checkTerms, NO_ORDER } from '../check.ts';
import { readDraft } from '../draft.ts';
import { cancelResting, DONE, rememberClientId } from '../finish.ts';
import { checkPrice } from '../increments.ts';
import type { OcoOrder, StopOrder } from './stop-table.ts';
import { withPaired } from '../orders/order-flags.ts';
import { accept } from '../place.ts';
import { beginStop, closeStop } from './stop-life.ts';

const SHARED = [
  'symbol',
  'side',
  'size',
  'tags',
  'remark',
] as const satisfies readonly (keyof PlaceOcoOrder)[];

/** The client id is the pair's; its parts have none. */
export function placeOcoOrder(state: State, command: PlaceOcoOrder): AddedOutcome | Rejection {
  const { user, symbol, side, price, size, stopPrice, limitPrice, clientId = '' } = command;
  const draft = state.orders.draft();
  const shared = pick<PlaceOcoOrder, (typeof SHARED)[number]>(command, SHARED);
  const refused =
    readOcoDraft(state, draft, command) ??
    checkClientIdFree(state, user, clientId) ??
    checkMarketFor(state.instruments.all[symbol], 'oco') ??
    checkBoth(state, draft, command);
  if (refused) return refused;

  const id = state.newId();
  const stopOrder = state.newId();
  const order = state.newId();
  const time = state.time;
  state.ocos.add({ id, user, symbol, clientId, order, stopOrder, createdAt: time });
  if (clientId !== '') state.clientIds.take(user, clientId, id);
  const parts = { price, size, stopPrice, limitPrice, stopOrder, order };
  state.events.rare({ kind: 'oco-placed', oco: id, user, symbol, side, ...parts, clientId });
  const request: OrderRequest = { type: 'limit', price: limitPrice, ...shared };
  const stop = side === 'buy' ? 'entry' : 'loss';
  beginStop(state, { id: stopOrder, user, stop, stopPrice, createdAt: time, request });
  state.orders.addFlags(draft, withPaired(0));
  state.orders.commit(draft, order);
  accept(state, draft, false);
  return { kind: 'added', id };
}

export function readOcoDraft(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const { user, price, clientId = '' } = command;
  const shared = pick<PlaceOcoOrder, (typeof SHARED)[number]>(command, SHARED);
  return firstOf(
    firstOf(checkClientId(clientId), readDraft(state, draft, user, { type: 'limit', price, ...shared })),
    checkStopPrice(command),
  );
}

/** Checks the draft against the symbol's terms, which only operators change. They take precedence over limits and money. */
export function checkOcoTerms(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const instrument = state.instruments.all[command.symbol];
  const { priceIncrement } = instrument.rules;
  return (
    checkMarketFor(instrument, 'oco') ??
    [checkPrice(command.stopPrice, priceIncrement), checkPrice(command.limitPrice, priceIncrement)].reduce(
      firstOf,
      checkTerms(state, draft, instrument, undefined),
    )
  );
}

/** One of the two prices is above the market, the other below it. */
function checkStopPrice({ side, price, stopPrice }: PlaceOcoOrder): Rejection | null {
  if (side === 'buy' ? stopPrice > price : stopPrice < price) return null;
  return invalidValue('stopPrice', stopPrice, side === 'buy' ? 'above the price' : 'below the price');
}

function checkClientIdFree(state: State, user: number, clientId: string): Rejection | null {
  const order = clientId === '' ? 0 : state.clientIds.find(user, clientId);
  return order === 0 ? null : reject('client-id-used', { clientId, order });
}

/** The limit part as an order; of the stop part its prices and its place. */
function checkBoth(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const { user, symbol, stopPrice, limitPrice } = command;
  const { priceIncrement } = state.instruments.all[symbol].rules;
  const max = state.limits.values.stopOrdersPerSymbolMax;
  const isFull = state.stops.count(user, symbol) >= max;
  return [
    checkPrice(stopPrice, priceIncrement),
    checkPrice(limitPrice, priceIncrement),
    isFull ? reject('stop-orders-per-symbol', { max }) : null,
  ].reduce(firstOf, checkRulesAndMoney(state, draft, undefined, NO_ORDER));
}

export function cancelOcoOrder(state: State, command: CancelOcoOrder): CancelledOutcome | Rejection {
  const refused = checkName(state, command);
  if (refused) return refused;
  const { user, symbol, order, clientId } = command;
  const oco = state.ocos.get(order ?? state.clientIds.find(user, clientId ?? ''));
  if (!oco || oco.user !== user || oco.symbol !== symbol) return unknownOrder(command);
  endPair(state, oco, DONE.requested, 'cancelled');
  closeStop(state, stopOf(state, oco), 'requested', '');
  return { kind: 'cancelled', orders: [oco.stopOrder, oco.order] };
}

/** When a stop order ends that is part of a pair: the limit part is cancelled first. */
export function endPairOf(
  state: State,
  stopOrder: number,
  reason: 'triggered' | 'cancelled',
  why: number = DONE.oco,
): void {
  const oco = state.ocos.ofStopOrder(stopOrder);
  if (oco) endPair(state, oco, why, reason);
}

/** Ends the limit part, then the pair; the caller ends the stop part. */
function endPair(state: State, oco: OcoOrder, why: number, reason: OcoDone['reason']): void {
  const row = state.orders.rowOf(oco.order);
  unmark(state, row);
  cancelResting(state, row, why);
  close(state, oco, reason);
}

/** After a command or due event: if the limit part traded or ended, the stop part is cancelled. */
export function settleOcos(state: State): void {
  if (!state.ocos.isStirred) return;
  for (const { oco, traded } of state.ocos.takeStirred()) {
    const row = state.orders.rowOf(oco.order);
    if (row >= 0) unmark(state, row);
    close(state, oco, traded ? 'traded' : 'cancelled');
    closeStop(state, stopOf(state, oco), 'oco', '');
  }
}

/** The remainder of the limit part becomes an ordinary order. */
function unmark({ orders }: State, row: number): void {
  orders.clearPaired(row);
}

function stopOf(state: State, oco: OcoOrder): StopOrder {
  return state.stops.get(oco.stopOrder) as StopOrder;
}

function close(state: State, oco: OcoOrder, reason: OcoDone['reason']): void {
  const { id, user, symbol, clientId } = oco;
  state.ocos.remove(oco);
  state.doneOcos.push({ ...oco, reason, doneAt: state.time });
  if (clientId !== '') rememberClientId(state, user, clientId);
  state.events.rare({ kind: 'oco-done', oco: id, user, symbol, reason });
}
