/** Pending device calls. They complete one by one, in the order the world draws, or never if the power fails. */

import type { Random } from '@bourse/test-kit/random.ts';

export class Device {
  #waiting: (() => void)[] = [];

  readonly wait = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve));

  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  endOne(random: Random): void {
    const [end] = this.#waiting.splice(random.below(this.#waiting.length), 1);
    end?.();
  }

  endAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const end of waiting) end();
  }

  /** Drops pending calls, which never complete. */
  forget(): void {
    this.#waiting = [];
  }
}

/** Runs everything that is ready and does not wait for the device. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
