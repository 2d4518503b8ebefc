/**
 * Estimates the bytes of a command in the log and in the queue. Accurate enough to bound a queue and a record, and
 * cheap enough for every command; the log counts its actual bytes.
 */

import type { Command, OrderRequest } from '@bourse/core';

const ORDER_BYTES = 64;
const CANDLE_BYTES = 40;
const FIELD_BYTES = 16;

export function commandBytes(command: Command): number {
  switch (command.kind) {
    case 'place-order':
      return orderBytes(command);
    case 'cancel-order':
      return ORDER_BYTES + (command.clientId?.length ?? 0);
    case 'place-orders': {
      let bytes = ORDER_BYTES;
      for (const order of command.orders) bytes += orderBytes(order);
      return bytes;
    }
    case 'import-candles':
      return ORDER_BYTES + CANDLE_BYTES * command.candles.length;
    default:
      return valueBytes(command);
  }
}

function orderBytes({ clientId, tags, remark }: OrderRequest): number {
  return ORDER_BYTES + (clientId?.length ?? 0) + (tags?.length ?? 0) + (remark?.length ?? 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return FIELD_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = FIELD_BYTES;
  for (const key of Object.keys(value)) {
    bytes += FIELD_BYTES + valueBytes((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
