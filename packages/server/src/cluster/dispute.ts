/**
 * Nodes that have come to different states after the same record: who is wrong is decided by how many have which. Every
 * node that finds a difference asks all others for their digest after that record. Who is in the minority stops, also if
 * it leads. While there are as many on both sides nobody knows, and they ask again; meanwhile they answer nothing.
 */

import { Diverged } from '../engine/follower.ts';
import type { Clock } from '../io/clock.ts';
import { type Bus, TOPICS } from './bus.ts';

export interface DisputeParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly run: string;
  /** Of this node after that record; undefined when it is not known. */
  readonly digestAfter: (seq: number) => string | undefined;
  /** The last record that this node has applied. */
  readonly lastSeq: () => number;
  /** More nodes have another state. */
  readonly onLost: (why: Diverged) => void;
  /** This node is right, and whoever wrote the record is not. */
  readonly onWon: () => void;
}

interface Said {
  readonly run: string;
  readonly seq: number;
  readonly digest: string;
  readonly asks: boolean;
}

const ANSWERS_MS = 1000;

export class Dispute {
  readonly #parts: DisputeParts;
  readonly #unsubscribe: () => void;
  /** After this record states differ; 0 while there is nothing to decide. */
  #seq = 0;
  /** By process. */
  #digests = new Map<string, string>();
  #cancel: () => void = () => undefined;

  constructor(parts: DisputeParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.bus.subscribe(TOPICS.digests, (bytes) => {
      this.#hear(JSON.parse(Buffer.from(bytes).toString()) as Said);
    });
  }

  get isOpen(): boolean {
    return this.#seq > 0;
  }

  /** Another process has another digest after that record. */
  begin(seq: number, run: string, digest: string): void {
    if (this.isOpen || this.#parts.digestAfter(seq) === undefined) return;
    this.#seq = seq;
    this.#digests = new Map([[run, digest]]);
    this.#ask();
  }

  #ask(): void {
    this.#say(this.#seq, true);
    this.#cancel = this.#parts.clock.machine.after(ANSWERS_MS, () => this.#decide());
  }

  close(): void {
    this.#cancel();
    this.#unsubscribe();
  }

  #hear({ run, seq, digest, asks }: Said): void {
    const own = this.#parts.digestAfter(seq);
    if (run === this.#parts.run || own === undefined) return;
    if (asks) this.#say(seq, false);
    if (digest !== own) this.begin(seq, run, digest);
    if (seq === this.#seq) this.#digests.set(run, digest);
  }

  #say(seq: number, asks: boolean): void {
    const { bus, run, digestAfter } = this.#parts;
    const digest = digestAfter(seq);
    if (digest === undefined) return;
    const said: Said = { run, seq, digest, asks };
    bus.publish(TOPICS.digests, Buffer.from(JSON.stringify(said)));
  }

  #decide(): void {
    const { digestAfter, onLost, onWon } = this.#parts;
    const seq = this.#seq;
    const own = digestAfter(seq);
    // All have begun anew since.
    if (own === undefined) {
      this.#seq = 0;
      return;
    }
    const others = [...this.#digests.values()];
    const withUs = 1 + others.filter((digest) => digest === own).length;
    const against = others.filter((digest) => digest !== own).length;
    if (withUs === against || (withUs === 1 && against === 0)) {
      // When nobody answers, those who are there now may know only of what came later.
      if (against === 0) this.#seq = this.#parts.lastSeq();
      // Who has gone since does not count any more.
      this.#digests.clear();
      this.#ask();
      return;
    }
    this.#seq = 0;
    if (withUs > against) onWon();
    else onLost(differs(seq));
  }
}

function differs(seq: number): Diverged {
  return new Diverged(
    `after record ${seq} this node has another state than others have: it stops, and answers nothing more. Keep a copy of ` +
      'its directory, then start the node on an empty one: it takes its state from the others',
  );
}
