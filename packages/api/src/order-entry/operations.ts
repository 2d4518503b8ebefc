/** The operations of order entry: each is a route of the gateway under another name, its arguments in one object. */

import type { Permission } from '@bourse/core';
import type { Terms } from '../gateway/admission.ts';
import type { Call, Dialect, Route } from '../gateway/route.ts';
import {
  type JsonObject,
  type Members,
  membersOf,
  NumberText,
  parseNumbersAsText,
  requiredText,
} from '../gateway/members.ts';
import type { Meter, Metrics } from '../gateway/http/metrics.ts';
import type { MountedRoute } from '../gateway/http/routing.ts';
import { invalid } from '../gateway/errors/refusal.ts';

/** A request's arguments in the form the route takes. */
export type Arguments = Pick<
  Call<Record<string, string>, Record<string, string | undefined>, unknown>,
  'params' | 'query' | 'body'
>;

export interface Operation extends Terms {
  /** Its name in messages. */
  readonly op: string;
  readonly meter: Meter;
  readonly access: Permission;
  /** The route whose permission, pool and weight apply to the operation. */
  readonly route: Route;
  /** Throws refusals. */
  prepare(args: Members): Arguments & { readonly route: Route };
}

const NONE = Object.freeze({});

/** By op. Throws if a route is missing, which means that this table is wrong. */
export function operationsOf(
  mounted: readonly MountedRoute[],
  metrics: Metrics,
): ReadonlyMap<string, Operation> {
  const route = (id: string): Route => {
    const found = mounted.find((each) => each.route.id === id);
    if (found === undefined) throw new Error(`order entry needs the route ${id}`);
    return found.route;
  };
  const make = (op: string, terms: Route, prepare: Operation['prepare']): [string, Operation] => {
    const { access, pool, weight } = terms;
    if (access === 'public' || pool === 'public') throw new Error(`${op} cannot be public`);
    return [op, { op, route: terms, access, pool, weight, prepare, meter: metrics.meter(op, 'order-entry') }];
  };
  const withBody = (op: string, id: string): [string, Operation] => {
    const target = route(id);
    return make(op, target, (args) => ({ route: target, params: NONE, query: NONE, body: args }));
  };
  const cancel = (op: string, id: string): [string, Operation] => {
    const byId = route(id);
    const byClientOid = route(`${id}-by-client-oid`);
    return make(op, byId, (args) => {
      const query = { symbol: requiredText(args['symbol'], 'symbol', false) };
      // If both are given, the order id decides: it names one order, while a client id may have been reused.
      if (isGiven(args['orderId'])) {
        const orderId = requiredText(args['orderId'], 'orderId', false);
        return { route: byId, params: { orderId }, query, body: undefined };
      }
      if (!isGiven(args['clientOid'])) throw invalid('One of orderId and clientOid is required.');
      const clientOid = requiredText(args['clientOid'], 'clientOid', false);
      return { route: byClientOid, params: { clientOid }, query, body: undefined };
    });
  };
  return new Map([
    withBody('spot.order', 'place-order'),
    withBody('spot.sync_order', 'sync-place-order'),
    withBody('spot.modify', 'alter-order'),
    cancel('spot.cancel', 'cancel-order'),
    cancel('spot.sync_cancel', 'sync-cancel-order'),
  ]);
}

/**
 * The arguments of a message. The family dialect accepts numbers for decimals, so there they keep their
 * notation: a parsed one may have been rounded. The literal dialect accepts only integers as numbers.
 */
export function argumentsOf(message: JsonObject, bytes: Buffer, { isLiteral }: Dialect): Members {
  const args = membersOf(message['args'], 'args');
  if (isLiteral) return args;
  for (const name in args) {
    if (typeof args[name] === 'number') return parseNumbersAsText(bytes)['args'] as Members;
  }
  return args;
}

const isGiven = (value: unknown): boolean =>
  value instanceof NumberText || (value !== undefined && value !== null && value !== '');
