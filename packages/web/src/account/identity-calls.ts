/** What the account's pages ask and change. A change that needs a second factor asks for one first. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../exchange/query-client.ts';
import { NotGiven, withStepUp } from '../people/step-up.ts';
import { callIdentity } from '../session/identity.ts';
import { sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';

export interface IdentityCall {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What the toast says afterwards; undefined where the page itself shows it. */
  readonly done?: string;
}

export function useIdentity<T>(path: string) {
  return useQuery({ queryKey: ['person', path], queryFn: () => callIdentity<T>('GET', path) });
}

export function useIdentityCall<T = void>() {
  return useMutation({
    mutationFn: ({ method, path, body }: IdentityCall) =>
      withStepUp(() => callIdentity<T>(method, path, body)),
    onSuccess: (_, { done }) => {
      if (done !== undefined) showToast('done', done);
    },
    onError: (error) => {
      if (!(error instanceof NotGiven)) showToast('refused', 'Not done', sentenceOf(error));
    },
    // Not waited for: what it changes may take away the form before the form has its answer.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['person'] }),
  });
}
