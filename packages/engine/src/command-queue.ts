/**
 * The queue of pending commands, the cost of each, and how much of it the next record takes.
 */

import type { Command, Exchange, OrderRequest } from '@bourse/core';
import { OPERATOR, type Sender, type Waiter } from './exchange-port.ts';

/** `W`: the caller that waits for the result. */
export interface CommandBatch<W = Waiter> {
  readonly commands: Command[];
  /** One for each command. */
  readonly waiters: W[];
  readonly senders: Sender[];
  /** Costs of all commands, by `workOf`. */
  work: number;
}

/** The limits of a record, which always holds at least one command. */
interface RecordBounds {
  readonly count: number;
  readonly bytes: number;
  readonly work: number;
}

/** The pending commands of one owner, as a list of positions. */
interface OwnerQueue {
  readonly owner: number;
  /** The position of its next command; NOWHERE if there is none. */
  next: number;
  last: number;
  /** When the owner had its last turn; 0 for never. */
  turn: number;
}

const NOWHERE = -1;
const NO_PARENT = -1;
/** Commands are counted by owner only if at least this many are pending. */
const COUNTED_FROM = 4096;

export const noCommands = <W = Waiter>(): CommandBatch<W> => ({
  commands: [],
  waiters: [],
  senders: [],
  work: 0,
});

/**
 * Pending commands with their waiters, in parallel arrays, so a pending command costs two array entries. The
 * sequencer bounds count and bytes before it adds one.
 *
 * If all pending commands fit into a record, it has them in order of arrival. Otherwise owners take turns: a user
 * (with all sub-accounts) who has sent a thousand commands does not delay another user's first one. An operator's
 * command is never overtaken by a later one, because users' commands may depend on it.
 *
 * The owner is the sender authenticated by the transport. No field of a command determines it, because users'
 * commands may name other users, and may have `by` and `why` like an operator's.
 */
export class CommandQueue<W = Waiter> {
  /** The master of a user. */
  readonly #masterOf: (user: number) => number;
  #waiting = noCommands<W>();
  /** Bytes of each pending command. */
  #sizes: number[] = [];
  /** The owners of the first pending commands, computed only if they do not fit into one record. */
  #owners: number[] = [];
  #bytes = 0;
  /** The number of pending commands per owner; null while few are pending. */
  #counts: Map<number, number> | null = null;
  /** The last turn of each owner with pending commands. */
  #turns = new Map<number, number>();
  #turn = 0;
  /** While owners take turns: for each position, that of the same owner's next command. */
  #following = new Int32Array(COUNTED_FROM);

  constructor(masterOf: (user: number) => number = (user) => user) {
    this.#masterOf = masterOf;
  }

