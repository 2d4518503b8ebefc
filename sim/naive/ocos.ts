/** OCO orders: pairs of a limit order and a stop order. */

import type {
  CancelOcoOrder,
  OrderRequest,
  PlaceOcoOrder,
} from '../../packages/core/src/commands/commands.ts';
import type { DoneReason, OcoDone } from '../../packages/core/src/events/events.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { checkOcoRules, checkTakesWaiting } from './check-market.ts';
import { checkRequest, termsOf } from './check-request.ts';
import type { Oco, StopOrder } from './instrument.ts';
import { match } from './match.ts';
import { acceptOrder, cancelResting, freeClientId } from './order.ts';
import { checkName, checkNotHalted, orderUnknown } from './orders.ts';
import { refused, valueInvalid } from './refusal.ts';
import { takeId, type State } from './state.ts';
import { beginStop, endStop } from './stop-life.ts';
import { beginUnasked } from './unfinished.ts';

export function placeOcoOrder(state: State, command: PlaceOcoOrder): Outcome {
  const { user, symbol, side, price, size, stopPrice, limitPrice, clientId = '', tags, remark } = command;
  const request = { symbol, type: 'limit', side, price, size, clientId, tags, remark } as OrderRequest;
  const wrong =
    checkRequest(state, user, request, () => checkStopPrice(command)) ??
    checkTakesWaiting(state.instruments[symbol]!, 'oco') ??
    checkOcoRules(state, user, termsOf(request), stopPrice, limitPrice);
  if (wrong !== null) return refused(wrong);

  const [id, stopId, orderId] = [takeId(state), takeId(state), takeId(state)];
  if (clientId !== '') state.users[user]!.clientIds.set(clientId, { id, doneAt: null });
  const ids = { oco: id, stopOrder: stopId, order: orderId };
  state.events.push({
    kind: 'oco-placed',
    ...ids,
    user,
    symbol,
    side,
    price,
    size,
    stopPrice,
    limitPrice,
    clientId,
  });
  const terms = { ...termsOf(request), clientId: '' };
  const stop: StopOrder = {
    id: stopId,
    user,
    stop: side === 'buy' ? 'entry' : 'loss',
    stopPrice,
    terms: { ...terms, price: limitPrice },
  };
  beginStop(state, stop);
  const order = acceptOrder(state, orderId, user, terms);
  beginUnasked(state, user, match(state, order));
  state.ocos.push({ id, user, symbol, clientId, order, stop });
  return { kind: 'added', id };
}

function checkStopPrice({ side, price, stopPrice }: PlaceOcoOrder): Rejection | null {
  const isFar = side === 'buy' ? stopPrice > price : stopPrice < price;
  return isFar ? null : valueInvalid('stopPrice', stopPrice, 'on the other side of the price');
}

export function cancelOcoOrder(state: State, command: CancelOcoOrder): Outcome {
  const wrong = checkName(state, command) ?? checkNotHalted(state.instruments[command.symbol]!);
  if (wrong !== null) return refused(wrong);
  const oco = state.ocos.find(
    (each) =>
      each.user === command.user &&
      each.symbol === command.symbol &&
      (command.order === undefined ? each.clientId === command.clientId : each.id === command.order),
  );
  if (oco === undefined) return orderUnknown(command);
  endPair(state, oco, 'requested', 'cancelled');
  endStop(state, oco.stop, 'requested', 0, '');
  return { kind: 'cancelled', orders: [oco.stop.id, oco.order.id] };
}

/** The stop order is about to end: if it is part of a pair, the limit order is cancelled first. */
export function endPairOf(
  state: State,
  stop: StopOrder,
  reason: OcoDone['reason'],
  why: DoneReason = 'oco',
): void {
  const oco = state.ocos.find((each) => each.stop === stop);
  if (oco !== undefined) endPair(state, oco, why, reason);
}

function endPair(state: State, oco: Oco, why: DoneReason, reason: OcoDone['reason']): void {
  cancelResting(state, oco.order, why);
  close(state, oco, reason);
}

function close(state: State, oco: Oco, reason: OcoDone['reason']): void {
  state.ocos.splice(state.ocos.indexOf(oco), 1);
  freeClientId(state, oco.user, oco.clientId, oco.id);
  state.events.push({ kind: 'oco-done', oco: oco.id, user: oco.user, symbol: oco.symbol, reason });
}

/** If the limit order has traded or ended, cancels the stop order. */
export function settleOcos(state: State): void {
  for (const oco of state.ocos.filter(({ order }) => order.dealSize > 0 || order.done !== '')) {
    close(state, oco, oco.order.dealSize > 0 ? 'traded' : 'cancelled');
    endStop(state, oco.stop, 'oco', 0, '');
  }
}
