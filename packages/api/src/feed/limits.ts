/** Limits on a client of the feed, each with its unit, default and reason. */

import {
  DAY_MS,
  defaultsOf,
  type LimitsOf,
  type LimitTable,
  MIB,
  MINUTE_MS,
} from '../gateway/http/limits.ts';

export const FEED_LIMITS = {
  feedMessageBytesMax: {
    unit: 'bytes',
    value: 65_536,
    reason: 'Size of a client’s message: a hundred topics need about 4 KiB. Above it: closed with 1009.',
  },
  feedFragmentsMax: {
    unit: 'frames',
    value: 64,
    reason: 'Frames of one message: many small frames cost more than their content.',
  },
  feedBufferedBytesMax: {
    unit: 'bytes',
    value: 4 * MIB,
    reason:
      'Messages buffered for a slow reader; above it the connection is closed with 1013. Other readers are not affected.',
  },
  feedBufferedBytesPerAddressMax: {
    unit: 'bytes',
    value: 64 * MIB,
    reason:
      'The same for all connections of one address (IPv6: its /64) together: the connection that would exceed it is closed.',
  },
  feedBufferedBytesInAllMax: {
    unit: 'bytes',
    value: 256 * MIB,
    reason:
      'The same for all connections of all clients: bounds what slow readers add to the memory of the process.',
  },
  feedConnectionsPerUserMax: {
    unit: 'connections',
    value: 800,
    reason: 'Connections of one user with private tokens; a sub-account is another user.',
  },
  feedConnectionsPerAddressMax: {
    unit: 'connections',
    value: 1000,
    reason: 'Connections of one address with public tokens.',
  },
  feedConnectsPerUserMax: {
    unit: 'connections per minute',
    value: 30,
    reason: 'New connections of one user: a client that reconnects in a loop must slow down.',
  },
  feedConnectsPerAddressMax: {
    unit: 'connections per minute',
    value: 300,
    reason: 'The same for public tokens, by address; more, because many may share one.',
  },
  feedMessagesMax: {
    unit: 'messages per 10 s',
    value: 100,
    reason: 'Messages of one connection; further ones are rejected, and twice as many end the connection.',
  },
  feedMessagesPerAddressMax: {
    unit: 'messages per 10 s',
    value: 3000,
    reason:
      'Messages of all connections of one user, or with public tokens of one address, together; four new topics count as one. Further ones are rejected.',
  },
  feedTopicsPerCallMax: {
    unit: 'topics',
    value: 100,
    reason: 'Topics in one message.',
  },
  feedTopicsMax: {
    unit: 'topics',
    value: 400,
    reason: 'Topics of one connection.',
  },
  feedTunnelsMax: {
    unit: 'tunnels',
    value: 5,
    reason: 'Tunnels of one connection.',
  },
  feedPingIntervalMs: {
    unit: 'ms',
    value: 18_000,
    reason: 'Ping interval announced to clients.',
  },
  feedPingTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    reason: 'Pong timeout announced to clients.',
  },
  feedIdleMsMax: {
    unit: 'ms',
    value: MINUTE_MS,
    reason:
      'A connection without a message for this long is closed; a client that pings at the interval stays far below.',
  },
  feedAgeMsMax: {
    unit: 'ms',
    value: DAY_MS,
    reason: 'A connection lasts no longer than a token is valid.',
  },
} as const satisfies LimitTable;

export type FeedLimits = LimitsOf<typeof FEED_LIMITS>;

export const DEFAULT_FEED_LIMITS: FeedLimits = defaultsOf(FEED_LIMITS);
