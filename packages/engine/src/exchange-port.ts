/** The engine as the gateway and the views see it: the sequencer of one machine, or a cluster's node. */

import type {
  Applied,
  Command,
  DoneOrder,
  Event,
  EventOutline,
  Exchange,
  MarketEvent,
  OrderView,
  Outcome,
} from '@bourse/core';

/** The result of a command, with the sequence and time of the record that completed it. */
export interface CommandResult {
  readonly outcome: Outcome;
  readonly seq: number;
  readonly time: number;
}

/** The effects of a durable record, in order; `done` has one complete order for each `order-done`, in the same order. */
export interface Published {
  readonly seq: number;
  readonly time: number;
  readonly events: readonly Event[];
  /** The part of `events` that a market view needs. */
  readonly marketEvents: readonly MarketEvent[];
  readonly done: readonly OrderView[];
  /** Keeps the events, so that they can also be read after the call. */
  keep(): EventOutline;
}

/** Waits for the result of a command; exactly one of the two is called, once. Neither may throw. */
export interface Waiter {
  /** The command is applied and durable. */
  answered(answer: CommandResult): void;
  /** Nothing has happened or, for `unanswered` and `stopped`, nobody knows. */
  failed(error: Error): void;
  /** Nobody outside sees the result: while time is simulated, it may arrive before the record is durable. */
  readonly isLazy?: boolean;
}

/**
 * On whose behalf a command is sent: the user authenticated by the transport, or OPERATOR. Decides which commands wait for
 * which, and who fills the queue.
 */
export type Sender = number;
/** An operator, or this process itself. */
export const OPERATOR: Sender = -1;

export interface ExchangePort {
  /**
   * The waiter is called later, never before `send` returns. Throws Unavailable for a rejected command: then nothing has
   * happened, and the waiter is not called. `submit` is the same with a promise.
   */
  send(command: Command, waiter: Waiter, sender: Sender): void;
  /** Runs the query once it sees everything acknowledged so far and nothing that is not durable. */
  read<T>(query: (exchange: Exchange) => T): Promise<T>;
  /**
   * Listeners are called once per record, after it is durable and before its results are returned; the exchange is in the
   * state after that record and may be read during the call.
   */
  subscribe(listener: (published: Published, exchange: Exchange) => void): () => void;
  /** Resolves when history has everything durable now: for lists, which are not kept in memory. */
  historyCaughtUp(): Promise<void>;
  readonly health: EngineHealth;
  /** Accepts the wall clock after a jump. */
  acceptClock(): void;
  /** How far record time is ahead of the wall clock: 0, unless the clock was set back. */
  readonly aheadMs: number;
}

