/** Which requests of the sandbox's list this page has sent: the browser keeps a record of each. */

import { useSyncExternalStore } from 'react';
import type { Request } from './request-tail.ts';

interface Sent {
  /** Path and query. */
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const SENT_MAX = 1_000;
/** Between the browser's record and the exchange's: the two have different clocks, and one waits for the other. */
const APART_MS_MAX = 5_000;

/** Sent a second time by the browser, after a cut connection: the page knows of one request. */
const REPLAYED = '400013';

const listeners = new Set<() => void>();
let sent: readonly Sent[] = [];
let observer: PerformanceObserver | undefined;

export function useOwnRequests(): readonly Sent[] {
  return useSyncExternalStore(subscribe, () => sent);
}

/**
 * Matches each request of the page with one entry, the nearest in time, so that another client's request for the same
 * target stays in the list.
 */
export function withoutOwn(requests: readonly Request[], own: readonly Sent[]): readonly Request[] {
  const hidden = new Set<number>();
  const apart = ({ time }: Sent, { wallTime }: Request): number => Math.abs(time - wallTime);
  for (const each of own.toReversed()) {
    const nearest = requests
      .filter((request) => !hidden.has(request.id) && targetOf(request) === each.target)
      .toSorted((a, b) => apart(each, a) - apart(each, b))[0];
    if (nearest !== undefined && apart(each, nearest) < APART_MS_MAX) hidden.add(nearest.id);
  }
  const isReplay = (request: Request): boolean =>
    request.code === REPLAYED &&
    own.some((each) => each.target === targetOf(request) && apart(each, request) < APART_MS_MAX);
  return requests.filter((request) => !hidden.has(request.id) && !isReplay(request));
}

const targetOf = ({ path, query }: Request): string =>
  `${path.replace(/^\/compat/, '')}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`;

function subscribe(listener: () => void): () => void {
  observer ??= observe();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function observe(): PerformanceObserver {
  const made = new PerformanceObserver((list) => {
    const added = list.getEntries().flatMap((entry): Sent[] => {
      const { pathname, search } = new URL(entry.name);
      const target = pathname.replace(/^\/compat/, '') + search;
      return target.startsWith('/api') ? [{ target, time: performance.timeOrigin + entry.startTime }] : [];
    });
    if (added.length === 0) return;
    sent = [...sent, ...added].slice(-SENT_MAX);
    for (const listener of listeners) listener();
  });
  made.observe({ type: 'resource', buffered: true });
  return made;
}
