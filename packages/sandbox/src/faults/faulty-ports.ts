/** The exchange behind faults: late commands and stale reads. */

import { NumberText, orderId, type WallSigned } from '@bourse/api';
import type {
  Command,
  Exchange,
  LogRecord,
  OrderOutcome,
  OrderRequest,
  OrderView,
  Outcome,
} from '@bourse/core';
import {
  ByteSink,
  ByteSource,
  type Clock,
  type CommandResult,
  type ExchangePort,
  type HistoryReader,
  LogReader,
  nodeDisk,
  overriding,
  readCommand,
  type Sender,
  Snapshots,
  type Span,
  submit,
  writeCommand,
} from '@bourse/engine';
import { seedState } from '../seed.ts';

export interface LateOptions {
  readonly port: ExchangePort;
  readonly clock: Clock;
  readonly late: LateCommands;
  /** Replay protection for delayed commands, which are not in the log yet. */
  readonly wallSigned: WallSigned;
  readonly ms: number;
  readonly what: 'orders' | 'cancellations';
}

/**
 * Orders and cancellations that are confirmed before they are executed: the port responds at once and
 * submits the command after the delay, when it may be rejected like any other.
 */
export function latePort(options: LateOptions): ExchangePort {
  const early = new EarlyAnswers(options);
  return overriding(options.port, {
    send: (command, waiter, sender) => {
      early.answer(command, sender).then(
        (answer) => waiter.answered(answer),
        (error: Error) => waiter.failed(error),
      );
    },
  });
}

class EarlyAnswers {
  readonly #options: LateOptions;

  constructor(options: LateOptions) {
    this.#options = options;
  }

  async answer(command: Command, sender: Sender): Promise<CommandResult> {
    const outcome = await this.#outcome(command, sender);
    if (outcome === null) return submit(this.#options.port, command, sender);
    const { port, clock } = this.#options;
    return { outcome, seq: port.health.seq, time: clock.now() };
  }

  /** Null if the command is not delayed. */
  async #outcome(command: Command, sender: Sender): Promise<Outcome | null> {
    const isOrders = this.#options.what === 'orders';
    switch (command.kind) {
      case 'place-order':
        return isOrders ? this.#placeLater(command, sender, [command])[0] : null;
      case 'place-orders':
        return isOrders
          ? { kind: 'orders', outcomes: this.#placeLater(command, sender, command.orders) }
          : null;
      case 'cancel-order':
        return isOrders ? null : this.#cancelLater(command, sender);
      case 'cancel-orders':
        return isOrders ? null : this.#cancelAllLater(command, sender);
      default:
        return null;
    }
  }

  #placeLater(command: Command, sender: Sender, orders: readonly OrderRequest[]): OrderOutcome[] {
    const { late } = this.#options;
    const numbers = orders.map(() => late.aliases.nextNumber());
    this.#later(command, sender, numbers);
    return orders.map((order, at) => receivedOutcome(order, numbers[at]));
  }

  async #cancelLater(
    command: Extract<Command, { kind: 'cancel-order' }>,
    sender: Sender,
  ): Promise<Outcome | null> {
    const { user, symbol, order: number, clientId } = command;
    const found = await this.#options.port.read((exchange) =>
      number === undefined ? exchange.orderByClientId(user, clientId ?? '') : exchange.order(number),
    );
    if (found === null || found.user !== user || found.symbol !== symbol) return null;
    this.#later(command, sender);
    return cancelledOutcome(found);
  }

  async #cancelAllLater(
    command: Extract<Command, { kind: 'cancel-orders' }>,
    sender: Sender,
  ): Promise<Outcome> {
    const { user, symbol } = command;
    const orders = await this.#options.port.read((exchange) => {
      const symbols = symbol === undefined ? [...Array(exchange.counts.symbols).keys()] : [symbol];
      return symbols.flatMap((each) => exchange.openOrders(user, each).map(({ order }) => order));
    });
    this.#later(command, sender);
    return { kind: 'cancelled', orders: orders.toSorted((a, b) => a - b) };
  }

  /** Without `once`: it has expired by the time the late command arrives, and would cause a rejection. */
  #later(command: Command, sender: Sender, numbers: readonly number[] = []): void {
    const { late, wallSigned, ms } = this.#options;
    const { once, ...rest } = command as Command & { readonly once?: { readonly id: string } };
    if (once !== undefined) wallSigned.claim(once.id);
    late.add(rest as Command, sender, ms, numbers);
  }
}

/** A command that was confirmed and is not executed yet. */
interface LateCommand {
  /** Exchange time. */
  readonly dueAt: number;
  readonly command: Command;
  readonly sender: Sender;
  /** The time and the numbers in the ids that were returned for its orders. */
  readonly answeredAt: number;
  readonly numbers: readonly number[];
}

