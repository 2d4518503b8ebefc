/** HTTP requests: signed if there are credentials, responses unwrapped, errors thrown. */

/** The exchange rejected the request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** From the table of errors, such as 200004 for insufficient funds. */
  readonly code: string;
  /** The table's text. */
  readonly msg: string;
  /** What was wrong and what would be valid; '' if `msg` says it all. */
  readonly detail: string;
  /** The HTTP status; 200 for a rejection by the exchange itself, and over order entry. */
  readonly status: number;

  constructor(code: string, msg: string, detail: string, status: number) {
    super(`${code} ${msg}${detail === '' ? '' : ` (${detail})`}`);
    this.code = code;
    this.msg = msg;
    this.detail = detail;
    this.status = status;
  }
}

/** No response arrived: the request may or may not have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** HMAC-SHA256 signatures in base64, with WebCrypto, which browsers and Node both have. */
export class Signer {
  readonly apiKey: string;
  /** This type works with the type definitions of both browsers and Node. */
  readonly #secret: ReturnType<typeof crypto.subtle.importKey>;
  readonly #passphrase: Promise<string>;

  constructor({ apiKey, apiSecret, apiPassphrase }: Credentials) {
    this.apiKey = apiKey;
    this.#secret = crypto.subtle.importKey('raw', encoder.encode(apiSecret), ALGORITHM, false, ['sign']);
    this.#passphrase = this.sign(apiPassphrase);
    // A failure is reported by the call that signs.
    this.#passphrase.catch(() => undefined);
  }

  async sign(text: string): Promise<string> {
    const digest = await crypto.subtle.sign('HMAC', await this.#secret, encoder.encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(digest)));
  }

  /** The headers of a request. `path` includes the query and excludes the mount; `timestamp` is in milliseconds. */
  async headers(
    prefix: string,
    timestamp: number,
    method: string,
    path: string,
    body: string,
  ): Promise<Record<string, string>> {
    const [sign, passphrase] = await Promise.all([
      this.sign(`${timestamp}${method}${path}${body}`),
      this.#passphrase,
    ]);
    return {
      [`${prefix}-API-KEY`]: this.apiKey,
      [`${prefix}-API-SIGN`]: sign,
      [`${prefix}-API-TIMESTAMP`]: String(timestamp),
      [`${prefix}-API-PASSPHRASE`]: passphrase,
      [`${prefix}-API-KEY-VERSION`]: '3',
    };
  }

  /** The query string of an order entry session. */
  async sessionQuery(timestamp: number): Promise<string> {
    const [sign, passphrase] = await Promise.all([this.sign(`${this.apiKey}${timestamp}`), this.#passphrase]);
    const query = { apikey: this.apiKey, sign, passphrase, timestamp: String(timestamp) };
    return new URLSearchParams(query).toString();
  }
}

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
