/** Counts forged messages from the log servers, and raises an alarm at most once a minute. */

import type { Clock } from '@bourse/engine';

const AGAIN_MS = 60_000;

export class Forgeries {
  readonly #clock: Clock;
  readonly #onAlarm: (sentence: string) => void;
  #toldAt = -Infinity;
  /** Forged messages of the stream. */
  records = 0;
  /** Forged or replayed messages between nodes. */
  messages = 0;

  constructor(clock: Clock, onAlarm: (sentence: string) => void) {
    this.#clock = clock.machine;
    this.#onAlarm = onAlarm;
  }

  record(at: number): void {
    this.records++;
    this.#warn(`message ${at} of the stream was not written by a node of this cluster, and is skipped`);
  }

  message(topic: string, why: 'forged' | 'replayed'): void {
    this.messages++;
    this.#warn(`a message to '${topic}' is ${why}, and is dropped`);
  }

  #warn(what: string): void {
    const now = this.#clock.elapsed();
    if (now - this.#toldAt < AGAIN_MS) return;
    this.#toldAt = now;
    this.#onAlarm(
      `${what}: somebody else can write to the log servers, or a node has another secret key (so far ${this.records} ` +
        `records and ${this.messages} messages). Change the password of the log servers, and see who reaches them`,
    );
  }
}
