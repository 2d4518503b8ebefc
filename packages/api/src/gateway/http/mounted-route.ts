/** A route in a dialect, with its compiled schemas and its traffic counts. */

import findMyWay from 'find-my-way';
import type { Dialect } from '../dialects.ts';
import type { Meter, Metrics } from './metrics.ts';
import type { Route } from '../route.ts';
import { SchemaCheck } from './reading/schema-check.ts';

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

/** Finds the route that a request is for. */
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
 * The router returns an index of the list. So the compiled tree is reused if paths
 * and methods are unchanged: each world of a sandbox mounts the same routes again.
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
