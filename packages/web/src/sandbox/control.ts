/**
 * Queries and calls of the sandbox's control API. Queries refresh themselves; each change ends with a toast.
 */

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
  /** The toast after success. */
  readonly done: string;
}

/**
 * Calls that change the sandbox. `answer` is the last call's, until the next call is sent. A call may change anything
 * on the page, so it refetches everything.
 */
export function useControlCalls<T = unknown>() {
  const { mutate, isPending, data } = useSending({
    mutationFn: ({ method, path, body }: ControlCall) => callSandbox<T>(method, path, body && { body }),
    onSuccess: async (_, { done }) => {
      showToast('done', done);
      await queryClient.invalidateQueries();
    },
    onError: (error) => showToast('refused', 'The sandbox rejected the call', sentenceOf(error)),
  });
  return { send: (call: ControlCall): void => mutate(call), isPending, answer: data };
}

/** Parses a typed JSON object; undefined if it is invalid. */
export function readObject(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
