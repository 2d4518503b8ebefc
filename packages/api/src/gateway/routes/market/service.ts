/**
 * The calls that clients make first: the time, whether the service is open, the feed's address with a token, and features that do
 * not exist here.
 */

import type { ScheduleEntry } from '@bourse/core';
import { FEED_PATH, NOBODY } from '../../access/feed-tokens.ts';
import {
  announcement,
  ANNOUNCEMENT_SCHEMA,
  DEFAULT_TYPE,
  scheduledNotice,
  TYPES,
  typesOf,
} from '../../announcements.ts';
import { cutPage, PAGE_QUERY, pagedSchema, pageOf, spanOf } from '../../paging.ts';
import { route, type Route } from '../../route.ts';
import { type TSchema, Type, wordOf } from '../../schema.ts';
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
      summary: 'Whether the exchange accepts orders.',
      weight: 3,
      answer: Type.Object({ status: wordOf('open', 'close', 'cancelonly'), msg: text }),
      handle() {
        const { state } = port.health;
        if (state === 'open' && catalogue.isPaused) return { status: 'close', msg: 'paused' };
        return state === 'open' ? { status: 'open', msg: '' } : { status: 'close', msg: state };
      },
    }),
    route({
      ...common,
      id: 'get-my-ip',
      path: '/api/v1/my-ip',
      summary: "The caller's IP address, as an IP allow-list sees it.",
      // As documented, it costs nothing from the public pool; a small cost from the service pool bounds it.
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
    ...[3, 1].map((version) =>
      route({
        ...common,
        id: `list-announcements-v${version}`,
        path: `/api/v${version}/announcements`,
        summary: 'Announcements, newest first, with scheduled changes of increments.',
        weight: 20,
        query: {
          annType: Type.Optional(wordOf(...TYPES)),
          lang: Type.Optional(text),
          startTime: Type.Optional(text),
          endTime: Type.Optional(text),
          ...PAGE_QUERY,
        },
        answer: pagedSchema(ANNOUNCEMENT_SCHEMA),
        async handle(call) {
          const { lang, startTime, endTime } = call.query;
          const annType = call.query.annType || DEFAULT_TYPE;
          const page = pageOf(call);
          const span = spanOf({ ...call, query: { startAt: startTime, endAt: endTime } });
          const { from = 0, until = Infinity } = span as { readonly from?: number; readonly until?: number };
          const now = clock.now();
          const all = await port.read(({ reference }) => [
            ...reference
              .schedule()
              .filter(isPublic)
              .map((each) => scheduledNotice(each, catalogue)),
            ...reference.notices(),
          ]);
          const wanted = all.filter(
            ({ publishAt, types, language }) =>
              publishAt <= now &&
              publishAt >= from &&
              publishAt <= until &&
              typesOf(types).includes(annType) &&
              (lang === undefined || lang === '' || lang === language),
          );
          const newest = wanted.toSorted((a, b) => b.publishAt - a.publishAt || b.notice - a.notice);
          return cutPage(
            page,
            newest.map((each) => announcement(each, catalogue)),
          );
        },
      }),
    ),
    ...absentRoutes(),
  ];
}

/** Fee changes of a single user are private. */
const isPublic = ({ command }: ScheduleEntry): boolean => !('user' in command && command.user !== undefined);

/**
 * Clients of the family query margin and contract markets and account modes at start. There are none; empty responses
 * in the expected shape let them continue.
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
      summary: 'The account mode, which is always classic.',
      access: 'general',
      pool: 'manage',
      weight: 5,
      answer: Type.Object({ selfAccountMode: text }),
      handle: () => ({ selfAccountMode: 'CLASSIC' }),
    }),
    empty(
      'list-margin-symbols',
      '/api/v3/margin/symbols',
      'Margin symbols: always empty.',
      Type.Object({ timestamp: Type.Integer(), items: none }),
      { timestamp: 0, items: [] },
    ),
    empty(
      'list-isolated-symbols',
      '/api/v1/isolated/symbols',
      'Isolated margin symbols: always empty.',
      none,
      [],
    ),
    empty('list-contracts', '/api/v1/contracts/active', 'Contracts: always empty.', none, []),
  ];
}

// The feed's address, and a token for it: public, or for one user's private topics.

const SERVER = Type.Object({
  endpoint: Type.String(),
  encrypt: Type.Boolean(),
  protocol: Type.Literal('websocket'),
  pingInterval: Type.Integer(),
  pingTimeout: Type.Integer(),
});

export function feedTokenRoutes(services: Services): Route[] {
  const tokenRow = {
    method: 'POST',
    weight: 10,
    shape: 'A',
    answer: Type.Object({ token: Type.String(), instanceServers: Type.Array(SERVER) }),
  } as const;
  const answer = (token: string, host: string) => {
    const { publicUrl, isSecure, pings } = services.feedTokens;
    const endpoint = feedUrl(publicUrl, isSecure, host);
    return {
      token,
      instanceServers: [
        {
          endpoint,
          encrypt: endpoint.startsWith('wss:'),
          protocol: 'websocket',
          pingInterval: pings.feedPingIntervalMs,
          pingTimeout: pings.feedPingTimeoutMs,
        },
      ],
    };
  };
  const ofVersion = (version: 1 | 2): Route[] => [
    route({
      ...tokenRow,
      id: version === 1 ? 'get-public-feed-token' : 'get-public-feed-token-v2',
      path: `/api/v${version}/bullet-public`,
      summary: 'A token for the public topics of the feed, valid for 24 hours and any number of connections.',
      access: 'public',
      pool: 'public',
      handle: ({ host, signer }) => {
        const owner = signer < 0 ? NOBODY : { ...NOBODY, holder: signer };
        return answer(services.feedTokens.tokens.issue(owner), host);
      },
    }),
    route({
      ...tokenRow,
      id: version === 1 ? 'get-private-feed-token' : 'get-private-feed-token-v2',
      path: `/api/v${version}/bullet-private`,
      summary: "A token for all topics of the feed, including the user's private ones.",
      access: 'general',
      pool: 'spot',
      handle: ({ user, key, host }) => answer(services.feedTokens.tokens.issue({ user, key }), host),
    }),
  ];
  // Clients of the family use either version; both are the same.
  return [...ofVersion(1), ...ofVersion(2)];
}

/** The Host header becomes part of the address in the response; an invalid host name is replaced. */
function feedUrl(publicUrl: string, isSecure: boolean, host: string): string {
  if (publicUrl !== '') return `ws${publicUrl.slice('http'.length)}${FEED_PATH}`;
  const scheme = isSecure ? 'wss' : 'ws';
  return `${scheme}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}${FEED_PATH}`;
}
