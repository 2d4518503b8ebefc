/** How callers get results: early rejections, the results of a record, and the reads that wait for it. */

import type { Applied, Command, Exchange, LogRecord, Once, Outcome } from '@bourse/core';
import {
  type CommandBatch,
  type CommandQueue,
  noCommands,
  type RecordLoad,
  workOf,
} from './command-queue.ts';
import { OPERATOR, type Waiter } from './exchange-port.ts';
import type { Clock } from './io/clock.ts';

/**
 * The log does not contain the request ids of early rejections, so they are kept here for as long: 8 MB. Beyond this
 * number, commands are rejected by the record like others.
 */
const REFUSED_IDS_MAX = 100_000;

type DecidingExchange = Pick<Exchange, 'refuseEarly' | 'seq'>;

/**
 * Rejects commands that are certain to fail without a record, because they would only fill the log. This is decided
 * while the next record is built and nothing is in flight, so the reason is durable.
 *
 * Nothing after an operator's command is decided early, because it may change terms or users; nor is a command after
 * one that may use the same client id or request id first.
 */
export class EarlyRefusals {
  readonly #exchange: DecidingExchange;
  /** The expiry of each rejected request id, roughly in order of arrival. */
  readonly #refusedIds = new Map<string, number>();

  constructor(exchange: DecidingExchange) {
    this.#exchange = exchange;
  }

  /** Rejects commands that are certain to fail in a record of this time, and returns the others. */
  rejectCertain(batch: CommandBatch, time: number): CommandBatch {
    this.#forget(time);
    const { commands, senders } = batch;
    let kept: CommandBatch | null = null;
    let before: Ids | null = null;
    let isCertain = true;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i];
      isCertain &&= senders[i] !== OPERATOR;
      let outcome = isCertain ? this.#decide(command, time) : null;
      if (outcome !== null) {
        before ??= new Ids(commands.slice(0, i));
        if (before.mayHave(command)) outcome = null;
      }
      if (outcome === null) {
        before?.add(command);
        if (kept) keep(kept, batch, i);
        continue;
      }
      kept ??= firstOf(batch, i);
      if (command.once && !isRepeated(outcome)) this.#refusedIds.set(command.once.id, command.once.until);
      batch.waiters[i].answered({ outcome, seq: this.#exchange.seq, time });
    }
    return kept ?? batch;
  }

  #decide(command: Command, time: number): Outcome | null {
    const { once } = command;
    if (once && this.#isRefused(once, time)) {
      return { kind: 'rejected', rejection: { code: 'request-repeated', id: once.id } };
    }
    return this.#refusedIds.size < REFUSED_IDS_MAX ? this.#exchange.refuseEarly(command, time) : null;
  }

  #isRefused({ id }: Once, time: number): boolean {
    return this.#refusedIds.size > 0 && (this.#refusedIds.get(id) ?? -1) >= time;
  }

  /** From the front: an id that expires earlier than those before it is removed together with them. */
  #forget(time: number): void {
    for (const [id, until] of this.#refusedIds) {
      if (until >= time) return;
      this.#refusedIds.delete(id);
    }
  }
}

/** Ids used by the kept commands of a batch; created only if something is rejected. */
class Ids {
  readonly #users = new Set<number>();
  readonly #requests = new Set<string>();

  constructor(commands: readonly Command[]) {
    for (const command of commands) this.add(command);
  }

  add(command: Command): void {
    this.#users.add(userOf(command));
    if (command.once) this.#requests.add(command.once.id);
  }

