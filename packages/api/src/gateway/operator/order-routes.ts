/** Orders and fills of one user, in the format of the user's own lists; and cancelling users' orders. */

import type { Outcome } from '@bourse/core';
import { EVERYBODY, shortened } from '@bourse/engine';
import { DIALECTS } from '../route.ts';
import { parseMarkedId, parseOrderId } from '../ids.ts';
import { orderDetail } from '../orders/order-detail.ts';
import { showFills } from '../routes/orders/lookup.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findSymbol, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const LIMIT = 100;
const LIMIT_MAX = 500;
const NO_ORDER = -1;

const Text = Type.String();
const Digits = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a whole number' }));
const LIST = { symbol: Type.Optional(Text), after: Digits, limit: Digits };

/** Orders are formatted as in the interface document. */
const LITERAL = DIALECTS.find(({ isLiteral }) => isLiteral)!;

export const ORDER_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-user-orders',
    method: 'GET',
    path: '/v1/users/:userId/orders',
    summary:
      'Orders of a user by `status` (active, done), the newest first. Next page: `after` the `lastId`, which is 0 at the end.',
    params: { userId: Text },
    query: { status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('done')])), ...LIST },
    async handle({ services, params, query }) {
      const { status = 'active', ...list } = query;
      const filter = filterOf(services, params.userId, list);
      const show = (order: Parameters<typeof orderDetail>[0]): unknown =>
        JSON.parse(orderDetail(order, services.catalogue, LITERAL));
      if (status === 'active') {
        const { user, symbol, limit, after = Infinity } = filter;
        const numbers =
          symbol === undefined ? services.catalogue.symbols().map((each) => each.symbol) : [symbol];
        const open = await services.port.read((exchange) =>
          numbers.flatMap((number) => exchange.openOrders(user, number)),
        );
        const rest = open.filter(({ order }) => order < after).toSorted((a, b) => b.order - a.order);
        const page = rest.slice(0, limit);
        return { lastId: page.at(-1)?.order ?? 0, totalNum: open.length, items: page.map(show) };
      }
      await services.historyCaughtUp();
      let lastId = 0;
      const items = await services.longLists.collect({
        user: EVERYBODY,
        page: filter,
        read: (piece) => services.history.orders({ ...filter, ...piece }),
        show(rows) {
          lastId = rows.at(-1)?.id ?? lastId;
          return rows.map(show);
        },
      });
      return { lastId, totalNum: null, items };
    },
  }),
  operatorRoute({
    id: 'list-user-fills',
    method: 'GET',
    path: '/v1/users/:userId/fills',
    summary:
      'Fills of a user, the newest first, of all symbols, of one, or of one order. Next page: `after` the `lastId`.',
    params: { userId: Text },
    query: { orderId: Type.Optional(Text), ...LIST },
    async handle({ services, params, query }) {
      const { orderId, ...list } = query;
      const filter = filterOf(services, params.userId, list);
      const order = orderId === undefined ? undefined : (parseOrderId(orderId)?.number ?? NO_ORDER);
      await services.historyCaughtUp();
      let lastId = 0;
      const items = await services.longLists.collect({
        user: EVERYBODY,
        page: filter,
        read: (piece) =>
          services.history.fills({ ...filter, ...(order !== undefined && { order }), ...piece }),
        show(rows) {
          lastId = rows.at(-1)?.id ?? lastId;
          return showFills(services, rows);
        },
      });
      return { lastId, items };
    },
  }),
  operatorRoute({
    id: 'cancel-user-orders',
    method: 'DELETE',
    path: '/v1/users/:userId/orders',
    roles: ['support'],
    summary:
      'Cancels all orders of a user, or those in one symbol, including stop and OCO orders. The user sees the reason in their `remark`.',
    params: { userId: Text },
    query: { symbol: Type.Optional(Text) },
    async handle({ services, params, query, act }) {
      const { number: user } = findUser(services, params.userId);
      const symbol = query.symbol === undefined ? undefined : findSymbol(services, query.symbol).symbol;
      return cancelledBy(
        await act({ kind: 'cancel-for-others', user, ...(symbol !== undefined && { symbol }) }),
      );
    },
  }),
  operatorRoute({
    id: 'cancel-order',
    method: 'DELETE',
    path: '/v1/orders/:order',
    roles: ['support'],
    summary: 'Cancels an order, stop or OCO order of any user. The user sees the reason in its `remark`.',
    params: { order: Text },
    async handle({ services, params, act }) {
      const named = await findAnyOrder(services, params.order);
      return cancelledBy(await act({ kind: 'cancel-for-others', ...named }));
    },
  }),
  operatorRoute({
    id: 'cancel-symbol-orders',
    method: 'DELETE',
    path: '/v1/symbols/:symbol/orders',
    roles: ['support', 'listing'],
    summary:
      'Cancels all orders of all users in a symbol. A large book takes several records; new orders in the symbol wait meanwhile.',
    params: { symbol: Text },
    async handle({ services, params, act }) {
      const { symbol, code } = findSymbol(services, params.symbol);
      await act({ kind: 'cancel-for-others', symbol });
      return { symbol: code, cancelled: true };
    },
  }),
];

/** Finds an active order, or a pending stop or OCO order. */
async function findAnyOrder({ port }: OperatorServices, text: string) {
  const parsed = parseOrderId(text);
  const stop = parseMarkedId('stop-order', text);
  const oco = parseMarkedId('oco-order', text);
  const found = await port.read((exchange) => {
    if (parsed !== null) {
      const order = exchange.order(parsed.number);
      return order && Math.floor(order.createdAt / 1000) === parsed.seconds ? order : null;
    }
    const { reference } = exchange;
    const waiting = stop < 0 ? null : reference.stopOrder(stop);
    if (waiting) return { order: stop, user: waiting.user, symbol: waiting.request.symbol };
    const pair = oco < 0 ? null : reference.ocoOrder(oco);
    return pair && { order: oco, user: pair.user, symbol: pair.symbol };
  });
  if (!found) {
    throw operatorRefusal('order-unknown', `No active order has the id '${shortened(text)}'.`);
  }
  const { order, user, symbol } = found;
  return { order, user, symbol };
}

/** Not reached if the call is held for approval: `act` throws then. */
function cancelledBy(outcome: Outcome) {
  if (outcome.kind !== 'cancelled') throw new Error(`unexpected outcome '${outcome.kind}' of a cancellation`);
  return { cancelled: outcome.orders.length };
}

interface ListQuery {
  readonly symbol?: string;
  readonly after?: string;
  readonly limit?: string;
}

function filterOf(services: OperatorServices, user: string, { symbol, after, limit }: ListQuery) {
  return {
    user: findUser(services, user).number,
    limit: Math.min(Number(limit) || LIMIT, LIMIT_MAX),
    ...(symbol !== undefined && { symbol: findSymbol(services, symbol).symbol }),
    ...(after !== undefined && { after: Number(after) }),
  };
}
