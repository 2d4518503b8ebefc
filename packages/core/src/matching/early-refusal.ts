/**
 * Rejections that are certain before a command is in a record. They depend only on the request, on users and symbols'
 * terms, which only operators change, and on ids that are in use or done; so other users' commands before it make no
 * difference. The checks are those of executing the command, in the same order.
 *
 * Read-only: no visible state changes. The draft row is scratch memory between commands.
 */

import { NO_TRADING } from '../access/users.ts';
import type {
  CancelOcoOrder,
  CancelOrder,
  CancelStopOrder,
  Command,
  OrderRequest,
  PlaceOcoOrder,
  PlaceStopOrder,
} from '../commands/commands.ts';
import type { Outcome, Rejected } from '../commands/outcomes.ts';
import { rejected } from '../commands/outcomes.ts';
import type { Rejection } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkName, findOwn, unknownOrder } from './cancel.ts';
import { checkMarket, checkTerms, readDraft } from './check.ts';
import { checkOcoTerms, readOcoDraft, checkStopTerms, readStopDraft } from './stops/stops.ts';

/**
 * The outcome of a command that is certain to be rejected in a record of the given time; null for any other. The caller
 * ensures that no operator's command comes before it, and none of the same user if it has a client id.
 */
export function refuseEarly(state: State, command: Command, time: number): Outcome | null {
  // Due changes and an unfinished uncross are applied before the record's commands, which are checked by the new terms.
  const { notices, auctions, schedule } = state;
  if (Math.min(notices.due.firstRank, auctions.firstRank, schedule.due.firstRank) <= time) return null;
  if (state.unfinished.hasMarkets) return null;
  const { once } = command;
  const wrong = once === undefined ? null : state.onceIds.check(once, time);
  // An invalid request id is not recorded.
  if (wrong) return wrong.code === 'request-repeated' ? rejected(wrong) : null;
  switch (command.kind) {
    case 'place-order':
    case 'test-order':
      return orNull(refuseOrder(state, command.user, command));
    case 'place-orders':
      return refuseOrders(state, command.user, command.orders);
    case 'place-stop-order':
      return orNull(refuseStop(state, command));
    case 'place-oco-order':
      return orNull(refuseOco(state, command));
    case 'cancel-order':
      return orNull(refuseCancel(state, command));
    case 'cancel-stop-order':
      return orNull(refuseCancelIn(state.stops, state, command));
    case 'cancel-oco-order':
      return orNull(refuseCancelIn(state.ocos, state, command));
    default:
      return null;
  }
}

const orNull = (rejection: Rejection | null): Rejected | null => (rejection ? rejected(rejection) : null);

/** A batch is rejected early only if every order of it is. */
function refuseOrders(state: State, user: number, orders: readonly OrderRequest[]): Outcome | null {
  const refused = state.users.unknown(user) ?? state.users.barred(user, NO_TRADING);
  if (refused) return rejected(refused);
  const outcomes: Rejected[] = [];
  for (const order of orders) {
    const rejection = refuseOrder(state, user, order);
    if (!rejection) return null;
    outcomes.push(rejected(rejection));
  }
  return { kind: 'orders', outcomes };
}

function refuseOrder(state: State, user: number, request: OrderRequest): Rejection | null {
  const draft = state.orders.draft();
  const wrong = readDraft(state, draft, user, request);
  if (wrong) return wrong;
  const instrument = state.instruments.all[request.symbol];
  const refused =
    checkMarket(state, draft, instrument) ?? checkTerms(state, draft, instrument, request.funds);
  return unlessIdUsed(state, user, request.clientId, refused);
}

function refuseStop(state: State, command: PlaceStopOrder): Rejection | null {
  const draft = state.orders.draft();
  const wrong = readStopDraft(state, draft, command);
  if (wrong) return wrong;
  return unlessIdUsed(state, command.user, command.clientId, checkStopTerms(state, draft, command));
}

function refuseOco(state: State, command: PlaceOcoOrder): Rejection | null {
  const draft = state.orders.draft();
  const wrong = readOcoDraft(state, draft, command);
  if (wrong) return wrong;
  return unlessIdUsed(state, command.user, command.clientId, checkOcoTerms(state, draft, command));
}

/**
 * A used client id is rejected before the terms are checked, and may be free when the record is applied. Looked up only
 * for an order that would be rejected: most are not, and the look-up costs as much as the other checks.
 */
const unlessIdUsed = (
  state: State,
  user: number,
  clientId: string | undefined,
  refused: Rejection | null,
): Rejection | null => (refused && clientId && state.clientIds.find(user, clientId) !== 0 ? null : refused);

/** The id of a done order never becomes an active order again. */
function refuseCancel(state: State, command: CancelOrder): Rejection | null {
  const { order } = command;
  if (order === undefined || order > state.idsGiven || state.orders.rowOf(order) >= 0) return null;
  const found = findOwn(state, command);
  return typeof found === 'number' ? null : found;
}

/** The same for stop orders or pairs; pending ones are in the table. */
function refuseCancelIn(
  table: { get(id: number): unknown },
  state: State,
  command: CancelStopOrder | CancelOcoOrder,
): Rejection | null {
  const { order } = command;
  if (order === undefined || order > state.idsGiven || table.get(order)) return null;
  return checkName(state, command) ?? unknownOrder(command);
}
