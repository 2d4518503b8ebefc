/** Orders and fills of one user, as the user's own lists show them. */

import { EVERYBODY } from '@bourse/engine';
import { DIALECTS } from '../dialects.ts';
import { parseOrderId } from '../ids.ts';
import { orderDetail } from '../orders/order-detail.ts';
import { showFills } from '../routes/orders/done-orders.ts';
import { Type } from '../schema.ts';
import { findSymbol, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const LIMIT = 100;
const LIMIT_MAX = 500;
const NO_ORDER = -1;

const Text = Type.String();
const Digits = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a whole number' }));
const LIST = { symbol: Type.Optional(Text), after: Digits, limit: Digits };

/** Orders are written as the document of the interface has them. */
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
];

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
