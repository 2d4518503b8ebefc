/** What the operator's interface answers to a GET, kept fresh while somebody looks, and what stands in its place. */

import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';
import { callOperator } from './operator.ts';

const REFRESH_MS = 5_000;

/** Parameters that are empty are left out. */
export function pathWith(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export function useOperatorQuery<T>(path: string, refreshMs: number | false = REFRESH_MS) {
  return useQuery({
    queryKey: ['operator', path],
    queryFn: () => callOperator<T>('GET', path),
    refetchInterval: refreshMs,
  });
}

interface AnsweredProps<T> {
  readonly query: UseQueryResult<T>;
  /** What is being asked for, for screen readers. */
  readonly label: string;
  readonly children: (answer: T) => ReactNode;
}

/** What was asked for, or what stands in its place: still loading, or why it is refused. */
export function Answered<T>({ query, label, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label={`Loading ${label}`} />;
}

export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly tier: number;
  readonly frozen: boolean;
}

const USERS_REFRESH_MS = 30_000;

export function useUsers() {
  return useOperatorQuery<UserRow[]>('/v1/users?limit=1000', USERS_REFRESH_MS);
}

/** The first users that match the typed text: a venue may have more users than a list can show. */
export const useFoundUsers = (typed: string) =>
  useOperatorQuery<UserRow[]>(pathWith('/v1/users', { search: typed, limit: '50' }), USERS_REFRESH_MS);

/** Names of users by their ids, for lists that have the ids only; the id itself where the name is not known. */
export function useUserNames(): (userId: string) => string {
  const { data = [] } = useUsers();
  const names = new Map(data.map(({ userId, name }) => [userId, name]));
  return (userId) => names.get(userId) ?? userId;
}
