/** A complete exchange in its own directory, in this process, and its operator. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Role } from '@bourse/core';
import { makeLog } from '../../../api/src/gateway/http/log.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { startExchange } from '../../src/startup/start.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

export interface Given {
  readonly data: string;
  readonly flags?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly logLines?: (line: string) => void;
  /** The log level; default: `info`. */
  readonly logLevel?: string;
}

/** Tests need the books to be empty unless they say otherwise; a venue's are. */
const quiet = ({ venue }: Readonly<Record<string, string | boolean>>) => (venue ? {} : { market: 'quiet' });

export async function open(given: Given): Promise<RunningExchange> {
  const { data, flags = {}, env = {}, logLines, logLevel = 'info' } = given;
  const settings = settingsOf({ port: '0', data, ...quiet(flags), ...flags }, env);
  return startExchange(settings, { log: makeLog(logLevel, { write: logLines ?? (() => undefined) }) });
}

/** Closed when the test ends. */
export async function openFor(context: TestContext, given: Partial<Given> = {}): Promise<RunningExchange> {
  const running = await open({ data: makeDirectory(context), ...given });
  context.after(() => running.close());
  return running;
}

export interface OperatorReply {
  readonly status: number;
  readonly body: unknown;
}

export class Operator {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ connection }: RunningExchange, headers: Readonly<Record<string, string>> = {}) {
    this.#url = connection.operatorUrl;
    this.#headers = { authorization: `Bearer ${connection.operatorToken}`, ...headers };
  }

  get(path: string): Promise<OperatorReply> {
    return this.send('GET', path);
  }

  post(path: string, body: object): Promise<OperatorReply> {
    return this.send('POST', path, JSON.stringify({ reason: 'a test', ...body }));
  }

  async text(path: string): Promise<string> {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(this.#url + path, { headers: this.#headers, signal })).text();
  }

  delete(path: string): Promise<OperatorReply> {
    return this.send('DELETE', `${path}?reason=a-test`);
  }

  async send(method: string, path: string, body?: string): Promise<OperatorReply> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: JSON.parse(await response.text()) as unknown };
  }
}

export interface NewOperator {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly token: string;
}

/** Of a refusal. */
export const codeOf = ({ status, body }: OperatorReply): unknown[] => [
  status,
  (body as { code?: string }).code,
];

export const withToken = (running: RunningExchange, token: string): Operator =>
  new Operator(running, { authorization: `Bearer ${token}` });

export async function addOperator(by: Operator, name: string, ...roles: Role[]): Promise<NewOperator> {
  const { status, body } = await by.post('/v1/operators', { name, roles });
  assert.equal(status, 201, JSON.stringify(body));
  return body as NewOperator;
}

export const clientOf = ({ connection }: RunningExchange, name?: string): Client =>
  new Client(connection.baseUrl, name);
