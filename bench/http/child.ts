/** Servers and loads in their own processes. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cost } from './cpu.ts';
import type { Job, Result } from './load.ts';

const LOAD = new URL('./load.ts', import.meta.url);
const START_MS_MAX = 60_000;
const LOAD_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 64 << 20;

export interface Server {
  readonly port: number;
  /** Resident memory in bytes, from the system. */
  memory(): Promise<number>;
  /** The server's cost while `run` runs; only for a server that reports its costs. */
  cost(run: () => Promise<unknown>): Promise<Cost>;
  stop(): Promise<void>;
}

/** Starts a server that prints its address and exits when its standard input ends. */
export async function startServer(file: URL, ...given: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(file), ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Both servers use a compile cache, like `bourse start`.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'bourse-bench-cache') },
  });
  const lines = createInterface({ input: child.stdout });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  const spoke = once(lines, 'line', { signal: AbortSignal.timeout(START_MS_MAX) });
  const [line] = (await Promise.race([spoke, died])) as [string];
  died.catch(() => undefined);
  return {
    port: Number(new URL(line).port),
    memory: async () => {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)]);
      return Number(stdout) * 1024;
    },
    cost: async (run) => {
      const ask = async (word: string): Promise<string> => {
        const answered = once(lines, 'line');
        child.stdin.write(`${word}\n`);
        return (await answered)[0] as string;
      };
      await ask('begin');
      await run();
      return JSON.parse(await ask('end')) as Cost;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

export async function runLoad(job: Job): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(LOAD), JSON.stringify(job)], {
    timeout: LOAD_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const result = JSON.parse(stdout) as Result;
  if (result.refused > 0) {
    throw new Error(
      `${result.refused} of ${result.requests} requests were refused, first: ${result.refusal}`,
    );
  }
  return result;
}
