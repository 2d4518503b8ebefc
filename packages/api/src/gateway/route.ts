/**
 * A route is a row of data: its path, what its caller needs, its schemas, and its handler. The APIs of users,
 * operators, people and the sandbox's control all use this kind of row. `rowsOf` returns the function that declares the
 * rows of one API; a handler sees exactly the members of its schemas.
 */

import type { Permission } from '@bourse/core';
import { type Static, type TObject, type TProperties, type TSchema, Type } from './schema.ts';

/** The common part of the rows of all APIs. */
export interface Row {
  /** Kebab-case, unique: names the route in docs, metrics and tests. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for path parameters; below the mount of its API or dialect. */
  readonly path: string;
  readonly summary: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The handler checks the body itself, member by member; the schema is only for the documentation. */
  readonly checksBody?: true;
  /** The status of a successful response; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
}

/** The parts of a request, validated against the row's schemas. */
export interface Parts<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** `Terms`: the API's additional properties of a row. `Context`: additional arguments of its handlers. */
export type RouteOf<Terms, Context> = Row &
  Terms & {
    /** Returns the response or a promise of it. Throws refusals. */
    readonly handle: (call: Context & Parts<never, never, never>) => unknown;
  };

type Members<Properties extends TProperties> = Static<TObject<Properties>>;

/** A row as declared: schemas as the properties of their objects. */
export type Written<
  Terms,
  Context,
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  ChecksBody,
> = Omit<Row, 'params' | 'query' | 'body' | 'checksBody'> &
  Terms & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly checksBody?: ChecksBody;
    // A property, because TypeScript compares method parameters less strictly.
    readonly handle: (
      call: Context & Parts<Members<P>, Members<Q>, ChecksBody extends true ? unknown : Members<B>>,
    ) => unknown;
  };

/** The common rules of an API's rows. */
export interface RowRules<Given, Terms> {
  /** Unknown members are rejected, not ignored: a typo must not pass. */
  readonly isClosed: boolean;
  /** The terms of a row, with defaults for omitted ones. */
  readonly terms: (row: Row & Given) => Terms;
  /** Members of every row that changes something: in the body, or in the query of a DELETE. */
  readonly ofChanges?: (row: Row & Given) => TProperties;
}

type None = Record<never, never>;

export function rowsOf<Given, Context, Terms = Given>(rules: RowRules<Given, Terms>) {
  const schema = (properties: TProperties): TObject =>
    rules.isClosed ? Type.Object(properties, { additionalProperties: false }) : Type.Object(properties);
  return <
    P extends TProperties = None,
    Q extends TProperties = None,
    B extends TProperties = None,
    ChecksBody extends true | undefined = undefined,
  >(
    written: Written<Given, Context, P, Q, B, ChecksBody>,
  ): RouteOf<Terms, Context> => {
    const { params, query, body, ...rest } = written;
    const row = rest as unknown as Row & Given;
    const added = row.method === 'GET' ? undefined : rules.ofChanges?.(row);
    const ofQuery = row.method === 'DELETE' && added ? { ...query, ...added } : query;
    const ofBody = row.method === 'POST' && added ? { ...body, ...added } : body;
    return {
      ...rest,
      ...rules.terms(row),
      ...(params && { params: schema(params) }),
      ...((ofQuery || rules.isClosed) && { query: schema(ofQuery ?? {}) }),
      ...((ofBody || (rules.isClosed && row.method === 'POST')) && { body: schema(ofBody ?? {}) }),
    } as unknown as RouteOf<Terms, Context>;
  };
}

/**
 * Pools of a sender, who need not be a user: public routes, paths outside the API, the pages' files, and the operator
 * API.
 */
export type SenderPool = 'public' | 'service' | 'pages' | 'operator';

/** A rate limit pool; the questionnaire has its own small rate. */
export type Pool = 'spot' | 'manage' | 'questionnaire' | SenderPool;

/** How the literal dialect wraps a success: `{code,data}`, `{success,code,msg,retry,data}`, or not at all. */
export type Shape = 'A' | 'B' | 'bare';

/** A request of a user: authenticated and charged. */
export interface UserContext {
  readonly dialect: Dialect;
  /** The caller's user number; -1 on public routes. */
  readonly user: number;
  /** The user who signed the request, even if no signature was required; -1 for none. */
  readonly signer: number;
  /** The API key's name; '' on public routes. */
  readonly key: string;
  readonly ip: string;
  /** The Host header, '' without one: the name under which the client reached the server. */
  readonly host: string;
  /**
   * The body as sent, or empty: parsing rounds numbers, and prices must not be rounded. Undefined in order
   * entry, which passes numbers that might be rounded as texts.
   */
  readonly rawBody: Buffer | undefined;
  /** Exchange time when the request was read, in milliseconds. */
  readonly time: number;
  /** Added to every command of a signed POST or DELETE, so that a request takes effect at most once. */
  readonly once: { readonly id: string; readonly until: number } | undefined;
}

export interface Call<
  Params = Record<string, string>,
  Query = Record<string, string | undefined>,
  Body = unknown,
> extends UserContext,
    Parts<Params, Query, Body> {}

/** The terms of a route of the exchange's API, which each dialect mounts. */
export interface UserTerms {
  readonly access: 'public' | Permission;
  readonly pool: Pool;
  readonly weight: number;
  /**
   * Ends a single object named by its id. A repetition changes nothing, so the request is accepted even if the
   * exchange cannot tell whether it is one.
   */
  readonly isIdempotent?: true;
  readonly shape: Shape;
  /** Only in the family dialect, or in both. */
  readonly dialects?: readonly Dialect['name'][];
  /** The form of `data` (or of the bare payload) in the literal dialect. */
  readonly answer: TSchema;
}

/** A handler returns the content of `data`, the complete payload if the shape is bare, or a SentCommand. */
export type Route = RouteOf<UserTerms, UserContext>;

/** Declares a row of the exchange's API. Unknown members are ignored. */
export const route = rowsOf<UserTerms, UserContext>({ isClosed: false, terms: (row) => row });

/** The dialects of one service differ in headers and rendering, never in behaviour. */
export interface Dialect {
  readonly name: 'literal' | 'family';
  /** Before every path; the signed path never contains it. */
  readonly mount: string;
  /** The prefix of the signing headers: `SVC` gives `SVC-API-KEY` and so on. */
  readonly prefix: string;
  /** The literal dialect: exactly the document's fields, strict types, 4xx for business rejections, long messages. */
  readonly isLiteral: boolean;
}

export const DIALECTS: readonly Dialect[] = [
  { name: 'literal', mount: '', prefix: 'SVC', isLiteral: true },
  { name: 'family', mount: '/compat', prefix: 'KC', isLiteral: false },
];
