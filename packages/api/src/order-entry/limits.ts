/** Limits on a client of order entry, each with its unit, default and reason. */

import {
  DAY_MS,
  defaultsOf,
  type LimitsOf,
  type LimitTable,
  MIB,
  MINUTE_MS,
} from '../gateway/limit-table.ts';

const ORDER_ENTRY_LIMITS = {
  orderEntryMessageBytesMax: {
    unit: 'bytes',
    value: 16_384,
    reason: 'An order needs about 300. Above it: closed with 1009.',
  },
  orderEntryInFlightMax: {
    unit: 'messages',
    value: 1024,
    reason:
      'Messages of one connection that may wait for their answers; above it no more is read until some are out.',
  },
  orderEntryBufferedBytesMax: {
    unit: 'bytes',
    value: 2 * MIB,
    reason: 'Answers that may wait for a slow reader before it is cut off.',
  },
  orderEntryBufferedBytesPerAddressMax: {
    unit: 'bytes',
    value: 32 * MIB,
    reason: 'The same for all connections of one address (IPv6: its /64) together.',
  },
  orderEntryBufferedBytesInAllMax: {
    unit: 'bytes',
    value: 128 * MIB,
    reason: 'The same for everybody together.',
  },
  orderEntrySessionsPerUserMax: {
    unit: 'connections',
    value: 100,
    reason: 'Connections of one user, each sub-account its own.',
  },
  orderEntryErrorsMax: {
    unit: 'messages',
    value: 100,
    reason: 'Messages in a row that are no requests at all; then the connection is closed.',
  },
  orderEntryChallengeMs: {
    unit: 'ms',
    value: 30_000,
    reason: 'How long a client has to sign the challenge.',
  },
  orderEntryPingIntervalMs: {
    unit: 'ms',
    value: 18_000,
    reason: 'How often clients are told to ping.',
  },
  orderEntryPingTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    reason: 'How long clients are told to wait for the pong.',
  },
  orderEntryIdleMsMax: {
    unit: 'ms',
    value: MINUTE_MS,
    reason: 'A connection that says nothing for so long is dead.',
  },
  orderEntryAgeMsMax: {
    unit: 'ms',
    value: DAY_MS,
    reason: 'A session signs in again at least once a day.',
  },
} as const satisfies LimitTable;

export type OrderEntryLimits = LimitsOf<typeof ORDER_ENTRY_LIMITS>;

export const DEFAULT_ORDER_ENTRY_LIMITS: OrderEntryLimits = defaultsOf(ORDER_ENTRY_LIMITS);
