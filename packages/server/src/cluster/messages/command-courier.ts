/**
 * Brings the commands of this node to the leader: in numbered parcels, each sent again until the leader has it. The
 * leader takes every parcel of a term once, so a message that is lost, late or doubled changes nothing.
 */

import { commandBytes } from '../../log/command-size.ts';
import { type Bus, TOPICS } from './bus.ts';
import { type NumberedCommand, writeNodeMessage } from './node-messages.ts';
import type { Writer } from '../stream/record-message.ts';

interface Parcel {
  readonly number: number;
  readonly bytes: Uint8Array;
  sentAt: number;
}

const AGAIN_MS = 400;
/**
 * Of one parcel, unless a single command has more: a fraction of what the servers take. A message that is larger than
 * they take throws, and a batch is one command with twenty orders, so commands alone are no bound.
 */
const PARCEL_COMMANDS_MAX = 512;
const PARCEL_BYTES_MAX = 1 << 18;

export class CommandCourier {
  readonly #bus: Bus;
  readonly #run: string;
  readonly #elapsed: () => number;
  #leader: Writer | null = null;
  #number = 0;
  #parcels: Parcel[] = [];
  #unsent: NumberedCommand[] = [];

  constructor(bus: Bus, run: string, elapsed: () => number) {
    this.#bus = bus;
    this.#run = run;
    this.#elapsed = elapsed;
  }

  /** From now on to this leader, beginning with these; null: to nobody. */
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

  /** Sends what was added. */
  flush(): void {
    if (this.#leader === null) return;
    while (this.#unsent.length > 0) {
      const commands = this.#unsent.splice(0, countOfParcel(this.#unsent));
      const number = ++this.#number;
      const { term } = this.#leader;
      const bytes = writeNodeMessage({ kind: 'commands', from: this.#run, term, number, commands });
      const parcel = { number, bytes, sentAt: 0 };
      this.#parcels.push(parcel);
      this.#send(parcel);
    }
  }

  got(term: number, number: number): void {
    if (term === this.#leader?.term) this.#parcels = this.#parcels.filter((each) => each.number !== number);
  }

  /** What the leader does not seem to have. */
  sendAgain(): void {
    const before = this.#elapsed() - AGAIN_MS;
    for (const parcel of this.#parcels) if (parcel.sentAt <= before) this.#send(parcel);
  }

  #send(parcel: Parcel): void {
    parcel.sentAt = this.#elapsed();
    this.#bus.publish(TOPICS.to(this.#leader!.run), parcel.bytes);
  }
}

/** How many of the first commands one parcel holds. */
function countOfParcel(commands: readonly NumberedCommand[]): number {
  const countMax = Math.min(commands.length, PARCEL_COMMANDS_MAX);
  let bytes = 0;
  for (let count = 0; count < countMax; count++) {
    bytes += commandBytes(commands[count].command);
    if (bytes > PARCEL_BYTES_MAX) return Math.max(1, count);
  }
  return countMax;
}
