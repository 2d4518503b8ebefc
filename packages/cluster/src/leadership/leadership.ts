/**
 * The current leader, and the routing of this node's commands: into its own queue while it is the leader, otherwise to the
 * leader.
 */

import type { Command, Exchange } from '@bourse/core';
import {
  type Clock,
  CLOCK_TRUSTED,
  type CommandBatch,
  commandBytes,
  CommandQueue,
  jumped,
  loadOf,
  LogTime,
  mastersIn,
  noCommands,
  RecordBudget,
  type RecordLoad,
  type SequencerLimits,
  type UnavailableReason,
  workOf,
} from '@bourse/engine';
import { APPEND_MS, TAKE_MS } from '../deadlines.ts';
import { type Bus, SUBJECTS } from '../messages/bus.ts';
import { CommandCourier } from '../messages/command-courier.ts';
import { type NodeMessage, type NumberedCommand, writeNodeMessage } from '../messages/node-messages.ts';
import type { CommandOrigin, Writer } from '../stream/record-stream.ts';
import type { WaitingCommands } from '../waiting-commands.ts';

export interface LeadershipParts {
  readonly bus: Bus;
  readonly clock: Clock;
  /** This process. */
  readonly run: string;
  readonly waiting: WaitingCommands;
  /** See command-courier.ts. */
  readonly clockOf: (run: string) => number | null;
  /** The writer of the last record of the log. */
  readonly leader: Writer;
  /** Called when this node becomes the leader, with the record `term`. */
  readonly begin: (term: number) => Leading;
}

export class Leadership {
  readonly #parts: LeadershipParts;
  readonly #courier: CommandCourier;
  #leader: Writer;
  #leading: Leading | null = null;

  constructor(parts: LeadershipParts) {
    const { bus, clock, run, leader, waiting, clockOf } = parts;
    this.#parts = parts;
    this.#courier = new CommandCourier({
      bus,
      run,
      elapsed: () => clock.machine.elapsed(),
      clockOf,
      isAwaited: (id) => waiting.has(id),
      onSent: (id) => waiting.underWay(id),
    });
    this.#leader = leader;
    if (this.hasLeader) this.#courier.begin(leader, []);
  }

  /** The writer of the last record; its name is empty if there is none. */
  get leader(): Writer {
    return this.#leader;
  }

  get hasLeader(): boolean {
    return this.#leader.run !== '';
  }

  /** null while another node, or none, is the leader. */
  get leading(): Leading | null {
    return this.#leading;
  }

  send(command: NumberedCommand): void {
    if (this.#leading) this.#leading.add(command);
    else if (this.hasLeader) this.#courier.add(command);
  }

  /** Sends everything added since the last call to the leader. */
  flush(): void {
    this.#courier.flush();
  }

  /** Resends what the leader does not seem to have, and what was held back while it was silent. */
  sendAgain(): void {
    this.#courier.flush();
    this.#courier.sendAgain();
  }

  receive(message: Exclude<NodeMessage, { kind: 'lead' }>): void {
    if (message.kind === 'got') this.#courier.acknowledge(message.term, message.number);
    else if (message.kind === 'refused') this.#handleRejected(message);
    else this.#leading?.addBatch(message);
  }

  /** Ignores a late rejection of an earlier term: the current leader was sent the same commands and may accept them. */
  #handleRejected({ ids, reason, term }: Extract<NodeMessage, { kind: 'refused' }>): void {
    if (term !== this.#leader.term) return;
    for (const id of ids) this.#parts.waiting.refuse(id, reason);
  }

  /**
   * The writer of the last record is the leader. Commands sent to another leader and not in the log yet never will be.
   * Returns false if the leader has not changed.
   */
  follow(writer: Writer): boolean {
    const { run, term } = this.#leader;
    if (writer.run === run && writer.term === term) return false;
    const { waiting, run: ownRun, begin } = this.#parts;
    this.#leader = writer;
    this.#leading?.end();
    const commands = waiting.takeBack();
    if (writer.run !== ownRun) {
      this.#leading = null;
      this.#courier.begin(this.hasLeader ? writer : null, commands);
    } else {
      this.#courier.begin(null, []);
      this.#leading = begin(writer.term);
      for (const each of commands) this.#leading.add(each);
    }
    return true;
  }

  end(): void {
    this.#leading?.end();
  }
}

type Parcel = Extract<NodeMessage, { kind: 'commands' }>;

/**
 * All batches up to that number are taken or expired. Some beyond it have overtaken others: when each arrived, in order of
 * arrival.
 */
interface Taken {
  through: number;
  readonly beyond: Map<number, number>;
}

