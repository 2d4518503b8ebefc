/** Names of users by their ids, for lists that have the ids only. */

import { pathWith, useOperatorQuery } from './use-operator-query.ts';

export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly tier: number;
  readonly frozen: boolean;
}

const REFRESH_MS = 30_000;

export function useUsers() {
  return useOperatorQuery<UserRow[]>('/v1/users?limit=1000', REFRESH_MS);
}

/** The first users that match the typed text: a venue may have more users than a list can show. */
export const useFoundUsers = (typed: string) =>
  useOperatorQuery<UserRow[]>(pathWith('/v1/users', { search: typed, limit: '50' }), REFRESH_MS);

/** The id itself where the name is not known. */
export function useUserNames(): (userId: string) => string {
  const { data = [] } = useUsers();
  const names = new Map(data.map(({ userId, name }) => [userId, name]));
  return (userId) => names.get(userId) ?? userId;
}
