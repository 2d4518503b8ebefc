/** A sandbox in its own directory, in this process, with its control API and its users. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { startExchange } from '../../src/startup/start.ts';

export interface Answer {
  readonly status: number;
  readonly body: never;
}

export interface TestSandbox {
  readonly running: RunningExchange;
  readonly dir: string;
  /** A call of the control API; the status must be 200. */
  call<T = Record<string, never>>(method: string, path: string, body?: object): Promise<T>;
  /** With any status. */
  ask(method: string, path: string, body?: object): Promise<Answer>;
  close(): Promise<void>;
}

export type Flags = Readonly<Record<string, string | boolean>>;

export async function openSandbox(dir: string, flags: Flags = {}): Promise<TestSandbox> {
  const settings = settingsOf({
    data: dir,
    port: '0',
    logLevel: 'silent',
    market: 'quiet',
    clock: 'manual',
    ...flags,
  });
  return sandboxOf(await startExchange(settings), dir);
}

export function sandboxOf(running: RunningExchange, dir: string): TestSandbox {
  const { sandboxUrl, operatorToken } = running.connection;
  const ask = controlOf(sandboxUrl!, operatorToken);
  return {
    running,
    dir,
    ask,
    async call<T>(method: string, path: string, body?: object) {
      const answer = await ask(method, path, body);
      assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    },
    close: () => running.close(),
  };
}

export const controlOf =
  (url: string, token: string) =>
  async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as never };
  };

/** Closed when the test ends. */
export async function sandboxFor(context: TestContext, flags: Flags = {}): Promise<TestSandbox> {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-'));
  const sandbox = await openSandbox(dir, flags);
  // In this order, because pending opens must complete first.
  context.after(async () => {
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return sandbox;
}
