/** Messages between the processes of this bench. */

import { type ChildProcess, fork } from 'node:child_process';

/** To a server: the number of messages, how many at a time per client, and how far ahead of the readers. */
export interface Burst {
  readonly kind: 'burst';
  readonly messages: number;
  readonly together: number;
  readonly clients: number;
  readonly aheadMax: number;
}

/** To a server: the progress of the slowest reader in this burst. */
export interface Progress {
  readonly kind: 'progress';
  readonly messages: number;
}

/** To the readers: connect and subscribe. */
export interface Open {
  readonly kind: 'open';
  readonly url: string;
  readonly readers: number;
}

/** To the readers: report until each has received this many more messages. */
export interface Count {
  readonly kind: 'count';
  readonly messages: number;
}

export interface Latency {
  readonly kind: 'latency';
  readonly url: string;
  readonly feedUrl: string;
  readonly orders: number;
}

export type Task = Burst | Progress | Open | Count | Latency | { readonly kind: 'close' };

export interface Report {
  readonly kind: 'ready' | 'progress' | 'done';
  readonly url?: string;
  readonly messages?: number;
  readonly bytes?: number;
  readonly seconds?: number;
  readonly texts?: readonly string[];
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** A process of the bench, and the reports it sends. */
export class Child {
  readonly #process: ChildProcess;
  #listeners: ((report: Report) => void)[] = [];

  constructor(file: URL, argument = '') {
    this.#process = fork(file, [argument], { serialization: 'advanced' });
    this.#process.on('message', (said) => {
      for (const listener of this.#listeners) listener(said as Report);
    });
    this.#process.on('exit', (code) => {
      if (code !== 0) throw new Error(`${file} ended with ${code}`);
    });
  }

  send(task: Task): void {
    this.#process.send(task);
  }

  on(listener: (report: Report) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  next(kind: Report['kind']): Promise<Report> {
    return new Promise((resolve) => {
      const off = this.on((said) => {
        if (said.kind !== kind) return;
        off();
        resolve(said);
      });
    });
  }

  async ask(task: Task): Promise<Report> {
    const done = this.next('done');
    this.send(task);
    return done;
  }

  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.send({ kind: 'close' });
    await gone;
  }
}

/** In a child: receives tasks. */
export function onTask(take: (task: Task) => void): void {
  process.on('message', (task) => take(task as Task));
  process.on('disconnect', () => process.exit(1));
}

export function report(what: Report): void {
  process.send?.(what);
}

/** Keeps a server from running further ahead of its readers than a burst allows. */
export class Pace {
  #behind = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#behind = 0;
  }

  /** Notes the progress of the slowest reader. */
  note(messages: number): void {
    this.#behind = messages;
    for (const go of this.#waiting.splice(0)) go();
  }

  async until(sent: number, aheadMax: number): Promise<void> {
    while (sent - this.#behind > aheadMax) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
