/**
 * Commands that wait for their record, with those who wait for them, as arrays side by side: a waiting command costs
 * two places in arrays. Bounded in count and bytes by the sequencer, which asks before it adds.
 *
 * While everything that waits fits into a record, the record has it in the order it came. Otherwise owners take turns:
 * a user, with all his sub-accounts, who has sent a thousand commands does not keep somebody else's first one waiting.
 * An operator's command is never overtaken by a later one, because users' commands may depend on it.
 */

import type { Command } from '@bourse/core';
import type { Waiter } from './exchange-port.ts';
import { commandBytes } from '../log/command-size.ts';
import { workOf } from './record-budget.ts';

export interface Batch {
  readonly commands: Command[];
  /** One for each command. */
  readonly waiters: Waiter[];
  /** Of all commands; see record-budget.ts. */
  work: number;
}

/** What a record may hold at most; never less than one command. */
export interface RecordBounds {
  readonly count: number;
  readonly bytes: number;
  readonly work: number;
}

/** The commands of one owner. */
interface Lane {
  readonly owner: number;
  /** Where they are among those that wait. */
  readonly places: number[];
  /** When the owner had his last turn; 0 for never. */
  turn: number;
}

/** The owner that stands for all operators. */
const OPERATOR = -1;
/** Commands are counted by owner only when at least this many wait. */
const COUNTED_FROM = 4096;

export const noCommands = (): Batch => ({ commands: [], waiters: [], work: 0 });

export class CommandQueue {
  /** The master of a user. */
  readonly #masterOf: (user: number) => number;
  #waiting = noCommands();
  #bytes = 0;
  /** How many commands of each owner wait; null while few wait. */
  #counts: Map<number, number> | null = null;
  /** When an owner who still waits had his last turn. */
  #turns = new Map<number, number>();
  #turn = 0;

  constructor(masterOf: (user: number) => number = (user) => user) {
    this.#masterOf = masterOf;
  }

  get count(): number {
    return this.#waiting.commands.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many of the same owner wait; 0 while few wait at all. */
  countOf(command: Command): number {
    return this.#counts?.get(this.#ownerOf(command)) ?? 0;
  }

  add(command: Command, bytes: number, waiter: Waiter): void {
    this.#waiting.commands.push(command);
    this.#waiting.waiters.push(waiter);
    this.#bytes += bytes;
    this.#waiting.work += workOf(command);
    if (this.#counts !== null) countOne(this.#counts, this.#ownerOf(command));
    else if (this.count > COUNTED_FROM) this.#counts = countEach(this.#owners());
  }

  /** Whose each waiting command is. Asked only while there are too many for one record, which is rare. */
  #owners(): number[] {
    return this.#waiting.commands.map((command) => this.#ownerOf(command));
  }

  /**
   * What the next record holds: usually everything. A command of which `mustWait` is true stays, and with it all later
   * ones of its owner.
   */
  take(bounds: RecordBounds, mustWait?: (command: Command) => boolean): Batch {
    const all = this.#waiting;
    const isWithin =
      all.commands.length <= bounds.count && this.#bytes <= bounds.bytes && all.work <= bounds.work;
    if (isWithin && !(mustWait && all.commands.some(mustWait))) {
      this.#waiting = noCommands();
      this.#bytes = 0;
      this.#counts = null;
      if (this.#turns.size > 0) this.#turns.clear();
      return all;
    }
    return this.#split(this.#share(bounds, mustWait));
  }

  /** The last `count` commands of a batch that was taken wait again, before all that came since. */
  putBack({ commands, waiters }: Batch, count: number): void {
    if (count === 0) return;
    const from = commands.length - count;
    const waiting = this.#waiting;
    this.#waiting = {
      commands: [...commands.slice(from), ...waiting.commands],
      waiters: [...waiters.slice(from), ...waiting.waiters],
      work: waiting.work,
    };
    for (const command of commands.slice(from)) {
      this.#bytes += commandBytes(command);
      this.#waiting.work += workOf(command);
    }
    this.#counts = this.count > COUNTED_FROM ? countEach(this.#owners()) : null;
  }

  /** The places of those whose turn it is, in the order they came. */
  #share(bounds: RecordBounds, mustWait?: (command: Command) => boolean): Uint8Array {
    const { commands } = this.#waiting;
    const owners = this.#owners();
    const isTaken = new Uint8Array(commands.length);
    const lanes = this.#lanes(owners, endOfTurns(owners));
    if (mustWait) {
      for (const { places } of lanes) {
        const stop = places.findIndex((place) => mustWait(commands[place]));
        if (stop >= 0) places.length = stop;
      }
    }
    let [count, bytes, work] = [0, 0, 0];
    const longest = lanes.reduce((most, { places }) => Math.max(most, places.length), 0);
    for (let round = 0; round < longest; round++) {
      for (const { owner, places } of lanes) {
        if (round >= places.length) continue;
        const place = places[round];
        const nextBytes = commandBytes(commands[place]);
        const nextWork = workOf(commands[place]);
        const isWithin =
          count < bounds.count && bytes + nextBytes <= bounds.bytes && work + nextWork <= bounds.work;
        if (count > 0 && !isWithin) return isTaken;
        isTaken[place] = 1;
        count++;
        bytes += nextBytes;
        work += nextWork;
        this.#turns.set(owner, ++this.#turn);
      }
    }
    return isTaken;
  }

  /** One for each owner; who has waited longest for a turn comes first. */
  #lanes(owners: readonly number[], end: number): Lane[] {
    const lanes = new Map<number, Lane>();
    for (let place = 0; place < end; place++) {
      const owner = owners[place];
      const lane = lanes.get(owner);
      if (lane === undefined) lanes.set(owner, { owner, places: [place], turn: 0 });
      else lane.places.push(place);
    }
    for (const [owner, turn] of this.#turns) {
      const lane = lanes.get(owner);
      if (lane === undefined) this.#turns.delete(owner);
      else lane.turn = turn;
    }
    return [...lanes.values()].toSorted((a, b) => a.turn - b.turn);
  }

  #split(isTaken: Uint8Array): Batch {
    const all = this.#waiting;
    const [taken, left] = [noCommands(), noCommands()];
    for (let place = 0; place < isTaken.length; place++) {
      const side = isTaken[place] === 1 ? taken : left;
      side.commands.push(all.commands[place]);
      side.waiters.push(all.waiters[place]);
    }
    for (const command of taken.commands) {
      this.#bytes -= commandBytes(command);
      taken.work += workOf(command);
    }
    left.work = all.work - taken.work;
    this.#waiting = left;
    this.#counts = left.commands.length > COUNTED_FROM ? countEach(this.#owners()) : null;
    return taken;
  }

  #ownerOf(command: Command): number {
    if (!('user' in command) || 'by' in command) return OPERATOR;
    return this.#masterOf(command.user as number);
  }
}

/**
 * How far users take turns: up to the first command of an operator. If operators' commands come first, up to the end of
 * those.
 */
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
