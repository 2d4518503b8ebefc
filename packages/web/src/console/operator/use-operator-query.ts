/** What the operator's interface answers to a GET, kept fresh while somebody looks. */

import { useQuery } from '@tanstack/react-query';
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
