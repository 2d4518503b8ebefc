/** The query cache that all parts of a page share, and the hook that sends changes. */

import { ApiError } from '@bourse/client';
import { QueryClient, useIsMutating, useMutation, type UseMutationOptions } from '@tanstack/react-query';
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

export interface Outcome<Answer> {
  readonly onSuccess?: (answer: Answer) => void;
}

/**
 * A mutation whose outcome is never dropped. The library calls the callbacks of a `mutate` call only while the component
 * is mounted and neither resets the mutation nor starts another one; after that, nobody would learn that the request
 * was executed, and it could be sent again. Here `onSuccess` always runs, even after the component has unmounted, and
 * `reset` does nothing while a request is in flight.
 *
 * It ignores a second press. A button is disabled only with the next render, so two quick presses would otherwise make
 * two keys or send a withdrawal twice. While a request is in flight, an equal one is not sent: `mutateAsync` returns the
 * result of the first. Arguments that JSON cannot represent, such as functions, count as equal.
 *
 * With a `mutationKey`, `isPending` covers the requests of all components with that key: a form that keeps its draft and
 * is mounted again is still pending.
 */
export function useSending<Answer, Sent = void>(options: UseMutationOptions<Answer, Error, Sent>) {
  const { mutationKey } = options;
  const mutation = useMutation(options);
  const pendingCount = useIsMutating({
    ...(mutationKey && { mutationKey }),
    predicate: () => mutationKey !== undefined,
  });
  const inFlight = useRef(new Map<string, Promise<Answer>>()).current;
  const keyOf = (sent: Sent): string => JSON.stringify(sent);
  const mutateAsync = (sent: Sent): Promise<Answer> => {
    const key = keyOf(sent);
    const first = inFlight.get(key);
    if (first !== undefined) return first;
    const answer = mutation.mutateAsync(sent).finally(() => inFlight.delete(key));
    inFlight.set(key, answer);
    return answer;
  };
  const mutate = (sent: Sent, { onSuccess }: Outcome<Answer> = {}): void => {
    if (inFlight.has(keyOf(sent))) return;
    // The mutation itself reports a rejection.
    mutateAsync(sent).then(onSuccess, () => undefined);
  };
  const reset = (): void => {
    if (inFlight.size === 0) mutation.reset();
  };
  return { ...mutation, isPending: mutation.isPending || pendingCount > 0, mutate, mutateAsync, reset };
}
