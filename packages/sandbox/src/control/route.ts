/** A row of the sandbox's control interface. Like the operator's rows, without reasons: a sandbox has no audits. */

import { type BearerRoute, type Static, type TObject, type TProperties, Type } from '@bourse/api';
import type { Sandbox } from '../sandbox.ts';

export interface ControlCall<Params, Query, Body> {
  readonly sandbox: Sandbox;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

export interface ControlRoute extends Omit<BearerRoute, 'handle'> {
  handle(call: ControlCall<never, never, never>): unknown;
}

type Parts<P extends TProperties, Q extends TProperties, B extends TProperties> = {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(call: ControlCall<Static<TObject<P>>, Static<TObject<Q>>, Static<TObject<B>>>): unknown;
} & Pick<BearerRoute, 'id' | 'method' | 'path' | 'summary'>;

/** Keeps a row's types together. A member that the row does not know is refused. */
export function controlRoute<
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TProperties = Record<never, never>,
>(parts: Parts<P, Q, B>): ControlRoute {
  const { params, query, body, ...rest } = parts;
  const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
  return {
    ...rest,
    ...(params ? { params: closed(params) } : {}),
    query: closed(query ?? {}),
    ...(parts.method === 'POST' ? { body: closed(body ?? {}) } : {}),
  } as ControlRoute;
}
