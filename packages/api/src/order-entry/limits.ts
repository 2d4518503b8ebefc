/** Limits on a client of order entry, each with its unit, default and reason. */

import {
  DAY_MS,
  defaultsOf,
  type LimitsOf,
  type LimitTable,
  MIB,
  MINUTE_MS,
} from '../gateway/http/limits.ts';

export const ORDER_ENTRY_LIMITS = {
  orderEntryMessageBytesMax: {
    unit: 'bytes',
    value: 16_384,
    reason: 'An order needs about 300. Above it: closed with 1009.',
  },
  orderEntryInFlightMax: {
    unit: 'messages',
    value: 1024,
    reason:
      'Unanswered messages of one connection; above it the server stops reading until half of them are answered.',
  },
  orderEntryBufferedBytesMax: {
    unit: 'bytes',
    value: 2 * MIB,
    reason: 'Replies buffered for a slow reader; above it the connection is closed.',
  },
  orderEntryBufferedBytesPerAddressMax: {
    unit: 'bytes',
    value: 32 * MIB,
    reason: 'The same for all connections of one address (IPv6: its /64) together.',
  },
  orderEntryBufferedBytesInAllMax: {
    unit: 'bytes',
    value: 128 * MIB,
    reason: 'The same for all connections of all clients.',
  },
  orderEntrySessionsPerUserMax: {
    unit: 'connections',
    value: 100,
    reason: 'Connections of one user; a sub-account is another user.',
  },
  orderEntryErrorsMax: {
    unit: 'messages',
    value: 100,
    reason: 'Consecutive messages that are not requests; then the connection is closed.',
  },
  orderEntryChallengeMs: {
    unit: 'ms',
    value: 30_000,
    reason: 'Time to sign the challenge.',
  },
  orderEntryPingIntervalMs: {
    unit: 'ms',
    value: 18_000,
    reason: 'Ping interval announced to clients.',
  },
  orderEntryPingTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    reason: 'Pong timeout announced to clients.',
  },
  orderEntryIdleMsMax: {
    unit: 'ms',
    value: MINUTE_MS,
    reason: 'A connection without a message for this long is closed.',
  },
  orderEntryAgeMsMax: {
    unit: 'ms',
    value: DAY_MS,
    reason: 'A session ends after this long; the client signs in again.',
  },
} as const satisfies LimitTable;

export type OrderEntryLimits = LimitsOf<typeof ORDER_ENTRY_LIMITS>;

export const DEFAULT_ORDER_ENTRY_LIMITS: OrderEntryLimits = defaultsOf(ORDER_ENTRY_LIMITS);
