/** Applies records on this node: core, digests, subscribers; and returns the outcomes to waiting callers. */

import type { Applied, Exchange, Outcome } from '@bourse/core';
import { type Digest, type ExchangePort, PublishedRecord } from '@bourse/engine';
import type { RecordMessage, RecordTags } from './stream/record-stream.ts';
import { StateDigest, isComparable } from './states/state-digest.ts';

export type Listener = Parameters<ExchangePort['subscribe']>[0];

/** The result of a record for callers of this node. */
export interface AppliedHere extends Pick<Applied, 'finished'> {
  readonly outcomes: readonly Outcome[];
}

export class RecordApplier {
  readonly exchange: Exchange;
  readonly listeners = new Set<Listener>();
  /** How many commands of the last record must be retried. */
  waits = 0;
  /** The engine's, which the follower is compared with. */
  readonly #digest: Digest;
  readonly #states = new StateDigest();

  /** Called with a record whose writer had a different state before it. */
  readonly #onDifference: (seq: number, tags: RecordTags) => void;

  constructor(exchange: Exchange, digest: Digest, onDifference: (seq: number, tags: RecordTags) => void) {
    this.exchange = exchange;
    this.#digest = digest;
    this.#onDifference = onDifference;
  }

  /** The digest of all effects so far: the same on every node at the same record. Empty after a start. */
  get digest(): string {
    return this.#states.text;
  }

  /** States were compared and found right although digests differ, so all start over. */
  forgetDigest(): void {
    this.#states.forget();
  }

  digestAfter(seq: number): string | undefined {
    return this.#states.after(seq);
  }

  /** Returns false if a process reports a different digest after that record. */
  agreesWith({ seq, digest }: { readonly seq: number; readonly digest: string }, isLeader: boolean): boolean {
    if (digest === '') return true;
    if (isLeader && seq === this.exchange.seq && this.digest === '') this.#states.agreesWith(digest);
    const own = this.#states.after(seq);
    return own === undefined || own === digest || !isComparable(own, digest);
  }

  /**
   * Subscribers have seen the record when it returns; outcomes are decoded only if a caller here waits for one. Throws what
   * the core or a subscriber throws.
   */
  apply({ record, tags }: Pick<RecordMessage, 'record' | 'tags'>, isAwaited: boolean): AppliedHere {
    if (!this.#states.agreesWith(tags.digest)) this.#onDifference(record.seq - 1, tags);
    const applied = this.exchange.apply(record);
    this.#states.add(record.seq, applied);
    this.#digest.add(record.seq, applied);
    this.waits = applied.waits;
    const finished = [...applied.finished];
    const outcomes = isAwaited ? applied.outcomes.decode() : [];
    const published = new PublishedRecord(this.exchange, applied);
    for (const listener of this.listeners) listener(published, this.exchange);
    return { outcomes, finished };
  }
}
