/** HTTP requests: signed if there are credentials, responses unwrapped, errors thrown. */

import { ApiError, ConnectionLost } from './errors.ts';
import { type Credentials, Signer } from './sign.ts';

export interface HttpOptions {
  /** The address of the service, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly credentials?: Credentials;
  /** Where the family dialect is mounted, and the prefix of its headers. */
  readonly mount?: string;
  readonly prefix?: string;
  readonly timeoutMs?: number;
}

export type QueryValue = string | number | boolean | undefined;

export interface Asked {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** The rate limit pool as of the last response. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

interface Envelope {
  readonly code: string;
  readonly msg?: string;
  readonly detail?: string;
  readonly data?: unknown;
}

const TIMEOUT_MS = 10_000;

export class HttpClient {
  readonly signer: Signer | undefined;
  readonly url: string;
  rateLimit: RateLimit | undefined;
  readonly #mount: string;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  #offsetMs = 0;

  constructor({ url, credentials, mount = '/compat', prefix = 'KC', timeoutMs = TIMEOUT_MS }: HttpOptions) {
    this.url = url.replace(/\/+$/, '');
    this.signer = credentials && new Signer(credentials);
    this.#mount = mount;
    this.#prefix = prefix;
    this.#timeoutMs = timeoutMs;
  }

  /** Milliseconds since 1970, by the server's clock once it is known. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Fetches the server's time. Needed only if the machine's clock is off by seconds. */
  async syncTime(): Promise<void> {
    const sentAt = Date.now();
    const time = await this.call<number>('GET', '/api/v1/timestamp');
    this.#offsetMs = Math.round(time - (sentAt + Date.now()) / 2);
  }

  /** Calls any endpoint by its path; `T` is the documented type of `data`. */
  async call<T>(method: Method, path: string, { query, body }: Asked = {}): Promise<T> {
    const target = path + queryText(query);
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = this.signer
      ? await this.signer.headers(this.#prefix, this.now(), method, target, text)
      : {};
    if (text !== '') headers['content-type'] = 'application/json';
    const { status, envelope } = await this.#send(this.url + this.#mount + target, {
      method,
      headers,
      ...(text === '' ? {} : { body: text }),
    });
    if (envelope.code !== '200000') {
      throw new ApiError(envelope.code, envelope.msg ?? '', envelope.detail ?? '', status);
    }
    return envelope.data as T;
  }

  async #send(url: string, request: RequestInit): Promise<{ status: number; envelope: Envelope }> {
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(this.#timeoutMs) });
      this.#note(response.headers);
      return { status: response.status, envelope: (await response.json()) as Envelope };
    } catch (error) {
      throw new ConnectionLost(`${request.method} ${url.split('?')[0]}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  #note(headers: Headers): void {
    const [limit, remaining, resetMs] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`gw-ratelimit-${name}`)),
    );
    if (limit > 0) this.rateLimit = { limit, remaining, resetMs };
  }
}

function queryText(query: Asked['query'] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}
