/**
 * From the target of a request to its route and parameters. `GET http://host/path`, from a client that treats this server
 * as a proxy, is the same as `GET /path` with that Host header; signatures, mounts and websockets use the path alone.
 */

import type { IncomingMessage } from 'node:http';
import { shortened } from '@bourse/engine';
import findMyWay from 'find-my-way';
import { Refusal } from '../errors/refusal.ts';
import type { Dialect, Route } from '../route.ts';
import { SchemaCheck } from '../schema.ts';
import type { Meter, Metrics } from './metrics.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Leaves a target unchanged whose host differs from the Host header. */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [, host = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === '' || host.toLowerCase() !== headers.host?.toLowerCase()) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The error for a target that is neither a path nor `*`. */
export function refuseTarget(url: string): Refusal | undefined {
  if (url.startsWith('/') || url.startsWith('*')) return undefined;
  return new Refusal(
    'request-malformed',
    'The request line must have a path, or a URL with the host of the Host header.',
  );
}

/**
 * Query strings: names and values are percent-decoded, `+` is a space; a duplicate name is an error. In the family
 * dialect the value `undefined` counts as absent, because the vendor's clients send the word for missing values.
 */
export type Query = Record<string, string>;

/** No route has ten parameters. */
const PARAMETERS_MAX = 100;

const NONE: Query = Object.freeze(Object.create(null));

export function parseQuery(url: string, { isLiteral }: Pick<Dialect, 'isLiteral'>): Query {
  const start = url.indexOf('?') + 1;
  if (start === 0 || start === url.length) return NONE;
  const query: Query = Object.create(null);
  const parts = url.slice(start).split('&', PARAMETERS_MAX + 1);
  if (parts.length > PARAMETERS_MAX) {
    throw new Refusal('parameter-invalid', `The query has more than ${PARAMETERS_MAX} parameters.`);
  }
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (Object.hasOwn(query, name)) {
      throw new Refusal('parameter-invalid', `Duplicate query parameter '${shortened(name)}'.`);
    }
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (isLiteral || value !== 'undefined') query[name] = value;
  }
  return query;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('parameter-invalid', 'The query string is not valid percent-encoded UTF-8.');
  }
}

/** A route in a dialect, with its compiled schemas and its traffic counts. */
export interface MountedRoute {
  readonly route: Route;
  readonly dialect: Dialect;
  /** Including the mount. */
  readonly path: string;
  readonly params: SchemaCheck | undefined;
  readonly query: SchemaCheck | undefined;
  readonly body: SchemaCheck | undefined;
  readonly meter: Meter;
  /** The signed part of a request's target. */
  stripMount(url: string): string;
}

export function mount(
  routes: readonly Route[],
  dialects: readonly Dialect[],
  metrics: Metrics,
): readonly MountedRoute[] {
  const compiled = routes.map((route) => ({
    route,
    params: route.params && new SchemaCheck(route.params, 'path'),
    query: route.query && new SchemaCheck(route.query, 'query'),
    body: route.body && new SchemaCheck(route.body, 'body'),
  }));
  return dialects.flatMap((dialect) => {
    const { length } = dialect.mount;
    return compiled
      .filter(({ route }) => route.dialects?.includes(dialect.name) ?? true)
      .map((each) => ({
        ...each,
        dialect,
        path: dialect.mount + each.route.path,
        meter: metrics.meter(each.route.id, dialect.name),
        stripMount: (url: string) => (length === 0 ? url : url.slice(length)),
      }));
  });
}

export interface Found {
  readonly mounted: MountedRoute;
  readonly params: Record<string, string>;
}

interface Place {
  readonly at: number;
}

const NO_PARAMS: Record<string, string> = Object.freeze({});

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

export class RouteFinder {
  readonly #all: readonly MountedRoute[];
  readonly #router: Router;
  readonly #methods: ReadonlySet<Route['method']>;
  /** Routes without `:name`, by method and path: the router would allocate two objects for each request. */
  readonly #plain = new Map<string, Map<string, Found>>();

  /** `pathLengthMax`: longer ones do not arrive. */
  constructor(all: readonly MountedRoute[], pathLengthMax: number) {
    this.#all = all;
    this.#methods = new Set(all.map(({ route }) => route.method));
    this.#router = routerOf(all, pathLengthMax);
    for (const method of this.#methods) this.#plain.set(method, new Map());
    for (const mounted of all) {
      const { route, path } = mounted;
      if (!path.includes(':')) this.#plain.get(route.method)!.set(path, { mounted, params: NO_PARAMS });
    }
  }

  find(method: string, url: string): Found | undefined {
    const known = this.#plain.get(method)?.get(url);
    if (known !== undefined) return known;
    // The router also matches `*path` as `/path`. The mount is not part of the signed text, so without this check one
    // signature would be valid for both.
    if (url.startsWith('*')) return undefined;
    const found = this.#router.find(method as findMyWay.HTTPMethod, url);
    if (found === null) return undefined;
    const params = found.params as Record<string, string>;
    // An empty part of the path, as in /orders//x, matches no route.
    for (const name in params) if (params[name] === '') return undefined;
    return { mounted: this.#all[(found.store as Place).at], params };
  }

  /** All routes with this path, for any method. */
  at(path: string): readonly MountedRoute[] {
    return [...this.#methods].flatMap((method) => this.find(method, path)?.mounted ?? []);
  }
}

let latest: { readonly key: string; readonly router: Router } | undefined;

/**
 * The router returns an index of the list, so the compiled tree can be reused if paths and methods are unchanged: each
 * world of a sandbox mounts the same routes again.
 */
function routerOf(all: readonly MountedRoute[], maxParamLength: number): Router {
  const key = [maxParamLength, ...all.map(({ route, path }) => `${route.method} ${path}`)].join('\n');
  if (latest?.key === key) return latest.router;
  const router = findMyWay({ maxParamLength, querystringParser: () => undefined });
  for (const [at, { route, path }] of all.entries())
    router.on(route.method, path, () => undefined, { at } satisfies Place);
  latest = { key, router };
  return router;
}
