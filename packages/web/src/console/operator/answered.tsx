/** What was asked for, or what stands in its place: still loading, or why it is refused. */

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';

export interface AnsweredProps<T> {
  readonly query: UseQueryResult<T>;
  /** What is being asked for, for screen readers. */
  readonly label: string;
  readonly children: (answer: T) => ReactNode;
}

export function Answered<T>({ query, label, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label={`Loading ${label}`} />;
}