  mayHave(command: Command): boolean {
    if (command.once && this.#requests.has(command.once.id)) return true;
    return hasClientId(command) && this.#users.has(userOf(command));
  }
}

/** Its id is already remembered, with its own expiry. */
const isRepeated = (outcome: Outcome): boolean =>
  outcome.kind === 'rejected' && outcome.rejection.code === 'request-repeated';

const userOf = (command: Command): number => ('user' in command ? (command.user ?? OPERATOR) : OPERATOR);

function hasClientId(command: Command): boolean {
  switch (command.kind) {
    case 'place-order':
    case 'place-stop-order':
    case 'place-oco-order':
    case 'test-order':
      return Boolean(command.clientId);
    case 'place-orders':
      return command.orders.some(({ clientId }) => clientId);
    default:
      return false;
  }
}

function firstOf(batch: CommandBatch, count: number): CommandBatch {
  const first = noCommands();
  for (let i = 0; i < count; i++) keep(first, batch, i);
  return first;
}

function keep(kept: CommandBatch, batch: CommandBatch, i: number): void {
  kept.commands.push(batch.commands[i]);
  kept.waiters.push(batch.waiters[i]);
  kept.senders.push(batch.senders[i]);
  kept.work += workOf(batch.commands[i]);
}

interface AppliedRecord {
  readonly record: LogRecord;
  readonly batch: CommandBatch;
  /** The result of the record; null before it is applied. */
  readonly applied: Applied | null;
}

export interface InFlight extends AppliedRecord {
  applied: Applied | null;
  readonly load: RecordLoad;
  /** How long it blocked this thread. */
  ms: number;
}

/**
 * Returns results to the callers of a record. An order that the record left unfinished gets its result when a later
 * record completes it, and commands that must wait for it go back into the queue.
 */
export class RecordResults {
  readonly #queue: CommandQueue;
  /** By the order's ticket. */
  readonly #unfinished = new Map<number, Waiter>();

  constructor(queue: CommandQueue) {
    this.#queue = queue;
  }

  /** Callers with unfinished orders. */
  get waiting(): number {
    return this.#unfinished.size;
  }

  /** Valid only until the next record is applied, which overwrites the outcomes. */
  deliver({ record: { seq, time }, applied, batch }: AppliedRecord): void {
    const { outcomes, finished, waits } = applied as Applied;
    for (const { ticket, outcome } of finished) {
      const waiter = this.#unfinished.get(ticket);
      this.#unfinished.delete(ticket);
      waiter?.answered({ outcome, seq, time });
    }
    this.#queue.putBack(batch, waits);
    const count = batch.waiters.length - waits;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const outcome = outcomes.readAt(at);
      at = outcomes.readEnd;
      const waiter = batch.waiters[i];
      if (outcome.kind === 'unfinished') this.#unfinished.set(outcome.order, waiter);
      else waiter.answered({ outcome, seq, time });
    }
  }

  /** The results of unfinished orders are unknown. */
  refuse(why: Error): void {
    const waiters = [...this.#unfinished.values()];
    this.#unfinished.clear();
    for (const waiter of waiters) waiter.failed(why);
  }
}

/** The time slice for reads after a record; a running read is not interrupted. Rendering the results takes as long again. */
const READS_MS = 2;

interface WaitingRead {
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads that wait until the record in flight is durable. Many may accumulate during a sync, and each may read a
 * complete book, so they run for a few milliseconds at a time; the rest follows in the next event loop iteration, or
 * after the next record. They run in order of arrival.
 */
export class WaitingReads {
  readonly #clock: Clock;
  #waiting: WaitingRead[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** Enqueues the query and resolves to its result. */
  add<T>(query: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: () => resolve(attempt(query)), reject });
    });
  }

  /** Runs queries for one time slice. */
  run(): void {
    if (this.#waiting.length === 0) return;
    const { isDeterministic, machine } = this.#clock;
    const end = isDeterministic ? Infinity : machine.elapsed() + READS_MS;
    const waiting = this.#waiting;
    this.#waiting = [];
    let done = 0;
    while (done < waiting.length && (done === 0 || machine.elapsed() < end)) waiting[done++].run();
    if (done < waiting.length) this.#waiting = [...waiting.slice(done), ...this.#waiting];
  }

  refuse(why: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(why);
  }
}

/** The query's result as a promise; rejects with what it throws. */
export function attempt<T>(query: () => T): Promise<T> {
  try {
    return Promise.resolve(query());
  } catch (error) {
    return Promise.reject(error);
  }
}
