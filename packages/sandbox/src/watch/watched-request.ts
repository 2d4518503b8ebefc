/** A request as an event for expectations and assertions, with the fields of its body. */

import type { WatchedEvent } from './events.ts';
import type { RequestEntry } from './request-list.ts';

/** A longer body is not a single order. */
const BODY_MAX = 16_384;

export function watchedRequest(entry: RequestEntry): WatchedEvent {
  const { symbol, clientOid } = fieldsOfBody(entry.body);
  return { kind: 'request', ...entry, symbol: textOf(symbol), clientOid: textOf(clientOid) };
}

/** The approximate size of an event of a record. */
const EVENT_BYTES = 512;

/** How many events the request counts as: its texts may be a hundred times as large as one event. */
export function watchedSize({ query, body, answer }: RequestEntry): number {
  return 1 + Math.floor((query.length + body.length + answer.length) / EVENT_BYTES);
}

interface BodyFields {
  readonly symbol?: unknown;
  readonly symbols?: unknown;
  readonly clientOid?: unknown;
  readonly orderList?: unknown;
}

export function fieldsOfBody(body: string): BodyFields {
  if (!body.startsWith('{') || body.length > BODY_MAX) return {};
  try {
    const value = JSON.parse(body) as BodyFields & { readonly args?: BodyFields };
    // Order entry nests the order's fields one level deeper.
    return value.args ?? value;
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
