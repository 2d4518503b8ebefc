/** Applies the records of the log on this node: core, digests, subscribers; and gives the outcomes to who waits. */

import type { Applied, Exchange, LogRecord, Outcome } from '@bourse/core';
import { type Digest, type ExchangePort, PublishedRecord } from '@bourse/engine';
import type { RecordMessage, RecordTags } from './stream/record-message.ts';
import { StateDigest } from './states/state-digest.ts';
import { isComparable } from './states/versioned-digest.ts';

export type Listener = Parameters<ExchangePort['subscribe']>[0];

/** What a record came to, for those who wait here. */
export interface AppliedHere extends Pick<Applied, 'finished'> {
  readonly outcomes: readonly Outcome[];
}

export class RecordApplier {
  readonly exchange: Exchange;
  readonly listeners = new Set<Listener>();
  /** How many commands of the last record have to come again. */
  waits = 0;
  /** The engine's, which the follower is compared with. */
  readonly #digest: Digest;
  readonly #states = new StateDigest();

  /** Called with a record before which its writer has come to another state than this node. */
  readonly #onDifference: (seq: number, tags: RecordTags) => void;

  constructor(exchange: Exchange, digest: Digest, onDifference: (seq: number, tags: RecordTags) => void) {
    this.exchange = exchange;
    this.#digest = digest;
    this.#onDifference = onDifference;
  }

  /** Of everything that records have brought about: the same on every node at the same record. Empty after a start. */
  get digest(): string {
    return this.#states.text;
  }

  /** States were compared, and found to be right: digests may still differ, so all begin anew. */
  forgetDigest(): void {
    this.#states.forget();
  }

  digestAfter(seq: number): string | undefined {
    return this.#states.after(seq);
  }

  /** False when a process says that it has another digest after that record than this node. */
  agreesWith({ seq, digest }: { readonly seq: number; readonly digest: string }, isLeader: boolean): boolean {
    if (digest === '') return true;
    if (isLeader && seq === this.exchange.seq && this.digest === '') this.#states.agreesWith(digest);
    const own = this.#states.after(seq);
    return own === undefined || own === digest || !isComparable(own, digest);
  }

  /**
   * Subscribers have seen it when it returns; the outcomes are decoded only if somebody here waits for one. Throws
   * whatever the core or a subscriber throws.
   */
  apply({ record, tags }: Pick<RecordMessage, 'record' | 'tags'>, isAwaited: boolean): AppliedHere {
    if (!this.#states.agreesWith(tags.digest)) this.#onDifference(record.seq - 1, tags);
    const applied = this.exchange.apply(record);
    this.#note(record, applied);
    this.waits = applied.waits;
    const finished = [...applied.finished];
    const outcomes = isAwaited ? applied.outcomes.decode() : [];
    const published = new PublishedRecord(this.exchange, applied);
    for (const listener of this.listeners) listener(published, this.exchange);
    return { outcomes, finished };
  }

  #note({ seq }: LogRecord, applied: Applied): void {
    this.#states.add(seq, applied);
    this.#digest.add(seq, applied);
  }
}
