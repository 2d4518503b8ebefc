/** Nodes of a cluster in the test's own process, with real log servers. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../../api/src/gateway/http/log.ts';
import type { RunningExchange } from '../../../bourse/src/startup/running-exchange.ts';
import { startExchange } from '../../../bourse/src/startup/start.ts';
import { settingsOf } from '../limits.ts';

export class TestNodes {
  readonly #urls: readonly string[];
  readonly #stream: string;
  readonly #dir = mkdtempSync(join(tmpdir(), 'bourse-nodes-'));
  readonly #running = new Map<string, RunningExchange>();

  /** `stream`: unique for each test that shares the servers with others. */
  constructor(urls: readonly string[], stream: string) {
    this.#urls = urls;
    this.#stream = stream;
  }

  async start(
    name: string,
    flags: Readonly<Record<string, string>> = {},
    onLine?: (line: string) => void,
  ): Promise<RunningExchange> {
    const settings = settingsOf({
      cluster: this.#urls.join(','),
      clusterStream: this.#stream,
      node: name,
      port: '0',
      data: join(this.#dir, name),
      logLevel: 'silent',
      ...flags,
    });
    const log = onLine && makeLog('warn', { write: onLine });
    const running = await startExchange(settings, log && { log });
    this.#running.set(name, running);
    return running;
  }

  async stop(name: string): Promise<void> {
    const running = this.#running.get(name);
    this.#running.delete(name);
    await running?.close();
  }

  /** The files in a folder of the node's directory; empty if the folder does not exist. */
  files(name: string, folder: string): { path: string; bytes: Uint8Array }[] {
    const dir = join(this.#dir, name, folder);
    try {
      const names = readdirSync(dir).toSorted();
      return names.map((each) => ({ path: join(dir, each), bytes: readFileSync(join(dir, each)) }));
    } catch {
      return [];
    }
  }

  async close(): Promise<void> {
    for (const name of this.#running.keys()) await this.stop(name);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** A call of the operator's interface at one node. */
export async function askOperator(
  { connection: { operatorUrl, operatorToken } }: Pick<RunningExchange, 'connection'>,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(operatorUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${operatorToken}`,
      'x-operator': 'test',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
