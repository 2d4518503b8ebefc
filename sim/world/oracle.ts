/**
 * The expected state, computed only from the records on the disk: a separate core with all checkers after every
 * record (promises 5, 6, 8), history from scratch, and the outcome of every command that was sent (promises 1, 2).
 */

import { type Event, Exchange, type LogRecord, type OrdersOutcome, type Outcome } from '@bourse/core';
import type { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { historyRecordOf } from '../../packages/engine/src/history/history-record.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { Suite } from '../checkers/suite.ts';
import { violated } from '../checkers/violation.ts';
import { canonicalText, isSame } from '../compare.ts';
import { Digest } from '../digest.ts';
import type { Senders } from './senders.ts';
import type { Tally } from './tally.ts';

export interface PublishedDigest {
  readonly seq: number;
  readonly time: number;
  /** Hash over the events. */
  readonly digest: string;
}

export class Oracle {
  readonly exchange = new Exchange();
  /** Every row ever written, without pruning. */
  readonly history = new MemoryHistory();
  readonly records: LogRecord[] = [];
  readonly #suite = new Suite();
  readonly #once = new OnceChecker();
  readonly #answers = new Digest();
  readonly #tally: Tally;
  readonly #onEvents: (events: readonly Event[], time: number) => void;

  constructor(tally: Tally, onEvents: (events: readonly Event[], time: number) => void) {
    this.#tally = tally;
    this.#onEvents = onEvents;
    this.exchange.keepDone = true;
  }

  get seq(): number {
    return this.exchange.seq;
  }

  /** Reads new records; `published` is what subscribers received of them, if there were any. */
  async catchUp(
    disk: LossyDisk,
    logDir: string,
    through: number,
    senders: Senders,
    published: readonly PublishedDigest[],
  ): Promise<void> {
    if (through <= this.seq) return;
    const reader = new LogReader(disk, logDir);
    for await (const record of reader.read(this.seq + 1, through)) this.#apply(record, senders, published);
    await reader.close();
    if (this.seq !== through) violated('every durable record can be read', { seq: this.seq, through });
  }

  #apply(record: LogRecord, senders: Senders, published: readonly PublishedDigest[]): void {
    const { exchange } = this;
    const { seq, time, commands } = record;
    if (seq !== exchange.seq + 1) violated('records follow each other', { seq, after: exchange.seq });
    if (time < exchange.time) violated('time never goes back', { time, before: exchange.time });
    const applied = exchange.apply(record);
    const outcomes = applied.outcomes.decode();
    const events = applied.events.decode();
    if (outcomes.length !== commands.length) violated('one outcome each', { outcomes: outcomes.length });
    this.history.write([historyRecordOf(exchange, applied, record)]);
    this.#suite.afterRecord(exchange, record, events);
    this.#once.afterRecord(record, outcomes);
    senders.match(record, outcomes, applied.finished);
    this.#answers.add(outcomes);
    this.#answers.add([...applied.finished]);
    this.#answers.add(events);
    this.records.push(record);
    this.#count(commands.length, outcomes);
    const seen = published.find((each) => each.seq === seq);
    if (seen && (seen.time !== time || seen.digest !== digestOf(events))) {
      violated('subscribers see what the log says', { seq });
    }
    this.#onEvents(events, time);
  }

  #count(commands: number, outcomes: readonly Outcome[]): void {
    this.#tally.add('records');
    this.#tally.add('commands', commands);
    if (commands === 0) this.#tally.add('ticks');
    for (const { kind } of outcomes) {
      if (kind === 'unfinished') this.#tally.add('orders left unfinished');
      if (kind === 'waits') this.#tally.add('commands that wait for an unfinished order');
    }
    this.#tally.add(
      'outcomes that are rejections',
      outcomes.filter(({ kind }) => kind === 'rejected').length,
    );
  }

  /**
   * Promise 5: replaying all records, with snapshots and restores at some points, gives the same bytes and outcomes.
   */
  replay(random: Random): void {
    let exchange = new Exchange();
    const answers = new Digest();
    for (const record of this.records) {
      const { outcomes, events, finished } = exchange.apply(record);
      answers.add(outcomes.decode());
      answers.add([...finished]);
      answers.add(events.decode());
      if (random.chance(0.02)) exchange = Exchange.restore(exchange.snapshot());
    }
    if (Buffer.compare(exchange.snapshot(), this.exchange.snapshot()) !== 0) {
      violated('a replay ends in the same bytes (promise 5)', { seq: this.seq });
    }
    if (answers.toString() !== this.#answers.toString()) violated('a replay gives the same answers', {});
    this.#tally.add('replays compared');
  }
}

