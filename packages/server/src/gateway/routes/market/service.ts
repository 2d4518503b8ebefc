/** What clients ask before anything else: the time, whether the service is open, and things that do not exist here. */

import { pagedSchema } from '../../paging.ts';
import { type TSchema, Type, wordOf } from '../../schema.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const text = Type.String();

const common = { method: 'GET', access: 'public', pool: 'public', shape: 'A' } as const;

export function serviceRoutes({ clock, port, catalogue }: Services): Route[] {
  return [
    route({
      ...common,
      id: 'get-server-time',
      path: '/api/v1/timestamp',
      summary: "The server's clock, in milliseconds.",
      weight: 3,
      answer: Type.Integer(),
      handle: () => clock.now(),
    }),
    route({
      ...common,
      id: 'get-service-status',
      path: '/api/v1/status',
      summary: 'Whether orders are taken.',
      weight: 3,
      answer: Type.Object({ status: wordOf('open', 'close', 'cancelonly'), msg: text }),
      handle() {
        const { state } = port.health;
        return state === 'open' ? { status: 'open', msg: '' } : { status: 'close', msg: state };
      },
    }),
    route({
      ...common,
      id: 'get-my-ip',
      path: '/api/v1/my-ip',
      summary: "The caller's address, as an IP allow-list would see it.",
      // As documented it costs nothing of the public pool; it costs a little of the service pool, so that it has a
      // bound.
      pool: 'service',
      weight: 1,
      answer: text,
      handle: ({ ip }) => ip,
    }),
    route({
      ...common,
      id: 'list-markets',
      path: '/api/v1/markets',
      summary: 'The trading markets that symbols belong to.',
      weight: 3,
      answer: Type.Array(text),
      handle: () => [...new Set(catalogue.symbols().map(({ market }) => market))],
    }),
    ...absentRoutes(),
  ];
}

/**
 * Clients of the family look for margin and contract markets, account modes and announcements when they start. There
 * are none, and saying so in the expected shape lets them go on.
 */
function absentRoutes(): Route[] {
  const none = Type.Array(Type.Object({}), { maxItems: 0 });
  const empty = (id: string, path: string, summary: string, answer: TSchema, data: unknown): Route =>
    route({ ...common, id, path, summary, weight: 3, answer, handle: () => data });
  return [
    route({
      ...common,
      id: 'get-account-mode',
      path: '/api/ua/v1/account/mode',
      summary: 'Accounts are of the classic kind.',
      access: 'general',
      pool: 'manage',
      weight: 5,
      answer: Type.Object({ selfAccountMode: text }),
      handle: () => ({ selfAccountMode: 'CLASSIC' }),
    }),
    empty(
      'list-margin-symbols',
      '/api/v3/margin/symbols',
      'No margin trading: none.',
      Type.Object({ timestamp: Type.Integer(), items: none }),
      { timestamp: 0, items: [] },
    ),
    empty('list-isolated-symbols', '/api/v1/isolated/symbols', 'No isolated margin: none.', none, []),
    empty('list-contracts', '/api/v1/contracts/active', 'No contracts: none.', none, []),
    empty(
      'list-announcements',
      '/api/v3/announcements',
      'No announcements: none.',
      pagedSchema(Type.Object({})),
      { totalNum: 0, totalPage: 0, currentPage: 1, pageSize: 10, items: [] },
    ),
  ];
}
