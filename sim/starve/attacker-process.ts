/** The parent's side of the attacker: starts its steps and waits for them. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Order } from './attacker.ts';

const PROGRAM = fileURLToPath(new URL('attacker.ts', import.meta.url));
/**
 * A real attacker has a separate machine. Here it shares the CPUs with its target, so it runs at low priority:
 * otherwise its own CPU time would count as delay caused by the exchange.
 */
const NICENESS = 15;

export class AttackerProcess {
  readonly #child: ChildProcess;
  readonly #name: string;

  private constructor(child: ChildProcess, name: string) {
    this.#child = child;
    this.#name = name;
  }

  /** Runs one attack, sized for this process. */
  static async start(name: string): Promise<AttackerProcess> {
    const child = fork(PROGRAM);
    await once(child, 'message');
    return new AttackerProcess(child, name);
  }

  async seed(dir: string): Promise<void> {
    await this.#step({ name: this.#name, step: 'seed', dir });
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, NICENESS);
  }

  prepare(url: string): Promise<void> {
    return this.#step({ name: this.#name, step: 'prepare', url });
  }

  /** Resolves when the attack is over: a burst by itself, any other after `stop`. */
  run(url: string): Promise<void> {
    return this.#step({ name: this.#name, step: 'run', url });
  }

  stop(url: string): void {
    this.#child.send({ name: this.#name, step: 'stop', url } satisfies Order);
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'close');
    this.#child.kill();
    await gone;
  }

  async #step(order: Order): Promise<void> {
    const done = once(this.#child, 'message');
    const gone = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the attacker ended with ${code} at step ${order.step} of ${order.name}`);
    });
    this.#child.send(order);
    await Promise.race([done, gone]);
  }
}