export function digestOf(events: readonly Event[]): string {
  const digest = new Digest();
  digest.add(events);
  return digest.toString();
}

// Promise 9: one effect per request with an idempotency key and one order per client id, whatever is resent.

interface Placed {
  readonly user: number;
  readonly clientId?: string | undefined;
}

class OnceChecker {
  readonly #untilById = new Map<string, number>();
  readonly #placedAt = new Map<string, number>();
  /** The shortest window ever in force: within it a client id cannot have become free. */
  #windowMs = Number.POSITIVE_INFINITY;

  afterRecord({ time, commands }: LogRecord, outcomes: readonly Outcome[]): void {
    commands.forEach((command, at) => {
      const outcome = outcomes[at] as Outcome;
      if (outcome.kind === 'rejected' || outcome.kind === 'waits') return;
      if (command.once !== undefined) this.#once(command.once, time);
      if (command.kind === 'set-limits')
        this.#windowMs = Math.min(this.#windowMs, command.lookupWindowMs ?? 0);
      if (command.kind === 'place-order') this.#place(command, time);
      if (command.kind !== 'place-orders' || outcome.kind === 'unfinished') return;
      (outcome as OrdersOutcome).outcomes.forEach(({ kind }, index) => {
        const order = command.orders[index];
        if (kind === 'order') this.#place({ user: command.user, clientId: order?.clientId }, time);
      });
    });
  }

  #once({ id, until }: { id: string; until: number }, time: number): void {
    const before = this.#untilById.get(id);
    if (before !== undefined && time <= before) violated('one effect per request', { id, time });
    this.#untilById.set(id, until);
  }

  #place({ user, clientId }: Placed, time: number): void {
    if (clientId === undefined || clientId === '') return;
    const key = `${user} ${clientId}`;
    const before = this.#placedAt.get(key);
    if (before !== undefined && time - before < this.#windowMs) {
      violated('one order per client id', { user, clientId, before, time });
    }
    this.#placedAt.set(key, time);
  }
}

// History as the followers of all lives wrote it, compared with history from scratch: no row lost,
// duplicated or different.

/** Rows older than `keptFrom` may have been pruned. Returns how many rows were compared. */
export function compareHistory(found: MemoryHistory, expected: MemoryHistory, keptFrom: number): number {
  if (found.checkpoint !== expected.checkpoint) {
    violated('history has everything', { found: found.checkpoint, expected: expected.checkpoint });
  }
  return (
    compareRows('done orders', found.doneOrders, expected.doneOrders, ({ doneAt }) => doneAt >= keptFrom) +
    compareRows('fills', found.fillRows, expected.fillRows, ({ time }) => time >= keptFrom) +
    compareRows('ledger entries', found.entries, expected.entries, ({ time }) => time >= keptFrom) +
    compareRows('trades', found.tradeRows, expected.tradeRows, () => true) +
    compareRows('audit rows', found.auditRows, expected.auditRows, () => true) +
    compareRows('movements', sorted(found), sorted(expected), ({ updatedAt }) => updatedAt >= keptFrom)
  );
}

const sorted = (history: MemoryHistory) => [...history.moved.values()].toSorted((a, b) => a.id - b.id);

function compareRows<Row>(
  kind: string,
  found: readonly Row[],
  expected: readonly Row[],
  isKept: (row: Row) => boolean,
): number {
  const rows = found.filter(isKept);
  const wanted = expected.filter(isKept);
  if (rows.length !== wanted.length) {
    violated(`${kind} in history are neither lost nor doubled`, {
      found: rows.length,
      expected: wanted.length,
    });
  }
  rows.forEach((row, at) => {
    if (isSame(row, wanted[at])) return;
    violated(`${kind} in history are what the log says`, {
      found: canonicalText(row),
      expected: canonicalText(wanted[at]),
    });
  });
  return rows.length;
}
