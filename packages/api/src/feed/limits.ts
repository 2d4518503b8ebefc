/** Limits on a client of the feed, each with its unit, default and reason. */

import {
  DAY_MS,
  defaultsOf,
  type LimitsOf,
  type LimitTable,
  MIB,
  MINUTE_MS,
} from '../gateway/limit-table.ts';

export const FEED_LIMITS = {
  feedMessageBytesMax: {
    unit: 'bytes',
    value: 65_536,
    reason: 'A message of a client: a hundred topics need about 4 KiB. Above it: closed with 1009.',
  },
  feedFragmentsMax: {
    unit: 'frames',
    value: 64,
    reason: 'Frames that one message may come in: many small ones cost more than they carry.',
  },
  feedBufferedBytesMax: {
    unit: 'bytes',
    value: 4 * MIB,
    reason:
      'What may wait for a slow reader before it is cut off with 1013; further readers pay nothing for it.',
  },
  feedBufferedBytesPerAddressMax: {
    unit: 'bytes',
    value: 64 * MIB,
    reason:
      'The same for all connections of one address (IPv6: its /64) together: whoever is given more then is cut off.',
  },
  feedBufferedBytesInAllMax: {
    unit: 'bytes',
    value: 256 * MIB,
    reason: 'The same for everybody together: what slow readers may add to the memory of the process.',
  },
  feedConnectionsPerUserMax: {
    unit: 'connections',
    value: 800,
    reason: 'Connections of one user with private tokens, each sub-account its own.',
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
    reason: 'Messages of one connection; further ones are refused, and twice as many end the connection.',
  },
  feedMessagesPerAddressMax: {
    unit: 'messages per 10 s',
    value: 3000,
    reason:
      'Messages of all connections of one user, or with public tokens of one address, together; four new topics count as one. Further ones are refused.',
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
    reason: 'How often clients are told to ping.',
  },
  feedPingTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    reason: 'How long clients are told to wait for the pong.',
  },
  feedIdleMsMax: {
    unit: 'ms',
    value: MINUTE_MS,
    reason: 'A connection that says nothing for so long is dead; a client that pings as told is far from it.',
  },
  feedAgeMsMax: {
    unit: 'ms',
    value: DAY_MS,
    reason: 'A connection lasts no longer than its token could.',
  },
} as const satisfies LimitTable;

export type FeedLimits = LimitsOf<typeof FEED_LIMITS>;

export const DEFAULT_FEED_LIMITS: FeedLimits = defaultsOf(FEED_LIMITS);
