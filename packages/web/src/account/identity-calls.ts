/** Queries and changes of the account pages. A change that needs a second factor asks for one first. */

import { useQuery } from '@tanstack/react-query';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { NotGiven, withStepUp } from '../people/step-up.tsx';
import { callIdentity } from '../session/identity.ts';
import { sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';

export interface IdentityCall {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The toast after success; undefined if the page itself shows the result. */
  readonly done?: string;
}

export function useIdentity<T>(path: string) {
  return useQuery({ queryKey: ['person', path], queryFn: () => callIdentity<T>('GET', path) });
}

export function useIdentityCall<T = void>() {
  return useSending({
    mutationFn: ({ method, path, body }: IdentityCall) =>
      withStepUp(() => callIdentity<T>(method, path, body)),
    onSuccess: (_, { done }) => {
      if (done !== undefined) showToast('done', done);
    },
    onError: (error) => {
      if (!(error instanceof NotGiven)) showToast('refused', 'Not done', sentenceOf(error));
    },
    // Not awaited: the refetched data may unmount the form before it has its response.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['person'] }),
  });
}
