/** A node's position in the log, and the requests that wait for a later one. */

import type { Clock } from '@bourse/engine';
import { STALE_MS } from './deadlines.ts';
import type { NodeSequencer } from './node-sequencer.ts';

const REACH_MS_MAX = 2000;
/** A bound, because a client may name a record that never arrives. */
const WAITING_MAX = 10_000;

interface Waiting {
  readonly seq: number;
  readonly done: (isReached: boolean) => void;
}

export class NodePosition {
  readonly #sequencer: NodeSequencer;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();

  constructor(sequencer: NodeSequencer, clock: Clock) {
    this.#sequencer = sequencer;
    this.#clock = clock.machine;
    sequencer.subscribe(({ seq }) => {
      for (const each of this.#waiting) if (each.seq <= seq) each.done(true);
    });
  }

  get seq(): number {
    return this.#sequencer.seq;
  }

  get ageMs(): number {
    return this.#sequencer.ageMs;
  }

  get staleness(): string | undefined {
    const { ageMs } = this;
    if (ageMs <= STALE_MS) return undefined;
    return (
      `this node has had no contact with the log for ${Math.round(ageMs / 1000)} s, so its data may be stale: ` +
      'the request was not executed; use another node'
    );
  }

  async reach(seq: number): Promise<boolean> {
    if (seq <= this.seq) return true;
    if (this.#waiting.size >= WAITING_MAX) return false;
    return new Promise((resolve) => {
      const done = (isReached: boolean): void => {
        cancel();
        this.#waiting.delete(waiting);
        resolve(isReached);
      };
      const waiting = { seq, done };
      const cancel = this.#clock.after(REACH_MS_MAX, () => done(false));
      this.#waiting.add(waiting);
    });
  }
}
