/** Applies the records of the log on this node: core, digests, subscribers; and gives the outcomes to who waits. */

import type { Applied, Exchange, LogRecord, Outcome } from '@bourse/core';
import type { Digest } from '../engine/digest.ts';
import type { ExchangePort } from '../engine/exchange-port.ts';
import { Diverged } from '../engine/follower.ts';
import { PublishedRecord } from '../engine/published-record.ts';
import type { RecordMessage, Writer } from './record-message.ts';
import { StateDigest } from './state-digest.ts';

export type Listener = Parameters<ExchangePort['subscribe']>[0];

export class RecordApplier {
  readonly exchange: Exchange;
  readonly listeners = new Set<Listener>();
  /** The engine's, which the follower is compared with. */
  readonly #digest: Digest;
  readonly #states = new StateDigest();

  constructor(exchange: Exchange, digest: Digest) {
    this.exchange = exchange;
    this.#digest = digest;
  }

  /** Of everything that records have brought about: the same on every node at the same record. Empty after a start. */
  get digest(): string {
    return this.#states.text;
  }

  /**
   * Subscribers have seen it when it returns; the outcomes are decoded only if somebody here waits for one. Throws
   * Diverged when its writer has come to another state, and whatever the core or a subscriber throws.
   */
  apply({ record, tags }: Pick<RecordMessage, 'record' | 'tags'>, isAwaited: boolean): readonly Outcome[] {
    if (!this.#states.agreesWith(tags.digest)) throw differs(record.seq, tags.writer);
    const applied = this.exchange.apply(record);
    this.#note(record, applied);
    const outcomes = isAwaited ? applied.outcomes.decode() : [];
    const published = new PublishedRecord(this.exchange, applied);
    for (const listener of this.listeners) listener(published, this.exchange);
    return outcomes;
  }

  #note({ seq }: LogRecord, applied: Applied): void {
    this.#states.add(seq, applied);
    this.#digest.add(seq, applied);
  }
}

function differs(seq: number, { name }: Writer): Diverged {
  return new Diverged(
    `this node has come to another state than ${name}, which appended record ${seq}: it stops, and answers nothing more. ` +
      'Keep a copy of its directory, then remove it and start the node again: it takes its state from the others',
  );
}
