/** The sandbox: its published users, and its control API. A venue has none and responds 404. */

import { ApiError, type Credentials } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';

export interface PublishedUser extends Credentials {
  readonly name: string;
  readonly about: string;
}

/**
 * The users of every new sandbox. Their keys are published (docs/operating/sandbox.md); a venue rejects them like any
 * unknown key.
 */
export const publishedUsers: readonly PublishedUser[] = [
  {
    name: 'alice',
    about: 'has money and a sub-account',
    apiKey: '65a0b0c0d0e0f00000a11ce1',
    apiSecret: 'a11ce000-5a4d-4b0c-8e11-000000000001',
    apiPassphrase: 'alice-sandbox',
  },
  {
    name: 'bob',
    about: 'has money',
    apiKey: '65a0b0c0d0e0f000000b0b01',
    apiSecret: 'b0b00000-5a4d-4b0c-8e11-000000000002',
    apiPassphrase: 'bob-sandbox',
  },
  {
    name: 'carol',
    about: 'has money',
    apiKey: '65a0b0c0d0e0f00000ca2011',
    apiSecret: 'ca201000-5a4d-4b0c-8e11-000000000003',
    apiPassphrase: 'carol-sandbox',
  },
];

/** Published with the sandbox; a venue refuses to start with it. */
export const PUBLISHED_TOKEN = 'sandbox-operator-token-for-everybody';

/** A sandbox may have been started with another token, which the user enters in the console. */
let controlToken = PUBLISHED_TOKEN;

export function setControlToken(token: string): void {
  controlToken = token;
}

export interface SandboxCall {
  readonly body?: unknown;
  /** Aborts the call, for calls that wait. */
  readonly signal?: AbortSignal;
}

/** One call of the control API; `path` is for example `/clock`. Rejections are ApiErrors, as everywhere. */
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

/** The events of a streaming call, until the stream ends or `signal` aborts it. */
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

/** Undefined until known. */
export function useIsSandbox(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['is-sandbox'],
    queryFn: async () => {
      try {
        await callSandbox('GET', '/');
        return true;
      } catch (error) {
        // A sandbox with another token rejects the call, but not with 404.
        if (error instanceof ApiError) return error.status !== 404;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: true,
  });
  return data;
}
