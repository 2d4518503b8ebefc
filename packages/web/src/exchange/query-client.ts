/** The query cache that all parts of a page share, and the hook that sends changes. */

import { ApiError } from '@bourse/client';
import { QueryClient, useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

const RETRIES_MAX = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    // By default the library queues mutations while the browser is offline and sends them later: an order would reach
    // a market that has moved, after the user saw nothing. With 'always' it fails at once.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A rejection repeats when retried; a lost connection may not.
      retry: (count, error) => !(error instanceof ApiError) && count < RETRIES_MAX,
    },
  },
});

/**
 * A mutation that ignores a second press. A button is disabled only with the next render, so two quick presses would
 * otherwise make two keys or send a withdrawal twice. While a request is in flight, an equal one is not sent:
 * `mutateAsync` returns the result of the first. Arguments that JSON cannot represent, such as functions, count as
 * equal.
 */
export function useSending<Answer, Sent = void>(options: UseMutationOptions<Answer, Error, Sent>) {
  const mutation = useMutation(options);
  const underWay = useRef(new Map<string, Promise<Answer>>());
  const mutateAsync: typeof mutation.mutateAsync = (...sent) => {
    const key = JSON.stringify(sent[0]);
    const first = underWay.current.get(key);
    if (first !== undefined) return first;
    const answer = mutation.mutateAsync(...sent).finally(() => underWay.current.delete(key));
    underWay.current.set(key, answer);
    return answer;
  };
  const mutate: typeof mutation.mutate = (...sent) => {
    mutateAsync(...sent).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}