/** Late orders and cancellations of a world, for its snapshots and forks. */
export interface LateState {
  readonly aliases: readonly (readonly [alias: string, id: string])[];
  readonly aliasCount: number;
  /** By the order in which they were sent; `command` as in the log, in base64. */
  readonly pending: readonly (Omit<LateCommand, 'command'> & { readonly command: string })[];
}

/** The late orders and cancellations of one world, and the ids that stand for late orders. */
export class LateCommands {
  readonly aliases: OrderAliases;
  readonly #port: ExchangePort;
  readonly #clock: Clock;
  readonly #pending = new Set<LateCommand>();

  /** `state`: of the world that this one continues. */
  constructor(port: ExchangePort, clock: Clock, state?: LateState) {
    this.#port = port;
    this.#clock = clock;
    this.aliases = new OrderAliases(state?.aliases, state?.aliasCount);
    for (const { command, ...rest } of state?.pending ?? []) {
      this.#arm({ ...rest, command: readCommand(new ByteSource(Buffer.from(command, 'base64'))) });
    }
  }

  get state(): LateState {
    const sink = new ByteSink();
    const pending = Array.from(this.#pending, ({ command, ...rest }) => {
      sink.at = 0;
      writeCommand(sink, command);
      return { ...rest, command: sink.bytes.toString('base64', 0, sink.at) };
    });
    return { aliases: this.aliases.pairs, aliasCount: this.aliases.count, pending };
  }

  add(command: Command, sender: Sender, ms: number, numbers: readonly number[]): void {
    const answeredAt = this.#clock.now();
    this.#arm({ dueAt: answeredAt + ms, command, sender, answeredAt, numbers });
  }

  #arm(late: LateCommand): void {
    this.#pending.add(late);
    this.#clock.after(late.dueAt - this.#clock.now(), () => this.#send(late));
  }

  /** Pending until it is executed: a snapshot may be taken while it is in the queue. */
  #send(late: LateCommand): void {
    const sent = new Promise<void>((resolve, failed) => {
      const answered = (answer: CommandResult): void => {
        // Not in a later microtask: a snapshot that has the orders must have their ids, too.
        this.#pending.delete(late);
        this.#bind(late, answer);
        resolve();
      };
      this.#port.send(late.command, { answered, failed }, late.sender);
    });
    // The sender already has a response, and finds the result by looking it up.
    sent.catch(() => this.#pending.delete(late));
  }

  #bind({ numbers, answeredAt }: LateCommand, { outcome, time }: CommandResult): void {
    // Orders that are rejected together have one outcome, and get no ids.
    const placed = outcome.kind === 'orders' ? outcome.outcomes : [outcome];
    for (const [at, each] of placed.entries()) {
      const number = numbers[at];
      if (number === undefined || each.kind !== 'order') continue;
      this.aliases.bind(number, answeredAt, each.order, each.createdAt ?? time);
    }
  }
}

const receivedOutcome = (
  { clientId = '', size = 0, funds = 0n }: OrderRequest,
  order: number,
): OrderOutcome => ({
  kind: 'order',
  order,
  clientId,
  done: '',
  size,
  funds,
  dealSize: 0,
  dealFunds: 0n,
  remaining: size,
  cancelledSize: 0,
  cancelledFunds: 0n,
});

const cancelledOutcome = (view: OrderView): OrderOutcome => ({
  kind: 'order',
  order: view.order,
  clientId: view.clientId,
  done: 'requested',
  size: view.size,
  funds: 0n,
  dealSize: view.dealSize,
  dealFunds: view.dealFunds,
  remaining: 0,
  cancelledSize: view.cancelledSize + view.remaining,
  cancelledFunds: 0n,
});

const ALIASES_MAX = 10_000;
/** The numbers start far above any that the exchange will ever assign. */
const NUMBERS_END = 2 ** 48;
const IDS = /\b[0-9a-f]{24}\b/g;

/**
 * Ids that were sent before their orders existed. When such an order reaches the market, it gets a regular id, but
 * clients keep the id they know: in inbound texts it is replaced with the real id, in outbound texts the reverse.
 */
export class OrderAliases {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  #count: number;

  /** `pairs`, `count`: of the world that this one continues. */
  constructor(pairs: LateState['aliases'] = [], count = 0) {
    for (const [alias, id] of pairs) this.#add(alias, id);
    this.#count = count;
  }

