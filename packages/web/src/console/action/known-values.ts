/** Searchable values of an action's fields: users by name, currencies, their chains, markets, failure codes. */

import { FAILURE_CODES } from '../../money/failure-codes.ts';
import { useFoundUsers, useOperatorQuery, type UserRow } from '../operator/queries.tsx';
import type { Entries } from './form-field.ts';

export interface KnownValue {
  readonly value: string;
  readonly label: string;
}

export interface ListedCurrency {
  readonly currency: string;
  readonly fullName: string;
  readonly chains: readonly {
    readonly chainId: string;
    readonly chainName: string;
    readonly depositFeeRate: string;
  }[];
}

const REFRESH_MS = 60_000;

export const useListedCurrencies = () =>
  useOperatorQuery<readonly ListedCurrency[]>('/v1/currencies', REFRESH_MS);

const knownUsers = (users: readonly UserRow[] = []): readonly KnownValue[] =>
  users.map(({ userId, name }) => ({ value: name, label: userId }));

/** By field name. No form has more than one of the first three user fields. */
export function useKnownValues(entries: Entries): ReadonlyMap<string, readonly KnownValue[]> {
  const typed = ['userId', 'parentId', 'fromUser'].map((field) => entries.get(field) ?? '').join('');
  const named = knownUsers(useFoundUsers(typed.trim()).data);
  const namedAsTarget = knownUsers(useFoundUsers((entries.get('toUser') ?? '').trim()).data);
  const currencies = useListedCurrencies().data ?? [];
  const symbols =
    useOperatorQuery<readonly { readonly symbol: string; readonly name: string }[]>('/v1/symbols', REFRESH_MS)
      .data ?? [];
  const chosen = currencies.find(({ currency }) => currency === entries.get('currency'));
  return new Map([
    ['userId', named],
    ['parentId', named],
    ['fromUser', named],
    ['toUser', namedAsTarget],
    ['symbol', symbols.map(({ symbol, name }) => ({ value: symbol, label: name }))],
    ['failureCode', [...FAILURE_CODES].map(([value, label]) => ({ value, label }))],
    ['currency', currencies.map(({ currency, fullName }) => ({ value: currency, label: fullName }))],
    ['chain', (chosen?.chains ?? []).map(({ chainId, chainName }) => ({ value: chainId, label: chainName }))],
  ]);
}
