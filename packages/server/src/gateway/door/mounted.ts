/** A route in a dialect: its schemas at hand, its traffic counted. */

import type { Dialect } from '../dialects.ts';
import type { Meter, Metrics } from './metrics.ts';
import type { Route } from '../route.ts';
import { SchemaCheck } from './schema-check.ts';

export interface Mounted {
  readonly route: Route;
  readonly dialect: Dialect;
  /** With the mount. */
  readonly path: string;
  readonly params: SchemaCheck | undefined;
  readonly query: SchemaCheck | undefined;
  readonly body: SchemaCheck | undefined;
  readonly meter: Meter;
  /** A request's target as it is signed. */
  stripMount(url: string): string;
}

export function mount(
  routes: readonly Route[],
  dialects: readonly Dialect[],
  metrics: Metrics,
): readonly Mounted[] {
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

/** Finds what a path that no route took might have been: by pattern, off the hot path. */
export class PathFinder {
  private readonly entries: readonly { readonly pattern: RegExp; readonly mounted: Mounted }[];

  constructor(all: readonly Mounted[]) {
    this.entries = all.map((mounted) => ({ pattern: toPattern(mounted.path), mounted }));
  }

  /** Routes of this path, whatever the method. */
  at(path: string): readonly Mounted[] {
    return this.entries.filter(({ pattern }) => pattern.test(path)).map(({ mounted }) => mounted);
  }
}

function toPattern(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
