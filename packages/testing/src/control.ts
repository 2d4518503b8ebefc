/** Calls of a sandbox's control API: returns the response or throws what was rejected and why. */

import { request } from 'node:http';

/** The control API rejected a call. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export class Control {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get<T>(path: string, query: object = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const text = new URLSearchParams(given).toString();
    return this.#send('GET', text === '' ? path : `${path}?${text}`);
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return this.#send('POST', path, JSON.stringify(body));
  }

  delete<T>(path: string): Promise<T> {
    return this.#send('DELETE', path);
  }

  async #send<T>(method: string, path: string, body?: string): Promise<T> {
    const { status, text } = await exchangeText(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
      body,
    });
    const answer = JSON.parse(text) as T & { readonly code?: string; readonly msg?: string };
    if (status >= 400) throw new ControlError(status, answer.code ?? '', answer.msg ?? text);
    return answer;
  }
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | undefined;
}

/**
 * Not with `fetch`, which times out after five minutes although an expectation may wait longer, and keeps connections
 * open: here each ends with its response, so that nothing is left open when the exchange stops.
 */
function exchangeText(
  url: string,
  { method, headers, body }: Sent,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ECONNREFUSED' ? nobodyThere(url, error) : error),
    );
    sent.end(body);
  });
}

function nobodyThere(url: string, cause: Error): Error {
  return new Error(`No exchange at ${new URL(url).origin}: it was stopped, or its process has exited.`, {
    cause,
  });
}
