import { createHmac } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const answerMsMax = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, or undefined if it is not JSON. */
  readonly body: unknown;
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

export interface Dialect {
  readonly prefix: 'SVC' | 'KC';
  readonly url: string;
}

/** One request, byte for byte: path and body are neither normalised nor encoded. */
export function send(
  base: string,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const url = new URL(base);
  const mount = url.pathname === '/' ? '' : url.pathname;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method,
        path: mount + path,
        headers: body === '' ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        timeout: answerMsMax,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed(text) });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`No answer to ${method} ${path} in ${answerMsMax} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

let last = 0;

/** Strictly increasing, because the same signed POST acts only once. */
export function nowMs(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}

export interface Signed {
  readonly timestamp?: string;
  readonly version?: string;
}

/** The signing headers of the document, for the string timestamp + METHOD + path with query + body. */
export function signed(
  dialect: Dialect,
  who: Credentials,
  method: string,
  path: string,
  body: string,
  { timestamp = String(nowMs()), version = '3' }: Signed = {},
): Record<string, string> {
  return {
    [`${dialect.prefix}-API-KEY`]: who.apiKey,
    [`${dialect.prefix}-API-SIGN`]: hmac(who.apiSecret, timestamp + method.toUpperCase() + path + body),
    [`${dialect.prefix}-API-TIMESTAMP`]: timestamp,
    [`${dialect.prefix}-API-PASSPHRASE`]: hmac(who.apiSecret, who.apiPassphrase),
    [`${dialect.prefix}-API-KEY-VERSION`]: version,
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
  };
}

/** A signed call. It waits if it exceeds a rate limit, so that only the tests about limits see one. */
export async function call(
  dialect: Dialect,
  who: Credentials,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  for (let attempt = 1; ; attempt++) {
    const answer = await send(dialect.url, method, path, text, signed(dialect, who, method, path, text));
    if (answer.status !== 429 || attempt === 3) return answer;
    await sleep(Number(answer.headers['gw-ratelimit-reset'] ?? 1000) + 50);
  }
}

/** An unsigned call of a public endpoint. */
export async function open(dialect: Dialect, path: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(dialect.url, 'GET', path, '', {});
    if (answer.status !== 429 || attempt === 3) return answer;
    await sleep(Number(answer.headers['gw-ratelimit-reset'] ?? 1000) + 50);
  }
}

/** The value at a path of names and indices; undefined if the path does not exist. */
export function at(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}