  get count(): number {
    return this.#waiting.commands.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of pending commands of the same owner; 0 while few are pending. */
  countOf(sender: Sender): number {
    return this.#counts?.get(this.#ownerOf(sender)) ?? 0;
  }

  add(command: Command, bytes: number, waiter: W, sender: Sender): void {
    this.#waiting.commands.push(command);
    this.#waiting.waiters.push(waiter);
    this.#waiting.senders.push(sender);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    this.#waiting.work += workOf(command);
    if (this.#counts !== null) countOne(this.#counts, this.#ownerOf(sender));
    else if (this.count > COUNTED_FROM) this.#count();
  }

  #count(): void {
    this.#counts = this.count > COUNTED_FROM ? countEach(this.#askOwners()) : null;
  }

  #askOwners(): readonly number[] {
    const { senders } = this.#waiting;
    const owners = this.#owners;
    for (let place = owners.length; place < senders.length; place++) {
      owners.push(this.#ownerOf(senders[place]));
    }
    return owners;
  }

  /** The commands of the next record: usually all. A command for which `mustWait` is true stays, with all later ones of its owner. */
  take(bounds: RecordBounds, mustWait?: (command: Command) => boolean): CommandBatch<W> {
    const all = this.#waiting;
    const isWithin =
      all.commands.length <= bounds.count && this.#bytes <= bounds.bytes && all.work <= bounds.work;
    if (isWithin && !(mustWait && all.commands.some(mustWait))) {
      this.#waiting = noCommands<W>();
      this.#sizes = [];
      if (this.#owners.length > 0) this.#owners = [];
      this.#bytes = 0;
      this.#counts = null;
      if (this.#turns.size > 0) this.#turns.clear();
      return all;
    }
    return this.#split(this.#share(bounds, mustWait));
  }

  /** Returns the last `count` commands of a batch to the front of the queue. */
  putBack({ commands, waiters, senders }: CommandBatch<W>, count: number): void {
    if (count === 0) return;
    const from = commands.length - count;
    const waiting = this.#waiting;
    const back = commands.slice(from);
    this.#waiting = {
      commands: [...back, ...waiting.commands],
      waiters: [...waiters.slice(from), ...waiting.waiters],
      senders: [...senders.slice(from), ...waiting.senders],
      work: waiting.work,
    };
    this.#sizes = [...back.map(commandBytes), ...this.#sizes];
    this.#owners = [];
    for (let place = 0; place < count; place++) {
      this.#bytes += this.#sizes[place];
      this.#waiting.work += workOf(back[place]);
    }
    this.#count();
  }

  /** Marks the positions scheduled for the next record. */
  #share(bounds: RecordBounds, mustWait?: (command: Command) => boolean): Uint8Array {
    const { commands } = this.#waiting;
    const isTaken = new Uint8Array(commands.length);
    const queues = this.#queuesByOwner();
    let [count, bytes, work] = [0, 0, 0];
    for (let isLeft = true; isLeft; ) {
      isLeft = false;
      for (let at = 0; at < queues.length; at++) {
        const queue = queues[at];
        const place = queue.next;
        if (place === NOWHERE) continue;
        // Check only the head of each queue: checking all pending commands took longer than the record.
        if (mustWait?.(commands[place])) {
          queue.next = NOWHERE;
          continue;
        }
        bytes += this.#sizes[place];
        work += workOf(commands[place]);
        const isWithin = count < bounds.count && bytes <= bounds.bytes && work <= bounds.work;
        if (count > 0 && !isWithin) return this.#noteTurns(queues, isTaken);
        isTaken[place] = 1;
        count++;
        queue.turn = ++this.#turn;
        queue.next = this.#following[place];
        isLeft ||= queue.next !== NOWHERE;
      }
    }
    return this.#noteTurns(queues, isTaken);
  }

  #noteTurns(queues: readonly OwnerQueue[], isTaken: Uint8Array): Uint8Array {
    for (const { owner, turn } of queues) if (turn > 0) this.#turns.set(owner, turn);
    return isTaken;
  }

  /** One per owner, in order of arrival; the owner that has waited longest for a turn comes first. */
  #queuesByOwner(): OwnerQueue[] {
    const owners = this.#askOwners();
    const end = endOfTurns(owners);
    if (this.#following.length < end) this.#following = new Int32Array(2 * end);
    const following = this.#following;
    const queues = new Map<number, OwnerQueue>();
    for (let place = 0; place < end; place++) {
      const owner = owners[place];
      const queue = queues.get(owner);
      following[place] = NOWHERE;
      if (queue === undefined) queues.set(owner, { owner, next: place, last: place, turn: 0 });
      else {
        following[queue.last] = place;
        queue.last = place;
      }
    }
    for (const [owner, turn] of this.#turns) {
      const queue = queues.get(owner);
      if (queue === undefined) this.#turns.delete(owner);
      else queue.turn = turn;
    }
    return [...queues.values()].toSorted((a, b) => a.turn - b.turn);
  }

  /** Removes the marked commands and compacts the arrays in place. */
  #split(isTaken: Uint8Array): CommandBatch<W> {
    const { commands, waiters, senders } = this.#waiting;
    const [sizes, owners] = [this.#sizes, this.#owners];
    const taken = noCommands<W>();
    let left = 0;
    for (let place = 0; place < isTaken.length; place++) {
      const command = commands[place];
      if (isTaken[place] === 1) {
        taken.commands.push(command);
        taken.waiters.push(waiters[place]);
        taken.senders.push(senders[place]);
        taken.work += workOf(command);
        this.#bytes -= sizes[place];
      } else {
        commands[left] = command;
        waiters[left] = waiters[place];
        senders[left] = senders[place];
        sizes[left] = sizes[place];
        owners[left++] = owners[place];
      }
    }
    commands.length = waiters.length = senders.length = sizes.length = owners.length = left;
    this.#waiting.work -= taken.work;
    this.#count();
    return taken;
  }

  #ownerOf(sender: Sender): number {
    return sender === OPERATOR ? OPERATOR : this.#masterOf(sender);
  }
}

