/** The follower on its own thread: calls are sent as messages, one at a time, and results are returned. */

import { type MessagePort, Worker } from 'node:worker_threads';
import { Diverged, type FollowerLink, NoRoom, type FollowerProgress, type Target } from './follower.ts';
import type { SnapshotInfo } from './snapshots.ts';

type Call =
  | { readonly call: 'follow'; readonly target: Target }
  | { readonly call: 'copyTo'; readonly dir: string }
  | { readonly call: 'open'; readonly task: unknown }
  | { readonly call: 'snapshot' | 'hash' | 'close' };

type Reply =
  | { readonly kind: 'ready'; readonly beganWith: number }
  | { readonly kind: 'step'; readonly seq: number }
  | { readonly kind: 'value'; readonly value: unknown }
  | ErrorReply;

interface ErrorReply {
  readonly kind: 'error';
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onStep?: ((seq: number) => void) | undefined;
}

export class FollowerThread implements FollowerLink {
  beganWith = 0;
  readonly #worker: Worker;
  #waiting: Waiting | null = null;
  #ended: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#take(reply));
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#end(new Error('the follower has ended')));
  }

  /** `entry` must call `serveFollower`; `task` is handed to it. */
  static async start(entry: URL, task: unknown): Promise<FollowerThread> {
    const thread = new FollowerThread(new Worker(entry, { workerData: task, name: 'follower' }));
    try {
      thread.beganWith = (await thread.#reply()) as number;
      return thread;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /** Opens another follower on the same thread after the previous one has finished. */
  async open(task: unknown): Promise<void> {
    this.beganWith = (await this.#ask({ call: 'open', task })) as number;
  }

  follow(target: Target, onStep?: (seq: number) => void): Promise<FollowerProgress> {
    return this.#ask({ call: 'follow', target }, onStep) as Promise<FollowerProgress>;
  }

  snapshot(): Promise<SnapshotInfo> {
    return this.#ask({ call: 'snapshot' }) as Promise<SnapshotInfo>;
  }

  copyTo(dir: string): Promise<SnapshotInfo> {
    return this.#ask({ call: 'copyTo', dir }) as Promise<SnapshotInfo>;
  }

  hash(): Promise<string> {
    return this.#ask({ call: 'hash' }) as Promise<string>;
  }

  async close(): Promise<void> {
    try {
      if (!this.isBusy) await this.finish();
    } finally {
      await this.end();
    }
  }

  /** A call is in flight: the thread can only end. */
  get isBusy(): boolean {
    return this.#waiting !== null;
  }

  /** The follower is closed; the thread waits for another. */
  async finish(): Promise<void> {
    if (!this.#ended) await this.#ask({ call: 'close' });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(call: Call, onStep?: (seq: number) => void): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#waiting) return Promise.reject(new Error('the follower takes one call at a time'));
    const reply = this.#reply(onStep);
    this.#worker.postMessage(call, []);
    return reply;
  }

  #reply(onStep?: (seq: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, onStep };
    });
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting;
    if (reply.kind === 'step') {
      waiting?.onStep?.(reply.seq);
      return;
    }
    this.#waiting = null;
    if (reply.kind === 'error') waiting?.reject(errorOf(reply));
    else waiting?.resolve(reply.kind === 'value' ? reply.value : reply.beganWith);
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#waiting?.reject(this.#ended);
    this.#waiting = null;
  }
}

function errorOf({ name, message, code }: ErrorReply): Error {
  if (name === 'Diverged') return new Diverged(message);
  if (name === 'NoRoom') return new NoRoom(message);
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}

/** The worker's side: opens a follower for its task and serves calls; after closing it, another may be opened. */
export async function serveFollower(
  port: MessagePort,
  task: unknown,
  open: (task: unknown) => Promise<FollowerLink>,
): Promise<void> {
  const send = (reply: Reply) => port.postMessage(reply);
  const attempt = async (action: () => Promise<Reply>) => {
    try {
      send(await action());
    } catch (error) {
      const { name, message, code }: NodeJS.ErrnoException =
        error instanceof Error ? error : new Error(String(error));
      send({ kind: 'error', name, message, code });
    }
  };
  let follower: FollowerLink | null = null;
  const begin = async (given: unknown): Promise<Reply> => {
    follower = await open(given);
    return { kind: 'ready', beganWith: follower.beganWith };
  };
  await attempt(() => begin(task));
  port.on('message', (call: Call) => {
    void attempt(async () => {
      if (call.call === 'open') return begin(call.task);
      if (!follower) throw new Error('the follower is not open');
      return { kind: 'value', value: await execute(follower, call, (seq) => send({ kind: 'step', seq })) };
    });
  });
}

function execute(
  follower: FollowerLink,
  call: Exclude<Call, { call: 'open' }>,
  onStep: (seq: number) => void,
): Promise<unknown> {
  switch (call.call) {
    case 'follow':
      return follower.follow(call.target, onStep);
    case 'snapshot':
      return follower.snapshot();
    case 'copyTo':
      return follower.copyTo(call.dir);
    case 'hash':
      return follower.hash();
    case 'close':
      return follower.close();
  }
}
