/** A sandbox in its own process, with its control API. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ConnectionFile } from '../../packages/bourse/src/startup/running-exchange.ts';

const EXCHANGE = fileURLToPath(new URL('./exchange.ts', import.meta.url));

export interface Use {
  /** CPU time of all its threads since its start. */
  readonly cpuMs: number;
  /** Resident memory in bytes. */
  readonly memory: number;
}

export interface Measured {
  readonly connection: ConnectionFile;
  readonly port: number;
  use(): Promise<Use>;
  /** Places resting orders. */
  placeOrders(count: number): Promise<void>;
  /** Stops the process (SIGSTOP) until `resume`. */
  pause(): void;
  resume(): void;
  /** Calls the control API; throws unless the status is 200. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

export async function startMeasured(words: Readonly<Record<string, string>>): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const child = spawn(
    process.execPath,
    [...process.execArgv, EXCHANGE, JSON.stringify(words), join(dir, 'data')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'bourse-bench-cache') },
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the sandbox ended');
    return JSON.parse(value) as T;
  };
  const connection = await next<ConnectionFile>();
  const ask = <T>(line: string): Promise<T> => {
    child.stdin.write(`${line}\n`);
    return next<T>();
  };
  return {
    connection,
    port: Number(new URL(connection.baseUrl).port),
    use: () => ask<Use>('use'),
    placeOrders: async (count) => {
      const { open } = await ask<{ open: number }>(`orders ${count}`);
      if (open !== count) throw new Error(`${open} of ${count} orders are open`);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    call: (method, path, body) => callControl(connection, method, path, body),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Without `fetch`, which times out on an advance that takes five minutes. */
function callControl<T>(connection: ConnectionFile, method: string, path: string, body?: object): Promise<T> {
  const { sandboxUrl, operatorToken } = connection;
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${operatorToken}`,
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const sent = request(sandboxUrl + path, { method, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (answer += piece));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(answer) as T);
        else reject(new Error(`${method} ${path}: ${answer}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** The result of a bench: a figure, and its upper bound. */
export interface Figure {
  /** Its name in the JSON. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: number;
  /** CPU time in milliseconds: on a busy machine more meaningful than wall time. */
  readonly cpuMs?: number;
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

/** The duration of each call, in milliseconds. */
export async function timed(count: number, action: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await action();
    times.push(performance.now() - startedAt);
  }
  return times;
}