/**
 * The leader's side of the batches: accepts every batch of this term once.
 *
 * A batch may never arrive: its sender gives it up after the last of its deadlines. So a gap in the numbers does not stay
 * open until the end of the term, or every later number would have to be remembered one by one. A batch is sent for the
 * first time before those with higher numbers, and its commands expire up to TAKE_MS after that: once a batch arrived
 * longer ago, all commands of lower numbers have expired by this process's clock. They enter no record, and skipping them
 * changes nothing for their callers.
 */
export class CommandIntake {
  readonly #bus: Bus;
  readonly #term: number;
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** By process. */
  readonly #taken = new Map<string, Taken>();

  /** `clock`: the monotonic one, by which deadlines of commands are counted here. */
  constructor(bus: Bus, term: number, clock: Pick<Clock, 'elapsed'>) {
    this.#bus = bus;
    this.#term = term;
    this.#clock = clock;
  }

  /** How many numbers are remembered one by one. */
  get remembered(): number {
    return [...this.#taken.values()].reduce((sum, { beyond }) => sum + beyond.size, 0);
  }

  /** The commands of a batch that arrives for the first time; none of any other. */
  accept({ from, term, number, commands }: Parcel): readonly NumberedCommand[] {
    if (term !== this.#term) return [];
    this.#bus.publish(SUBJECTS.to(from), writeNodeMessage({ kind: 'got', term, number }));
    const taken = this.#taken.get(from) ?? { through: 0, beyond: new Map() };
    this.#taken.set(from, taken);
    const now = this.#clock.elapsed();
    skipExpired(taken, now);
    if (number <= taken.through || taken.beyond.has(number)) return [];
    taken.beyond.set(number, now);
    while (taken.beyond.delete(taken.through + 1)) taken.through++;
    return commands;
  }
}

/** Commands expire strictly after their deadline: see `#withoutLate`. */
function skipExpired(taken: Taken, now: number): void {
  for (const [number, at] of taken.beyond) {
    if (at + TAKE_MS >= now) return;
    taken.beyond.delete(number);
    taken.through = Math.max(taken.through, number);
  }
}

export interface LeadingParts {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly limits: SequencerLimits;
  readonly recordBytesMax: number;
  readonly run: string;
  /** Sequence of the record with which this node became the leader. */
  readonly term: number;
  readonly time: LogTime;
  /** The process that should lead instead if `time` cannot follow the clock; null for none. */
  readonly successor: () => string | null;
  /** The wall clock of this node is off, and another one should lead. */
  readonly isClockOff: () => boolean;
  /** Called if a command of this node itself is rejected. */
  readonly onRefused: (id: number, reason: UnavailableReason) => void;
  readonly onClock?: (sentence: string) => void;
}

/** The origin of a command, and its deadline by the monotonic clock of this process. */
interface Owed extends CommandOrigin {
  readonly until: number;
}

const EVERYTHING = { count: Infinity, bytes: Infinity, work: Infinity };
/** Between two attempts to hand over leadership. */
const HAND_OVER_MS = 500;
/** The clock may jump while a timer runs, so due work is checked at least this often. */
const DUE_MS_MAX = 1000;

export interface NextRecord {
  readonly batch: CommandBatch<Owed>;
  /** Until then, in monotonic time, it may be sent to the log; afterwards the first of its callers has a response. */
  readonly until: number;
  readonly time: number;
  readonly load: RecordLoad;
}

/** The state of a leader: pending commands of all nodes, and the time of records. */
export class Leading {
  readonly term: number;
  readonly #parts: LeadingParts;
  readonly #queue: CommandQueue<Owed>;
  readonly #intake: CommandIntake;
  readonly #budget: RecordBudget;
  #isJumpTold = false;
  #cancelDue: () => void = () => undefined;
  #handedOverAt = -Infinity;

  constructor(parts: LeadingParts) {
    const { exchange, bus, limits, term, clock } = parts;
    this.term = term;
    this.#parts = parts;
    this.#intake = new CommandIntake(bus, term, clock.machine);
    this.#budget = new RecordBudget(limits.recordMax);
    this.#queue = new CommandQueue(mastersIn(exchange));
  }

  /** Adds a command of this node. */
  add(numbered: NumberedCommand): void {
    this.#add(numbered, this.#parts.run);
  }

  addBatch(parcel: Extract<NodeMessage, { kind: 'commands' }>): void {
    const refused: Owed[] = [];
    for (const numbered of this.#intake.accept(parcel)) {
      if (this.#hasRoom(numbered)) this.#add(numbered, parcel.from);
      else refused.push({ run: parcel.from, id: numbered.id, until: numbered.until });
    }
    if (refused.length > 0) this.refuse(refused, 'queue-full');
  }

  /** The next record; null if there is nothing to append. `isWanted`: even an empty one. */
  next(isWanted = false): NextRecord | null {
    const { exchange, limits, recordBytesMax, time: logTime, isClockOff } = this.#parts;
    if (isClockOff()) {
      // Pending commands go to the next leader; a record would carry the wrong time permanently.
      this.#handOver();
      return null;
    }
    const time = logTime.now();
    if (this.hasJumped()) {
      this.refuse(this.#queue.take(EVERYTHING).waiters, 'clock');
      this.#handOver();
      return null;
    }
    if (this.#queue.count === 0 && !isWanted && exchange.nextDue > time) return null;
    const bounds = { count: limits.recordMax, bytes: recordBytesMax, work: this.#budget.work };
    const { hasUnfinished } = exchange;
    const mustWait = (command: Command): boolean => exchange.mustWait(command);
    const batch = this.#withoutLate(this.#queue.take(bounds, hasUnfinished ? mustWait : undefined));
    const until = Math.min(...batch.waiters.map((each) => each.until)) + APPEND_MS;
    return { batch, until, time, load: loadOf(this.#queue.count, hasUnfinished) };
  }

  /** Rejects commands whose callers no longer wait, or are about to give up. */
  #withoutLate(batch: CommandBatch<Owed>): CommandBatch<Owed> {
    const now = this.#parts.clock.machine.elapsed();
    const isLate = ({ until }: Owed): boolean => until < now;
    if (!batch.waiters.some(isLate)) return batch;
    this.refuse(batch.waiters.filter(isLate), 'expired');
    const left = noCommands<Owed>();
    for (const [i, command] of batch.commands.entries()) {
      if (isLate(batch.waiters[i])) continue;
      left.commands.push(command);
      left.waiters.push(batch.waiters[i]);
      left.senders.push(batch.senders[i]);
      left.work += workOf(command);
    }
    return left;
  }

  /** A leader that appends nothing would be left alone for long before others take over. */
  #handOver(): void {
    const { bus, clock, successor } = this.#parts;
    const now = clock.machine.elapsed();
    if (now - this.#handedOverAt < HAND_OVER_MS) return;
    this.#handedOverAt = now;
    const run = successor();
    if (run !== null) bus.publish(SUBJECTS.to(run), writeNodeMessage({ kind: 'lead' }));
  }

  /** Calls `wake` when something is due by record time. */
  armDue(wake: () => void): void {
    const { exchange, clock, time } = this.#parts;
    this.#cancelDue();
    const dueMs = exchange.nextDue - time.now();
    if (dueMs < Infinity) this.#cancelDue = clock.after(Math.min(Math.max(0, dueMs), DUE_MS_MAX), wake);
  }

  end(): void {
    this.#cancelDue();
  }

  /** Records how long the record took to apply, and how many of its last commands must be retried. */
  note({ batch, load }: NextRecord, ms: number, waits: number): void {
    this.#budget.update(batch.work, ms, load);
    this.#queue.putBack(batch, waits);
  }

  acceptClock(): void {
    this.#parts.time.trust();
    this.hasJumped();
  }

  /** Logs once when a jump begins and once when it is over. */
  hasJumped(): boolean {
    const { jumpMs } = this.#parts.time;
    const hasJumped = jumpMs !== 0;
    if (hasJumped !== this.#isJumpTold) {
      this.#isJumpTold = hasJumped;
      this.#parts.onClock?.(hasJumped ? jumped(jumpMs) : CLOCK_TRUSTED);
    }
    return hasJumped;
  }

  /** These commands are in no record and never will be. */
  refuse(origins: readonly CommandOrigin[], reason: UnavailableReason): void {
    const others = new Map<string, number[]>();
    for (const { run, id } of origins) {
      if (run === this.#parts.run) this.#parts.onRefused(id, reason);
      else others.set(run, [...(others.get(run) ?? []), id]);
    }
    for (const [run, ids] of others) {
      this.#parts.bus.publish(
        SUBJECTS.to(run),
        writeNodeMessage({ kind: 'refused', reason, ids, term: this.term }),
      );
    }
  }

  #add({ id, command, sender, until }: NumberedCommand, run: string): void {
    this.#queue.add(command, commandBytes(command), { run, id, until }, sender);
  }

  #hasRoom({ command, sender }: NumberedCommand): boolean {
    const { queueMax, queueBytesMax } = this.#parts.limits;
    if (this.#queue.count >= queueMax || this.#queue.bytes + commandBytes(command) > queueBytesMax)
      return false;
    return this.#queue.countOf(sender) < queueMax / 2;
  }
}
