/**
 * Sends this node's commands to the leader, in numbered batches, each until the leader has it. The leader accepts every
 * batch of a term once, so a lost, late or duplicated message changes nothing.
 */

import { commandBytes } from '@bourse/engine';
import { type Bus, SUBJECTS } from './bus.ts';
import { type NumberedCommand, writeNodeMessage } from './node-messages.ts';
import type { Writer } from '../stream/record-stream.ts';

interface Parcel {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The latest of its deadlines, by the clock of this process. */
  readonly until: number;
  sentAt: number;
}

const AGAIN_MS = 400;
/**
 * The size of one batch, unless a single command is larger: a fraction of the servers' limit. A message above the limit
 * throws, and one command may contain twenty orders, so the number of commands alone is not a bound.
 */
const PARCEL_COMMANDS_MAX = 512;
const PARCEL_BYTES_MAX = 1 << 18;

export interface CourierParts {
  readonly bus: Bus;
  /** This process. */
  readonly run: string;
  readonly elapsed: () => number;
  /**
   * A lower bound of that process's monotonic clock; Infinity if its version does not report it, and null if it
   * was not heard recently: then nothing is sent.
   */
  readonly clockOf: (run: string) => number | null;
  /** Whether this command's caller still waits. */
  readonly isAwaited: (id: number) => boolean;
  /** The command leaves this node: from now on nobody here knows its result. */
  readonly onSent: (id: number) => void;
}

export class CommandCourier {
  readonly #parts: CourierParts;
  #leader: Writer | null = null;
  #number = 0;
  #parcels: Parcel[] = [];
  #unsent: NumberedCommand[] = [];

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** From now on sends to this leader, starting with these; null: to nobody. */
  begin(leader: Writer | null, commands: readonly NumberedCommand[]): void {
    this.#leader = leader;
    this.#number = 0;
    this.#parcels = [];
    this.#unsent = [...commands];
    this.flush();
  }

  add(command: NumberedCommand): void {
    this.#unsent.push(command);
  }

  /** Sends what was added, unless the leader was silent. */
  flush(): void {
    if (this.#leader === null || this.#unsent.length === 0) return;
    const { run: from, elapsed, clockOf, isAwaited, onSent } = this.#parts;
    const leaderClock = clockOf(this.#leader.run);
    if (leaderClock === null) return;
    const aheadMs = leaderClock - elapsed();
    const unsent = this.#unsent.filter(({ id }) => isAwaited(id));
    this.#unsent = [];
    const { term } = this.#leader;
    while (unsent.length > 0) {
      const commands = unsent
        .splice(0, countOfParcel(unsent))
        .map((each) => ({ ...each, until: each.until + aheadMs }));
      const number = ++this.#number;
      const bytes = writeNodeMessage({ kind: 'commands', from, term, number, commands });
      const until = Math.max(...commands.map((each) => each.until)) - aheadMs;
      const parcel = { number, bytes, until, sentAt: 0 };
      this.#parcels.push(parcel);
      for (const { id } of commands) onSent(id);
      this.#send(parcel);
    }
  }

  acknowledge(term: number, number: number): void {
    if (term === this.#leader?.term) this.#parcels = this.#parcels.filter((each) => each.number !== number);
  }

  /** Resends what the leader does not seem to have. */
  sendAgain(): void {
    const now = this.#parts.elapsed();
    this.#parcels = this.#parcels.filter(({ until }) => !(until < now));
    for (const parcel of this.#parcels) if (parcel.sentAt <= now - AGAIN_MS) this.#send(parcel);
  }

  #send(parcel: Parcel): void {
    const { bus, elapsed } = this.#parts;
    parcel.sentAt = elapsed();
    bus.publish(SUBJECTS.to(this.#leader!.run), parcel.bytes);
  }
}

/** How many of the first commands fit into one batch. */
function countOfParcel(commands: readonly NumberedCommand[]): number {
  const countMax = Math.min(commands.length, PARCEL_COMMANDS_MAX);
  let bytes = 0;
  for (let count = 0; count < countMax; count++) {
    bytes += commandBytes(commands[count].command);
    if (bytes > PARCEL_BYTES_MAX) return Math.max(1, count);
  }
  return countMax;
}
