/** The last requests of everybody or of one user, newest first, as they come. */

import { useEffect, useState } from 'react';
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
  /** Why nothing comes; it is tried again. */
  readonly error: unknown;
}

export const REQUESTS_SHOWN = 50;
const RETRY_MS = 1_000;
/** However many come, they are shown so often. */
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
      // The tail is open before the list is asked for, so that none is between the two.
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