  get pairs(): LateState['aliases'] {
    return [...this.#real];
  }

  /** How many numbers were given out, so that none is given out again. */
  get count(): number {
    return this.#count;
  }

  get isEmpty(): boolean {
    return this.#real.size === 0;
  }

  /** A number for an order that does not exist yet. */
  nextNumber(): number {
    return NUMBERS_END - ++this.#count;
  }

  bind(number: number, answeredAt: number, order: number, createdAt: number): void {
    this.#add(orderId(number, answeredAt), orderId(order, createdAt));
  }

  #add(alias: string, id: string): void {
    this.#real.set(alias, id);
    this.#shown.set(id, alias);
    if (this.#real.size <= ALIASES_MAX) return;
    const [oldest] = this.#real;
    this.#real.delete(oldest[0]);
    this.#shown.delete(oldest[1]);
  }

  outward(text: string): string {
    return this.#shown.size === 0 ? text : text.replaceAll(IDS, (id) => this.#shown.get(id) ?? id);
  }

  /** Replaces ids in a value of a request, recursively. */
  inward<T>(value: T): T {
    return this.#real.size === 0 ? value : (this.#translate(value) as T);
  }

  clear(): void {
    this.#real.clear();
    this.#shown.clear();
  }

  #translate(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(IDS, (id) => this.#real.get(id) ?? id);
    if (Buffer.isBuffer(value)) return Buffer.from(this.#translate(value.toString('utf8')) as string);
    if (Array.isArray(value)) return value.map((each) => this.#translate(each));
    if (typeof value !== 'object' || value === null) return value;
    // A number is not an id, and keeps its notation.
    if (value instanceof NumberText) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#translate(each)]));
  }
}

export interface StaleOptions {
  readonly dir: string;
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  readonly clock: Clock;
  readonly ms: number;
}

/**
 * The exchange as it was some time ago: a second core that follows the log with a delay. It starts from the newest
 * snapshot that is old enough, or from the beginning of the log, and never shows less than the sandbox's seed.
 */
export class StaleExchange {
  readonly #options: StaleOptions;
  readonly #log: LogReader;
  #exchange: Exchange | null = null;
  /** The next record, which was read before it was old enough: reading it again would hash its segment from the start. */
  #ahead: LogRecord | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: StaleOptions) {
    this.#options = options;
    this.#log = new LogReader(nodeDisk, `${options.dir}/log`);
  }

  /** Changes are passed to the real exchange. */
  get port(): ExchangePort {
    return overriding(this.#options.port, { read: (query) => this.#read(query) });
  }

  /** Later rows are hidden. */
  get history(): HistoryReader {
    const { history } = this.#options;
    const before = <F extends Span>(filter: F): F => ({
      ...filter,
      until: Math.min(filter.until ?? Infinity, this.#time),
    });
    const isPast = <R extends { readonly updatedAt: number }>(row: R | null): R | null =>
      row !== null && row.updatedAt <= this.#time ? row : null;
    return overriding(history, {
      order: (id) => isPast(history.order(id)),
      orderByClientId: (...args) => isPast(history.orderByClientId(...args)),
      orders: (filter) => history.orders(before(filter)),
      fills: (filter) => history.fills(before(filter)),
      ledger: (filter) => history.ledger(before(filter)),
      countOrders: (filter) => history.countOrders(before(filter)),
      countFills: (filter) => history.countFills(before(filter)),
      countLedger: (filter) => history.countLedger(before(filter)),
    });
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#log.close();
  }

  get #time(): number {
    return this.#options.clock.now() - this.#options.ms;
  }

  #read<T>(query: (exchange: Exchange) => T): Promise<T> {
    const mine = this.#turn.then(async () => query(await this.#catchUp()));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #catchUp(): Promise<Exchange> {
    const { port } = this.#options;
    const time = this.#time;
    const exchange = (this.#exchange ??= await this.#begin(time));
    // By record, not by time: with a manual clock, the first orders have the time of the seed.
    const isDue = (record: LogRecord): boolean => record.time <= time || seedState(exchange) !== 'whole';
    // A durable sequence.
    const last = await port.read(({ seq }) => seq);
    if (this.#ahead !== null && isDue(this.#ahead)) {
      exchange.apply(this.#ahead);
      this.#ahead = null;
    }
    if (this.#ahead === null) {
      for await (const record of this.#log.read(exchange.seq + 1, last)) {
        if (!isDue(record)) {
          this.#ahead = record;
          break;
        }
        exchange.apply(record);
      }
    }
    exchange.forgetDone(Math.min(exchange.seq, this.#options.history.checkpoint));
    return exchange;
  }

  async #begin(time: number): Promise<Exchange> {
    const snapshots = new Snapshots(nodeDisk, `${this.#options.dir}/snapshots`);
    for (let seqMax = Infinity; ; ) {
      const { exchange, seq } = await snapshots.restore(seqMax);
      exchange.keepDone = true;
      if (seq === 0 || exchange.time <= time) return exchange;
      seqMax = seq - 1;
    }
  }
}
