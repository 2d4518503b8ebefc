/** The sandbox's control interface as the drawer uses it: what it shows is kept fresh, and a change ends in a toast. */

import { useQuery } from '@tanstack/react-query';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { callSandbox } from '../session/sandbox.ts';
import { sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';

const REFRESH_MS = 2_000;

export function useControl<T>(path: string) {
  return useQuery({
    queryKey: ['sandbox', path],
    queryFn: () => callSandbox<T>('GET', path),
    refetchInterval: REFRESH_MS,
  });
}

export interface ControlCall {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What the toast says when it is done. */
  readonly done: string;
}

/**
 * Calls that change something. `answer` is that of the last call, until the next one is sent. A call may change anything
 * that a page shows, so all of it is asked for again.
 */
export function useControlCalls<T = unknown>() {
  const { mutate, isPending, data } = useSending({
    mutationFn: ({ method, path, body }: ControlCall) => callSandbox<T>(method, path, body && { body }),
    onSuccess: async (_, { done }) => {
      showToast('done', done);
      await queryClient.invalidateQueries();
    },
    onError: (error) => showToast('refused', 'The sandbox refused', sentenceOf(error)),
  });
  return { send: (call: ControlCall): void => mutate(call), isPending, answer: data };
}

/** A JSON object that somebody typed; undefined where it is none. */
export function readObject(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