export interface EngineHealth {
  /**
   * `clock`: the wall clock has jumped, and commands are rejected until it is back or accepted. `no-leader`: the cluster has
   * no leader, or its nodes have different states.
   */
  readonly state: 'starting' | 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  /** Last durable record. */
  readonly seq: number;
  /** Pending commands. */
  readonly waiting: number;
  /** Records that history does not have yet. */
  readonly historyLag: number;
  readonly snapshotSeq: number;
  /** What a cluster lacks, as a message; omitted if nothing. */
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
  /** The queue is full: retry soon. */
  | 'queue-full'
  /** No space on the disk: reads continue, commands may be retried. */
  | 'disk-full'
  /** History has fallen too far behind. */
  | 'history-behind'
  /** The wall clock has jumped, and nobody has accepted it yet. */
  | 'clock'
  /** The cluster has no leader: nothing has happened, retry soon. */
  | 'no-leader'
  /** A node has lost contact with the log: nothing has happened, another node may respond. */
  | 'stale'
  /** The command did not enter the log in time, and never will. */
  | 'expired'
  /** The command was being appended, and its result is unknown: it may have been executed. */
  | 'unanswered'
  /** The engine has stopped permanently, or is shutting down. */
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
 * Sends a command and returns a promise of its answer. Rejects with Unavailable if the command is refused or fails. For
 * thousands of orders, the waiter of `send` costs less.
 */
export function submit(
  port: Pick<ExchangePort, 'send'>,
  command: Command,
  sender: Sender,
): Promise<CommandResult> {
  return new Promise((answered, failed) => port.send(command, { answered, failed }, sender));
}

/** Sends several commands together and returns one promise of all their answers. */
export function submitAll(
  port: Pick<ExchangePort, 'send'>,
  commands: readonly Command[],
  senderOf: (command: Command) => Sender,
): Promise<CommandResult[]> {
  if (commands.length === 0) return Promise.resolve([]);
  return new Promise((resolve, failed) => {
    const answers: CommandResult[] = [];
    let pending = commands.length;
    for (const [at, command] of commands.entries()) {
      const answered = (answer: CommandResult): void => {
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

/** An exchange port that forwards every call to another one; base class for ports that change some of them. */
export class ForwardingPort implements ExchangePort {
  readonly #port: ExchangePort;

  constructor(port: ExchangePort) {
    this.#port = port;
  }

  send(command: Command, waiter: Waiter, sender: Sender): void {
    this.#port.send(command, waiter, sender);
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#port.read(query);
  }

  subscribe(listener: Parameters<ExchangePort['subscribe']>[0]): () => void {
    return this.#port.subscribe(listener);
  }

  historyCaughtUp(): Promise<void> {
    return this.#port.historyCaughtUp();
  }

  get health(): EngineHealth {
    return this.#port.health;
  }

  acceptClock(): void {
    this.#port.acceptClock();
  }

  get aheadMs(): number {
    return this.#port.aheadMs;
  }
}

/** The exchange as a sandbox's agents see it: no client waits for their commands, or sees what they read. */
export class LazyPort extends ForwardingPort {
  readonly #read: ExchangePort['read'];

  constructor(port: ExchangePort, read: ExchangePort['read']) {
    super(port);
    this.#read = read;
  }

  override send(command: Command, { answered, failed }: Waiter, sender: Sender): void {
    super.send(command, { answered, failed, isLazy: true }, sender);
  }

  override read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#read(query);
  }
}

/** A record as subscribers see it: decoded on demand, during the call or later from a kept copy. */
export class PublishedRecord implements Published {
  readonly seq: number;
  readonly time: number;
  readonly #applied: Applied;
  readonly #exchange: Exchange;
  #events: Event[] | null = null;
  #kept: (() => Event[]) | null = null;
  #marketEvents: MarketEvent[] | null = null;
  #done: DoneOrder[] | null = null;

  /** `exchange` has just applied the record. */
  constructor(exchange: Exchange, applied: Applied) {
    this.seq = exchange.seq;
    this.time = exchange.time;
    this.#applied = applied;
    this.#exchange = exchange;
  }

  get events(): readonly Event[] {
    this.#events ??= this.#kept ? this.#kept() : this.#requireCurrent().events.decode();
    return this.#events;
  }

  keep(): EventOutline {
    const { events } = this.#requireCurrent();
    if (!this.#events) this.#kept ??= events.decodeLater();
    return events.outline;
  }

  get marketEvents(): readonly MarketEvent[] {
    this.#marketEvents ??= this.#requireCurrent().events.decodeMarket();
    return this.#marketEvents;
  }

  get done(): readonly DoneOrder[] {
    if (!this.#done) this.#requireCurrent();
    this.#done ??= this.#exchange.doneOrders();
    return this.#done;
  }

  /** The next record overwrites the events of this one. */
  #requireCurrent(): Applied {
    if (this.#exchange.seq !== this.seq) throw new Error('a record can be read only while it is published');
    return this.#applied;
  }
}

/**
 * Returns the target with the named members replaced. A prototype would not work: private members need the object
 * itself.
 */
export function overriding<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
