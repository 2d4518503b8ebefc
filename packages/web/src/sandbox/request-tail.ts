/** A live tail of requests, newest first, of all users or of one. */

import { useEffect, useState, useSyncExternalStore } from 'react';
import { callSandbox, followSandbox } from '../session/sandbox.ts';

export interface Request {
  readonly id: number;
  readonly wallTime: number;
  readonly user: string | null;
  readonly transport: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly status: number;
  readonly code: string;
  readonly answer: string;
  readonly durationUs: number;
  readonly fault?: string;
  readonly signed?: { readonly expected: string };
}

export interface RequestTail {
  readonly requests: readonly Request[];
  /** The error that interrupted the tail; it reconnects by itself. */
  readonly error: unknown;
}

export const REQUESTS_SHOWN = 50;
const RETRY_MS = 1_000;
/** Paint interval, however many requests arrive. */
const PAINT_MS = 100;

export function useRequestTail(user: string): RequestTail {
  const [tail, setTail] = useState<RequestTail>({ requests: [], error: null });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let known: readonly Request[] = [];
    let painting: ReturnType<typeof setTimeout> | undefined;
    const paint = (): void => {
      painting ??= setTimeout(() => {
        painting = undefined;
        if (!signal.aborted) setTail({ requests: known, error: null });
      }, PAINT_MS);
    };
    const add = (more: readonly Request[]): void => {
      const byId = new Map([...known, ...more].map((request) => [request.id, request]));
      known = [...byId.values()].toSorted((a, b) => b.id - a.id).slice(0, REQUESTS_SHOWN);
      paint();
    };
    const filter = user === '' ? '' : `user=${encodeURIComponent(user)}`;
    const follow = async (): Promise<void> => {
      const attempt = new AbortController();
      const coming = followSandbox<Request>(
        `/requests/tail?${filter}`,
        AbortSignal.any([signal, attempt.signal]),
      );
      // Open the tail before requesting the list, so that no request falls between the two.
      const first = coming.next();
      first.catch(() => undefined);
      try {
        add(await callSandbox<Request[]>('GET', `/requests?limit=${REQUESTS_SHOWN}&${filter}`, { signal }));
        for (let next = await first; next.done !== true; next = await coming.next()) add([next.value]);
      } finally {
        attempt.abort();
      }
    };
    const keepFollowing = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          await follow();
        } catch (error) {
          if (!signal.aborted) setTail((before) => ({ ...before, error }));
        }
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    };
    setTail({ requests: [], error: null });
    void keepFollowing();
    return () => ending.abort();
  }, [user]);
  return tail;
}

interface Sent {
  /** Path and query string. */
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const SENT_MAX = 1_000;
/**
 * Maximum difference between the browser's and the exchange's timestamps: two clocks, and either side may wait for
 * the other.
 */
const APART_MS_MAX = 5_000;

/** The code of requests that the browser sent again after a cut connection; the page knows of one request only. */
const REPLAYED = '400013';

const listeners = new Set<() => void>();
let sent: readonly Sent[] = [];
let observer: PerformanceObserver | undefined;

/** The requests that this page has sent, from the browser's performance entries. */
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
