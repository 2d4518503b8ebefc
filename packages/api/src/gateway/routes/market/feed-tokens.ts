/** The feed's address, and a token for it: public, or for one user's private topics. */

import { Type } from '../../schema.ts';
import { FEED_PATH, NOBODY } from '../../access/feed-tokens.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const SERVER = Type.Object({
  endpoint: Type.String(),
  encrypt: Type.Boolean(),
  protocol: Type.Literal('websocket'),
  pingInterval: Type.Integer(),
  pingTimeout: Type.Integer(),
});

export function feedTokenRoutes(services: Services): Route[] {
  const common = {
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
      ...common,
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
      ...common,
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
