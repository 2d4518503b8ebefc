/**
 * A route is a row of data: where it is, who may call it, what it costs, what it takes and gives, and the function
 * that answers. Each dialect mounts the same rows; the tests build the matrix of routes, keys and owners from them.
 */

import type { Permission } from '@bourse/core';
import type { TSchema } from './schema.ts';
import type { Dialect } from './dialects.ts';

/**
 * Pools of a sender, who need not be a user: of public routes, of what is around the interface, of the pages' files, of
 * the operator's interface.
 */
export type SenderPool = 'public' | 'service' | 'pages' | 'operator';

/** A pool of weights; the questionnaire has its own small rate. */
export type Pool = 'spot' | 'manage' | 'questionnaire' | SenderPool;

/** How the literal dialect wraps a success: `{code,data}`, `{success,code,msg,retry,data}`, or not at all. */
export type Shape = 'A' | 'B' | 'bare';

/** One request on its way: authenticated, paid for, its parts checked against the route's schemas. */
export interface Call<
  Params = Record<string, string>,
  Query = Record<string, string | undefined>,
  Body = unknown,
> {
  readonly dialect: Dialect;
  /** The caller's user number; -1 on public routes. */
  readonly user: number;
  /** Who signed it, even where nobody had to; -1 for nobody. */
  readonly signer: number;
  /** The API key's name; '' on public routes. */
  readonly key: string;
  readonly ip: string;
  /** What the client says it reached the server by: the Host header, '' without one. */
  readonly host: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /**
   * The body as it was sent, empty without one: parsing rounds numbers, and prices must not be rounded. Undefined in order
   * entry, which gives numbers that might be rounded as texts.
   */
  readonly rawBody: Buffer | undefined;
  /** Wall clock when the request was read, in milliseconds. */
  readonly time: number;
  /** Put into every command of a signed POST or DELETE, so that the same request acts at most once. */
  readonly once: { readonly id: string; readonly until: number } | undefined;
}

export interface Route {
  /** Kebab-case, unique: names the route in docs, metrics and tests. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for parts of the path; without the dialect's mount. */
  readonly path: string;
  readonly summary: string;
  readonly access: 'public' | Permission;
  readonly pool: Pool;
  readonly weight: number;
  /**
   * Ends one thing that is named by its id. A repetition changes nothing, so the request is accepted even if the
   * exchange cannot know whether it is one.
   */
  readonly isRepeatable?: true;
  readonly shape: Shape;
  /** Only in the family dialect, or in both. */
  readonly dialects?: readonly Dialect['name'][];
  /** Property schemas of the path's parts, the query and the body. Unknown members are ignored. */
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The handler checks the body itself, member by member; the schema is for the documentation only. */
  readonly checksBody?: true;
  /** What `data` (or the bare payload) looks like in the literal dialect. */
  readonly answer: TSchema;
  /**
   * Returns what goes into `data`, or is the whole payload where the shape is bare; or a promise of it, or a
   * SentCommand. Refuses by throwing a Refusal.
   */
  handle(call: Call<never, never, never>): unknown;
}

/** Keeps a route's types together: the handler sees what its schemas promise. */
export function route<P, Q, B>(row: Omit<Route, 'handle'> & { handle(call: Call<P, Q, B>): unknown }): Route {
  return row as Route;
}
