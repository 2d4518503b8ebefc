/**
 * User actions as data: the request, and the same call with our client and with ccxt. The page sends, and "Show me"
 * displays, the same object, so the two cannot differ.
 */

import { ApiError, ConnectionLost, type Method } from '@bourse/client';
import { queryClient, useSending } from '../exchange/query-client.ts';
import { NotGiven, withStepUp } from '../people/step-up.tsx';
import { useSession } from '../session/session.ts';
import { NOT_ANSWERED, sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';

/** Undefined members are left out. */
export type Members = Readonly<Record<string, unknown>>;

export interface Action {
  /** What it does, such as "Place an order". */
  readonly title: string;
  readonly method: Method;
  readonly path: string;
  readonly query?: Members;
  readonly body?: Members;
  /** The call with `@bourse/client`, if it has a method for it; otherwise `client.http.call` is shown. */
  readonly client?: string;
  /** The name of ccxt's JavaScript method, such as `privatePostHfOrders`; undefined if there is none. */
  readonly ccxt?: string;
  /** The path template, if ccxt takes path parameters by name. */
  readonly ccxtPath?: string;
}

/**
 * Sends actions as the session's user. Shows a rejection in the exchange's own words, and a missing response as
 * unconfirmed. `mutationKey` names a form whose contents outlive its component (query-client.ts).
 */
export function useAct(mutationKey?: readonly string[]) {
  const session = useSession();
  return useSending({
    ...(mutationKey && { mutationKey }),
    mutationFn: ({ method, path, query, body }: Action): Promise<unknown> => {
      if (session === null) return Promise.reject(new Error('You are not signed in.'));
      return withStepUp(() =>
        session.client.http.call(method, path, {
          ...(query !== undefined && { query: query as Readonly<Record<string, string | undefined>> }),
          ...(body !== undefined && { body }),
        }),
      );
    },
    onError: (error, { title }) => {
      if (error instanceof NotGiven) return;
      if (isUnsure(error)) showToast('unsure', `${title}: not confirmed`, NOT_ANSWERED);
      else showToast('refused', `${title}: rejected`, sentenceOf(error));
    },
    // Pending until the lists show the result. Lists that are loading for the first time are not awaited.
    onSettled: () => {
      const queryKey = ['user'];
      void queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
      return queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.data !== undefined });
    },
  });
}

/**
 * 504000: the exchange reports that the request may have been executed. 400013: a browser resends a request whose
 * connection was cut before the response; the resent one is rejected, and the first may have been executed.
 */
const UNSURE: ReadonlySet<string> = new Set(['504000', '400013']);

const isUnsure = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof ApiError && UNSURE.has(error.code));
