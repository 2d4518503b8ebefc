/** Which paths a rule or filter matches: `*` matches any segment. */

import type { Route } from '@bourse/api';

export function pathPattern(text: string): (path: string) => boolean {
  const [first, ...others] = text.split('*');
  const last = others.pop();
  if (last === undefined) return (path) => path === text;
  return (path) => {
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return path.endsWith(last) && path.length - last.length >= at;
  };
}

/** The routes with this id, or with a path that the pattern may match. */
export function routesMeant<R extends Pick<Route, 'id' | 'path'>>(text: string, routes: readonly R[]): R[] {
  if (!text.startsWith('/')) return routes.filter(({ id }) => id === text);
  const parts = text.split('/');
  return routes.filter(({ path }) => mayMean(parts, path.split('/')));
}

/** Where requests name their symbol: see `symbolsOf` in fault-rules.ts. */
const SYMBOL_FIELDS = ['symbol', 'symbols', 'orderList'];

/** Whether requests of the route may name a symbol. */
export function namesSymbol({ path, query, body }: Pick<Route, 'path' | 'query' | 'body'>): boolean {
  const fields = [query, body].flatMap((schema) => {
    if (schema === undefined) return [];
    const { properties } = schema as { readonly properties?: object };
    // Unknown for schemas of any other form.
    return properties === undefined ? SYMBOL_FIELDS : Object.keys(properties);
  });
  return /:symbol\b/.test(path) || fields.some((field) => SYMBOL_FIELDS.includes(field));
}

/** Segment by segment; a star at the end matches the rest. */
function mayMean(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [at, part] of pattern.entries()) {
    const star = part.indexOf('*');
    if (star >= 0 && at === pattern.length - 1)
      return (path[at] ?? '').startsWith(part.slice(0, star)) || path[at]?.startsWith(':') === true;
    if (star >= 0) continue;
    if (path[at] !== part && !path[at]?.startsWith(':')) return false;
  }
  return pattern.length === path.length;
}
