/** A whole exchange on a free port for one suite of a client, with the sandbox's users. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { startWhole } from '@bourse/test-kit/server.ts';

/** Started before a suite's first test and closed after its last; made in the body of a `describe`. */
export class Venue {
  readonly #dir = mkdtempSync(join(tmpdir(), 'bourse-clients-'));
  #running: RunningExchange | undefined;

  constructor() {
    before(async () => void (this.#running = await startWhole(this.#dir)));
    after(async () => {
      await this.#running?.close();
      rmSync(this.#dir, { recursive: true, force: true });
    });
  }

  /** The base URL that a user of the client sets instead of the vendor's. */
  get url(): string {
    return this.connection.compatUrl;
  }

  get connection(): RunningExchange['connection'] {
    if (this.#running === undefined) throw new Error('the exchange has not been started');
    return this.#running.connection;
  }

  /** An operator's command, as the operator's own tools send it. */
  async operate(method: string, path: string, body: Record<string, unknown>): Promise<unknown> {
    const { operatorUrl, operatorToken } = this.connection;
    const response = await fetch(`${operatorUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  }
}

const require = createRequire(import.meta.url);

/** The installed version, for the table of tests by client version. */
export function versionOf(name: string): string {
  let folder = dirname(require.resolve(name));
  for (;;) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (manifest.name === name && manifest.version !== undefined) return manifest.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (folder === dirname(folder)) throw new Error(`no package ${name}`);
    folder = dirname(folder);
  }
}

/** The client's own promise, or an error that names what timed out. */
export async function within<T>(promise: Promise<T>, what: string, ms = 30_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing for ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Retries until `seen` holds, because history lags the exchange by a moment. */
export async function until<T>(
  ask: () => Promise<T>,
  seen: (answer: T) => boolean,
  what: string,
): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await ask();
    if (seen(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
