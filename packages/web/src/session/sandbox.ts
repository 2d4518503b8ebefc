/** Whether this exchange is a sandbox, and what its control interface answers. A venue has none: 404. */

import { ApiError } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';

/** Published with the sandbox; a venue refuses to start with it. */
export const PUBLISHED_TOKEN = 'sandbox-operator-token-for-everybody';

/** A sandbox may have been started with another token, which the console is told. */
let controlToken = PUBLISHED_TOKEN;

export function setControlToken(token: string): void {
  controlToken = token;
}

export interface SandboxCall {
  readonly body?: unknown;
  /** Ends it, for a call that waits. */
  readonly signal?: AbortSignal;
}

/** One call of the control interface; `path` such as `/clock`. A refusal is an ApiError, as everywhere. */
export async function callSandbox<T>(
  method: string,
  path: string,
  { body, signal }: SandboxCall = {},
): Promise<T> {
  const response = await fetch(`/sandbox/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${controlToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const answer = (text === '' ? null : JSON.parse(text)) as unknown;
  if (response.ok) return answer as T;
  throw refusalOf(response, answer);
}

/** The events of a call that goes on, as objects, until it ends or is ended. */
export async function* followSandbox<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const headers = { authorization: `Bearer ${controlToken}` };
  const response = await fetch(`/sandbox/v1${path}`, { headers, signal });
  if (!response.ok) throw refusalOf(response, await response.json());
  let rest = '';
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as T;
    }
  }
}

function refusalOf({ status, statusText }: Response, answer: unknown): ApiError {
  const { code = String(status), msg = statusText } = (answer ?? {}) as { code?: string; msg?: string };
  return new ApiError(code, msg, '', status);
}

/** True, false, or undefined while nobody knows. */
export function useIsSandbox(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['is-sandbox'],
    queryFn: async () => {
      try {
        await callSandbox('GET', '/');
        return true;
      } catch (error) {
        // With another token than the published one it is a sandbox all the same.
        if (error instanceof ApiError) return error.status !== 404;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: true,
  });
  return data;
}
