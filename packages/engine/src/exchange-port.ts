/**
 * What the gateway and the views see of the engine. In process it is the sequencer; a cluster's gateway will have
 * another behind the same calls.
 */

import type { Command, Event, EventOutline, Exchange, MarketEvent, OrderView, Outcome } from '@bourse/core';

/** What became of a command, with the sequence and time of the record that brought it to its end. */
export interface Answer {
  readonly outcome: Outcome;
  readonly seq: number;
  readonly time: number;
}

/** A durable record's consequences, in order; `done` has one whole order for each `order-done`, in the same order. */
export interface Published {
  readonly seq: number;
  readonly time: number;
  readonly events: readonly Event[];
  /** Those of `events` that a view of the market needs. */
  readonly marketEvents: readonly MarketEvent[];
  readonly done: readonly OrderView[];
  /** From now on `events` may be read later, too. */
  keep(): EventOutline;
}

/** Whoever waits for what becomes of a command; exactly one of the two is called, once. Neither may throw. */
export interface Waiter {
  /** The command is applied and durable. */
  answered(answer: Answer): void;
  /** Nothing has happened or, for `unanswered` and for `stopped`, nobody knows. */
  failed(error: Error): void;
  /** Set where nobody outside is told: while time is simulated, it may be answered before it is durable. */
  readonly isLazy?: boolean;
}

/**
 * On whose behalf a command is sent: the number of the user whom the transport authenticated, or OPERATOR. Decides which
 * commands wait for which, and who fills the queue.
 */
export type Sender = number;
/** An operator, or this process itself. */
export const OPERATOR: Sender = -1;

export interface ExchangePort {
  /**
   * The waiter is called later, never before `send` returns. Throws Unavailable for a command that is not taken: then
   * nothing has happened, and the waiter is not called. `submit` is the same with a promise.
   */
  send(command: Command, waiter: Waiter, sender: Sender): void;
  /** Runs the query when it sees everything answered so far and nothing that is not yet durable. */
  read<T>(query: (exchange: Exchange) => T): Promise<T>;
  /**
   * Listeners are called once for each record, after it is durable and before its answers are given; the exchange
   * stands just after that record, and may be looked at during the call.
   */
  subscribe(listener: (published: Published, exchange: Exchange) => void): () => void;
  /** Resolves when history has everything that is durable now: for look-ups of lists, which are not kept in memory. */
  historyCaughtUp(): Promise<void>;
  readonly health: EngineHealth;
  /** Somebody says that the wall clock, which has jumped, is right as it is now. */
  acceptClock(): void;
  /** How far the time of records is ahead of the wall clock: 0, unless that was set back or wrote less time before. */
  readonly aheadMs: number;
}

export interface EngineHealth {
  /**
   * `clock`: the wall clock has jumped, and commands are refused until it is back or accepted. `no-leader`: in a cluster,
   * while nobody appends to the log.
   */
  readonly state: 'starting' | 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  /** Last durable record. */
  readonly seq: number;
  /** Commands that wait. */
  readonly waiting: number;
  /** Records that history does not have yet. */
  readonly historyLag: number;
  readonly snapshotSeq: number;
  /** What is missing of a cluster, in a sentence; left out: nothing is. */
  readonly degraded?: string;
}

const REASONS = [
  'queue-full',
  'disk-full',
  'history-behind',
  'clock',
  'no-leader',
  'expired',
  'stale',
  'unanswered',
  'stopped',
] as const satisfies readonly UnavailableReason[];

export const isUnavailableReason = (text: string): text is UnavailableReason =>
  (REASONS as readonly string[]).includes(text);

export type UnavailableReason =
  /** The queue is full: try again soon. */
  | 'queue-full'
  /** No room on the disk: reads go on, commands may be tried again. */
  | 'disk-full'
  /** History has fallen too far behind. */
  | 'history-behind'
  /** The wall clock has jumped, and nobody has said yet that it is right. */
  | 'clock'
  /** No node of the cluster leads: nothing has happened, try again soon. */
  | 'no-leader'
  /** A node of a cluster has not heard of the log for too long: nothing has happened, another node may answer. */
  | 'stale'
  /** The command did not come into the log in time, and never will. */
  | 'expired'
  /** The command was on its way into the log, and nobody knows whether it came there: it may have been done. */
  | 'unanswered'
  /** The engine has stopped for good, or is shutting down. */
  | 'stopped';

export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A command with a promise of its answer. Rejects with Unavailable when the command is not taken, or fails. Where orders
 * come by the thousand, the waiter of `send` costs less.
 */
export function submit(port: Pick<ExchangePort, 'send'>, command: Command, sender: Sender): Promise<Answer> {
  return new Promise((answered, failed) => port.send(command, { answered, failed }, sender));
}

/** Several commands sent at once, with one promise of all their answers. */
export function submitAll(
  port: Pick<ExchangePort, 'send'>,
  commands: readonly Command[],
  senderOf: (command: Command) => Sender,
): Promise<Answer[]> {
  if (commands.length === 0) return Promise.resolve([]);
  return new Promise((resolve, failed) => {
    const answers: Answer[] = [];
    let pending = commands.length;
    for (const [at, command] of commands.entries()) {
      const answered = (answer: Answer): void => {
        answers[at] = answer;
        pending -= 1;
        if (pending === 0) resolve(answers);
      };
      try {
        port.send(command, { answered, failed }, senderOf(command));
      } catch (error) {
        failed(error as Error);
      }
    }
  });
}
