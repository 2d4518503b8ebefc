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

/** Each request of the page accounts for one entry at most, so none of another client's is hidden in its stead. */
export function withoutOwn(requests: readonly Request[], own: readonly Sent[]): readonly Request[] {
  const left = [...own];
  return requests
    .toReversed()
    .filter(({ path, query, wallTime, code }) => {
      const target = `${path.replace(/^\/compat/, '')}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`;
      const at = (code === REPLAYED ? own : left).findIndex(
        (each) => each.target === target && Math.abs(each.time - wallTime) < APART_MS_MAX,
      );
      if (at >= 0 && code !== REPLAYED) left.splice(at, 1);
      return at < 0;
    })
    .toReversed();
}

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
