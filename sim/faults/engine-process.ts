/** An engine in a child process: replies as promises, and ways to end it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Command, Outcome } from '@bourse/core';

const ENTRY = fileURLToPath(new URL('../../packages/test-kit/src/engine-process.ts', import.meta.url));
const DEADLINE_MS = 120_000;

export interface Reply {
  readonly seq?: number;
  readonly outcome?: Outcome;
  readonly unavailable?: string;
  readonly active?: { readonly clientId: string } | null;
  readonly done?: { readonly clientId: string } | null;
  readonly history?: { readonly clientId: string } | null;
  readonly hash?: string;
  readonly checkpoint?: number;
}

export type Request =
  | { readonly command: Command }
  | { readonly order: number }
  | { readonly hash: true }
  | { readonly snapshot: true }
  | { readonly caughtUp: true };

/** The process ended before it replied. */
export class NoAnswer extends Error {}

export interface ProcessOptions {
  /** A wrapper command with its arguments, such as `strace -f ...`. */
  readonly under?: readonly string[];
  readonly env?: Record<string, string>;
}

export class EngineProcess {
  readonly child: ChildProcess;
  /** Why the engine stopped by itself. */
  stopped = '';
  errors = '';
  readonly ended: Promise<void>;
  readonly #ready = Promise.withResolvers<{ seq: number; snapshotSeq: number; commands: number }>();
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  #ids = 0;

  constructor(dir: string, { under = [], env = {} }: ProcessOptions = {}) {
    const [file, ...args] = [...under, process.execPath, ENTRY, dir, 'keep-segments'];
    this.child = spawn(file as string, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Shares compiled code between starts.
      env: { ...process.env, NODE_COMPILE_CACHE: `${tmpdir()}/bourse-compile-cache`, ...env },
    });
    this.#ready.promise.catch(() => undefined);
    this.child.on('error', (error) => this.#end(error));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.errors += chunk));
    // Writing to the pipe of a killed process fails, which is expected.
    this.child.stdin?.on('error', () => undefined);
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => this.#take(line));
    const closed = once(this.child, 'close').catch(() => undefined);
    this.ended = closed.then(() => this.#end(new NoAnswer(this.errors || 'the process has ended')));
  }

  ready(): Promise<{ seq: number; snapshotSeq: number; commands: number }> {
    return within(this.#ready.promise, 'start');
  }

  ask(request: Request): Promise<Reply> {
    const id = ++this.#ids;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, { resolve, reject });
    this.child.stdin?.write(`${write({ id, ...request })}\n`);
    return promise;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await within(this.ended, 'die');
  }

  /** Shuts it down regularly; resolves with the exit code. */
  async close(): Promise<number | null> {
    this.child.stdin?.end();
    await within(this.ended, 'close');
    return this.child.exitCode;
  }

  #take(line: string): void {
    // The last line of a killed process may be incomplete.
    if (!line.endsWith('}')) return;
    const { id, ready, stopped, ...reply } = read(line);
    if (ready) this.#ready.resolve(ready);
    else if (stopped !== undefined) this.stopped = stopped;
    else if (id !== undefined) {
      this.#waiting.get(id)?.resolve(reply);
      this.#waiting.delete(id);
    }
  }

  #end(error: Error): void {
    this.#ready.reject(error);
    for (const { reject } of this.#waiting.values()) reject(new NoAnswer(error.message));
    this.#waiting.clear();
  }
}

interface Line extends Reply {
  readonly id?: number;
  readonly ready?: { seq: number; snapshotSeq: number; commands: number };
  readonly stopped?: string;
}

const write = (value: unknown) =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));

const read = (line: string) =>
  JSON.parse(line, (_, field: unknown) =>
    typeof field === 'string' && /^-?\d+n$/.test(field) ? BigInt(field.slice(0, -1)) : field,
  ) as Line;

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took too long to ${what}`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
