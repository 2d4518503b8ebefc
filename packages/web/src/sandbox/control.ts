/** The sandbox's control interface as the drawer uses it: what is asked is kept fresh, what is done is told in a note. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../exchange/query-client.ts';
import { callSandbox } from '../session/sandbox.ts';
import { showToast } from '../ui/toast.tsx';
import { sentenceOf } from '../ui/states.tsx';

const REFRESH_MS = 2_000;

export function useControl<T>(path: string) {
  return useQuery({
    queryKey: ['sandbox', path],
    queryFn: () => callSandbox<T>('GET', path),
    refetchInterval: REFRESH_MS,
  });
}

export interface Order {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** For the note, when it is done. */
  readonly done: string;
}

/**
 * `answer` is that of the last order, until the next one is given. What an order changes may be anything that a page
 * shows, so all of it is asked for again.
 */
export function useOrders<T = unknown>() {
  const { mutate, isPending, data } = useMutation({
    mutationFn: ({ method, path, body }: Order) => callSandbox<T>(method, path, body && { body }),
    onSuccess: async (_, { done }) => {
      showToast('done', done);
      await queryClient.invalidateQueries();
    },
    onError: (error) => showToast('refused', 'The sandbox refused', sentenceOf(error)),
  });
  return { give: (order: Order): void => mutate(order), isPending, answer: data };
}
