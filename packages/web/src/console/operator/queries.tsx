/**
 * Queries of the operator API that refresh themselves, and the calls that its OpenAPI document describes, from which
 * forms are made.
 */

import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';
import { callOperator } from './operator.ts';

const REFRESH_MS = 5_000;

/** Empty parameters are omitted. */
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
  /** What is loading, for screen readers. */
  readonly label: string;
  readonly children: (answer: T) => ReactNode;
}

/** The response, or instead of it the loading state or the error. */
export function Answered<T>({ query, label, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label={`Loading ${label}`} />;
}

export interface Freeze {
  readonly level: 'trading' | 'withdrawals' | 'all';
}

export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly tier: number;
  /** Whether the user has a freeze of its own. */
  readonly frozen: boolean;
  readonly freeze: Freeze | null;
  /** The freeze of the master, if it also applies to this sub-account. */
  readonly masterFreeze: Freeze | null;
  readonly closed: boolean;
}

const USERS_REFRESH_MS = 30_000;

export function useUsers() {
  return useOperatorQuery<UserRow[]>('/v1/users?limit=1000', USERS_REFRESH_MS);
}

/** The first users that match the typed text, because a venue may have more users than a list can show. */
export const useFoundUsers = (typed: string) =>
  useOperatorQuery<UserRow[]>(pathWith('/v1/users', { search: typed, limit: '50' }), USERS_REFRESH_MS);

/** User names by id, for lists that have only ids; the id itself if the name is unknown. */
export function useUserNames(): (userId: string) => string {
  const { data = [] } = useUsers();
  const names = new Map(data.map(({ userId, name }) => [userId, name]));
  return (userId) => names.get(userId) ?? userId;
}

export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly expects?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** One call of the operator API, from its OpenAPI document. */
export interface Call {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameter names in braces. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** The roles that may make the call. */
  readonly roles: readonly string[];
  /** Whether a policy can require approval for the call: never, always, or above an amount. */
  readonly policy: 'never' | 'always' | 'above';
}

interface Operation {
  readonly 'x-roles': Call['roles'];
  readonly 'x-policy': Call['policy'];
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: JsonSchema;
      };
    };
  };
}

interface Document {
  readonly paths: Readonly<Record<string, object>>;
}

/** By operation id; undefined until the document has loaded. */
export function useCalls(): ReadonlyMap<string, Call> | undefined {
  const { data } = useOperatorQuery<Document>('/openapi.json', false);
  return data && new Map(Object.entries(data.paths).flatMap(([path, methods]) => callsAt(path, methods)));
}

function callsAt(path: string, methods: object): [string, Call][] {
  return Object.entries(methods).map(([method, operation]) => {
    const { operationId: id, summary, parameters, requestBody } = operation as Operation;
    const content = requestBody?.content['application/json'];
    const call = {
      id,
      method: method.toUpperCase() as Call['method'],
      path,
      summary,
      parameters,
      body: content?.schema,
      roles: (operation as Operation)['x-roles'],
      policy: (operation as Operation)['x-policy'],
    };
    return [id, call];
  });
}