/** How far users take turns: up to the first command of an operator or, if operators' commands come first, up to their end. */
function endOfTurns(owners: readonly number[]): number {
  const isOperator = owners[0] === OPERATOR;
  const end = owners.findIndex((owner) => (owner === OPERATOR) !== isOperator);
  return end < 0 ? owners.length : end;
}

function countEach(owners: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const owner of owners) countOne(counts, owner);
  return counts;
}

function countOne(counts: Map<number, number>, owner: number): void {
  counts.set(owner, (counts.get(owner) ?? 0) + 1);
}

/** The master of a user in the exchange; of a master itself. */
export const mastersIn =
  ({ reference }: Pick<Exchange, 'reference'>) =>
  (user: number): number => {
    const parent = reference.users[user]?.parent ?? NO_PARENT;
    return parent === NO_PARENT ? user : parent;
  };

/** Target duration of a record. */
const TARGET_MS = 5;
/** Initial value. Always used if the log must not depend on the speed of the machine. */
export const START_WORK = 64;
/** The share of the budget above the initial value that is kept after a record that held all pending commands. */
const FADING = 0.9;
/** Cancelling all orders may affect none or thousands: until the cost is learned, one such command fills a record. */
const CANCEL_ALL_WORK = START_WORK;

/** 1 for an order or a command of similar cost. */
export function workOf(command: Command): number {
  switch (command.kind) {
    case 'place-orders':
      return command.orders.length;
    case 'cancel-orders':
      return CANCEL_ALL_WORK;
    default:
      return 1;
  }
}

/**
 * A record's content: all pending commands; as many as fit; or first the rest of an order of an earlier record,
 * so that its time says nothing about its commands.
 */
export type RecordLoad = 'everything' | 'full' | 'unfinished';

export function loadOf(left: number, hasUnfinished: boolean): RecordLoad {
  if (hasUnfinished) return 'unfinished';
  return left > 0 ? 'full' : 'everything';
}

/**
 * How much work the next record may hold. While a record is applied, published and answered, this thread does nothing
 * else: no reads, no new requests. The cost of a command is not known in advance (an order may match one other or ten
 * thousand), so it is learned: a record that took too long makes the next ones smaller, and full records that were
 * quick make them larger. While few commands are pending, the budget returns to its initial value, so that the next
 * burst does not begin with a record that is too large.
 */
export class RecordBudget {
  readonly #workMax: number;
  #work: number;

  constructor(workMax: number) {
    this.#workMax = workMax;
    this.#work = Math.min(START_WORK, workMax);
  }

  get work(): number {
    return Math.floor(this.#work);
  }

  /** Updates the budget with the content of a record and the time it took. */
  update(work: number, ms: number, load: RecordLoad): void {
    if (load === 'unfinished' || work === 0) return;
    if (ms > TARGET_MS) {
      this.#work = Math.max(1, Math.min(this.#work, (work * TARGET_MS) / ms));
    } else if (load === 'full') {
      if (ms < TARGET_MS / 2) this.#work = Math.min(this.#workMax, this.#work * 2);
    } else if (this.#work > START_WORK) {
      // Work that was just done in time can be repeated: a smaller record would only reduce throughput.
      this.#work = Math.max(START_WORK, this.#work * FADING, Math.min(this.#work, work));
    } else if (this.#work < START_WORK) this.#work = Math.min(START_WORK, this.#workMax, this.#work * 2);
  }
}

const ORDER_BYTES = 64;
const CANDLE_BYTES = 40;
const FIELD_BYTES = 16;

/**
 * Estimates the bytes of a command in the log and in the queue. Accurate enough to bound a queue and a record, and
 * cheap enough for every command; the log counts its actual bytes.
 */
export function commandBytes(command: Command): number {
  switch (command.kind) {
    case 'place-order':
      return orderBytes(command);
    case 'cancel-order':
      return ORDER_BYTES + (command.clientId?.length ?? 0);
    case 'place-orders': {
      let bytes = ORDER_BYTES;
      for (const order of command.orders) bytes += orderBytes(order);
      return bytes;
    }
    case 'import-candles':
      return ORDER_BYTES + CANDLE_BYTES * command.candles.length;
    default:
      return valueBytes(command);
  }
}

function orderBytes({ clientId, tags, remark }: OrderRequest): number {
  return ORDER_BYTES + (clientId?.length ?? 0) + (tags?.length ?? 0) + (remark?.length ?? 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return FIELD_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = FIELD_BYTES;
  for (const key of Object.keys(value)) {
    bytes += FIELD_BYTES + valueBytes((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
