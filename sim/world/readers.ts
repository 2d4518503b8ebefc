/**
 * Readers. A read after an acknowledgement sees its effect, and nobody sees a record that a power failure could undo
 * (promise 10): anything ever seen must exist after every start, byte for byte.
 */

import type { Exchange } from '@bourse/core';
import { Unavailable } from '../../packages/engine/src/exchange-port.ts';
import { violated } from '../checkers/violation.ts';
import { canonicalText, isSame } from '../compare.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import type { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import type { Life } from './life.ts';
import type { Oracle } from './oracle.ts';
import type { Senders } from './senders.ts';
import type { Tally } from './tally.ts';

interface Seen {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

interface ReaderParts {
  readonly tally: Tally;
  readonly random: Random;
  readonly oracle: Oracle;
  readonly history: MemoryHistory;
  readonly senders: Senders;
  /** Older rows may be pruned from history. */
  readonly retentionMs: number;
}

export class Readers {
  readonly #tally: Tally;
  readonly #random: Random;
  readonly #oracle: Oracle;
  readonly #history: MemoryHistory;
  readonly #senders: Senders;
  readonly #retentionMs: number;
  /** The latest record anybody has seen. */
  #seenSeq = 0;
  #checkpoint = 0;
  #seen: Seen[] = [];
  #failure: unknown = null;

  constructor({ tally, random, oracle, history, senders, retentionMs }: ReaderParts) {
    this.#tally = tally;
    this.#random = random;
    this.#oracle = oracle;
    this.#history = history;
    this.#senders = senders;
    this.#retentionMs = retentionMs;
  }

  read(life: Life): void {
    const isWhole = this.#random.chance(0.05);
    const isFull = life.engine?.health.state === 'full';
    this.#ask(life, (exchange) => {
      if (isWhole) this.#seen.push({ seq: exchange.seq, bytes: exchange.snapshot() });
      this.#tally.add('reads');
      if (isFull) this.#tally.add('reads while the disk is full');
    });
  }

  /** An acknowledged order is active, or done and still in memory, or in history. */
  lookUp(life: Life): void {
    const { orders, done } = this.#senders;
    if (orders.length === 0) return this.read(life);
    const id = this.#random.pick(done.length > 0 && this.#random.chance(0.7) ? done.slice(-4) : orders);
    this.#ask(life, (exchange) => {
      const active = exchange.order(id);
      const kept = exchange.doneOrder(id);
      const past = this.#history.order(id);
      const expected = this.#oracle.seq === exchange.seq ? this.#oracle.exchange : null;
      if (active) this.#tally.add('look-ups: active');
      else if (kept) this.#tally.add('look-ups: done, in memory');
      else if (past) this.#tally.add('look-ups: in history');
      else if (!this.#isPruned(id, exchange.time))
        violated('an order that was answered is found (promise 10)', { id });
      const should = expected && (expected.order(id) ?? expected.doneOrder(id));
      const is = active ?? kept;
      if (should && is && !isSame(should, is)) {
        violated('an order is what the log says', { is: canonicalText(is), should: canonicalText(should) });
      }
    });
  }

  #isPruned(id: number, time: number): boolean {
    const { doneAt } = this.#oracle.history.order(id) ?? { doneAt: time };
    return doneAt < time - this.#retentionMs;
  }

  #ask(life: Life, look: (exchange: Exchange) => void): void {
    const floor = this.#senders.answeredSeq;
    life.engine
      ?.read((exchange) => {
        const { seq } = exchange;
        if (seq < floor) violated('a read after an answer sees it (promise 10)', { seq, floor });
        if (seq > life.tip) violated('nobody sees what is not durable (promise 10)', { seq, tip: life.tip });
        this.#seenSeq = Math.max(this.#seenSeq, seq);
        look(exchange);
      })
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) this.#failure ??= error;
        else if (error.reason === 'queue-full' || (error.reason === 'stopped' && life.stopped !== null)) {
          this.#tally.add('reads refused');
        } else this.#failure ??= error;
      });
  }

  /** After a step, once the oracle has caught up. */
  check(life: Life): void {
    if (this.#failure !== null) throw this.#failure;
    this.#seenSeq = Math.max(this.#seenSeq, life.tip);
    for (const { seq, bytes } of this.#seen) {
      if (seq === this.#oracle.seq) this.#compare(seq, bytes);
    }
    this.#seen = [];
  }

  processEnds(life: Life): void {
    this.#seenSeq = Math.max(this.#seenSeq, life.tip);
    this.#seen = [];
  }

  /** Checks the state of a new process before anything is sent to it. */
  checkStart(life: Life): void {
    if (life.tip < this.#seenSeq) {
      violated('what was seen is there after every start (promises 1, 10)', {
        seen: this.#seenSeq,
        log: life.tip,
      });
    }
    if (this.#history.checkpoint < this.#checkpoint) violated('history never goes back', {});
    this.#checkpoint = this.#history.checkpoint;
    // Serialising the complete state is most of the cost of a start here.
    if (this.#random.chance(0.4)) return;
    life.engine
      ?.read((exchange) => this.#compare(exchange.seq, exchange.snapshot()))
      .catch((error: unknown) => (this.#failure ??= error));
  }

  #compare(seq: number, bytes: Uint8Array): void {
    this.#tally.add('states compared');
    if (seq !== this.#oracle.seq || Buffer.compare(bytes, this.#oracle.exchange.snapshot()) !== 0) {
      violated('the state is what the log says, byte for byte (promises 2, 5)', {
        seq,
        log: this.#oracle.seq,
      });
    }
  }
}
