/** What a client of the feed may cost: each bound with its unit, default and reason. */

export interface FeedLimits {
  readonly feedMessageBytesMax: number;
  readonly feedFragmentsMax: number;
  readonly feedBufferedBytesMax: number;
  readonly feedConnectionsPerUserMax: number;
  readonly feedConnectionsPerAddressMax: number;
  readonly feedConnectsPerUserMax: number;
  readonly feedConnectsPerAddressMax: number;
  readonly feedMessagesMax: number;
  readonly feedTopicsPerCallMax: number;
  readonly feedTopicsMax: number;
  readonly feedTunnelsMax: number;
  readonly feedPingIntervalMs: number;
  readonly feedPingTimeoutMs: number;
  readonly feedIdleMsMax: number;
  readonly feedAgeMsMax: number;
}

interface LimitRow {
  readonly unit: string;
  readonly value: number;
  /** How far it may be moved. */
  readonly range: readonly [number, number];
  readonly reason: string;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const FEED_LIMITS: Readonly<Record<keyof FeedLimits, LimitRow>> = {
  feedMessageBytesMax: {
    unit: 'bytes',
    value: 65_536,
    range: [1024, MIB],
    reason: 'A message of a client: a hundred topics need about 4 KiB. Above it: closed with 1009.',
  },
  feedFragmentsMax: {
    unit: 'frames',
    value: 64,
    range: [1, 16_384],
    reason: 'Frames that one message may come in: many small ones cost more than they carry.',
  },
  feedBufferedBytesMax: {
    unit: 'bytes',
    value: 4 * MIB,
    range: [16 * 1024, 1024 * MIB],
    reason:
      'What may wait for a slow reader before it is cut off with 1013; further readers pay nothing for it.',
  },
  feedConnectionsPerUserMax: {
    unit: 'connections',
    value: 800,
    range: [1, 1e6],
    reason: 'Connections of one user with private tokens, each sub-account its own.',
  },
  feedConnectionsPerAddressMax: {
    unit: 'connections',
    value: 1000,
    range: [1, 1e6],
    reason: 'Connections of one address with public tokens.',
  },
  feedConnectsPerUserMax: {
    unit: 'connections per minute',
    value: 30,
    range: [1, 1e6],
    reason: 'New connections of one user: a client that reconnects in a loop must slow down.',
  },
  feedConnectsPerAddressMax: {
    unit: 'connections per minute',
    value: 300,
    range: [1, 1e6],
    reason: 'The same for public tokens, by address; more, because many may share one.',
  },
  feedMessagesMax: {
    unit: 'messages per 10 s',
    value: 100,
    range: [1, 1e6],
    reason: 'Messages of one connection; further ones are refused, and twice as many end the connection.',
  },
  feedTopicsPerCallMax: {
    unit: 'topics',
    value: 100,
    range: [1, 1e4],
    reason: 'Topics in one message.',
  },
  feedTopicsMax: {
    unit: 'topics',
    value: 400,
    range: [1, 1e5],
    reason: 'Topics of one connection.',
  },
  feedTunnelsMax: {
    unit: 'tunnels',
    value: 5,
    range: [0, 100],
    reason: 'Tunnels of one connection.',
  },
  feedPingIntervalMs: {
    unit: 'ms',
    value: 18_000,
    range: [1000, 10 * MINUTE_MS],
    reason: 'How often clients are told to ping.',
  },
  feedPingTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    range: [1000, 10 * MINUTE_MS],
    reason: 'How long clients are told to wait for the pong.',
  },
  feedIdleMsMax: {
    unit: 'ms',
    value: MINUTE_MS,
    range: [1000, DAY_MS],
    reason: 'A connection that says nothing for so long is dead; a client that pings as told is far from it.',
  },
  feedAgeMsMax: {
    unit: 'ms',
    value: DAY_MS,
    range: [1000, 30 * DAY_MS],
    reason: 'A connection lasts no longer than its token could.',
  },
};

export const DEFAULT_FEED_LIMITS = Object.fromEntries(
  Object.entries(FEED_LIMITS).map(([name, { value }]) => [name, value]),
) as unknown as FeedLimits;
