/**
 * Everything a user can do, as data: the request, and the same with our client and with ccxt. What the page sends and
 * what "Show me" shows come from the same place, so one cannot differ from the other.
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
  /** With `@bourse/client`, where it has a method of its own; else `client.http.call` is shown. */
  readonly client?: string;
  /** The name of ccxt's method as in JavaScript, such as `privatePostHfOrders`; undefined where it has none. */
  readonly ccxt?: string;
  /** The path with names in braces, where ccxt wants to be given parts of it by name. */
  readonly ccxtPath?: string;
}

/** Sends actions as the session's user. A refusal is shown in the exchange's own words; a lost answer as such. */
export function useAct() {
  const session = useSession();
  return useSending({
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
      else showToast('refused', `${title}: refused`, sentenceOf(error));
    },
    // Pending until the lists show the result; lists that still load for the first time are not awaited.
    onSettled: () => {
      const queryKey = ['user'];
      void queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
      return queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.data !== undefined });
    },
  });
}

/**
 * 504000: the exchange says that it may have been done. 400013: a browser sends a request again when its connection
 * was cut before the answer; the second one is refused, and the first may have been done.
 */
const UNSURE: ReadonlySet<string> = new Set(['504000', '400013']);

const isUnsure = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof ApiError && UNSURE.has(error.code));
