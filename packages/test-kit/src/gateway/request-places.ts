/**
 * Every place in the example of a route where a value from the sender may stand: parts of the path, the
 * query, the body.
 */

import { exampleOf } from '../../../api/src/gateway/docs/examples.ts';
import type { Route } from '../../../api/src/gateway/route.ts';

export interface Place {
  readonly what: string;
  /** The request with another value in this place. */
  with(word: string): { readonly path: string; readonly body: string };
}

export function placesOf(route: Route): Place[] {
  const { path, body } = exampleOf(route);
  const [, parts = '', query = ''] = /^([^?]*)\??(.*)$/.exec(path)!;
  const inPath = route.path.split('/').flatMap((part, at): Place[] => {
    if (!part.startsWith(':')) return [];
    const filled = (word: string) => parts.split('/').with(at, word).join('/') + (query && `?${query}`);
    return [{ what: part, with: (word) => ({ path: filled(word), body }) }];
  });
  const names = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});
  const inQuery = names.map((name): Place => {
    const filled = (word: string): string => {
      const values = new URLSearchParams(query);
      values.set(name, word);
      return `${parts}?${values.toString()}`;
    };
    return { what: `?${name}`, with: (word) => ({ path: filled(word), body }) };
  });
  const members = body === '' ? {} : (JSON.parse(body) as object);
  const inBody = Object.keys(members).map(
    (name): Place => ({
      what: name,
      with: (word) => ({ path, body: JSON.stringify({ ...members, [name]: word }) }),
    }),
  );
  return [...inPath, ...inQuery, ...inBody];
}
