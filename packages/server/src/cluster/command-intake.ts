/** The leader's side of the parcels: every parcel of this term once, and in order. */

import { type Bus, TOPICS } from './bus.ts';
import { type NodeMessage, type NumberedCommand, writeNodeMessage } from './node-messages.ts';

type Parcel = Extract<NodeMessage, { kind: 'commands' }>;

export class CommandIntake {
  readonly #bus: Bus;
  readonly #term: number;
  /** The last parcel of each process. */
  readonly #numbers = new Map<string, number>();

  constructor(bus: Bus, term: number) {
    this.#bus = bus;
    this.#term = term;
  }

  /** The commands of a parcel that is the next one of its sender; none of any other. */
  take({ from, term, number, commands }: Parcel): readonly NumberedCommand[] {
    if (term !== this.#term) return [];
    const last = this.#numbers.get(from) ?? 0;
    const isNext = number === last + 1;
    const got = isNext ? number : last;
    this.#numbers.set(from, got);
    this.#bus.publish(TOPICS.to(from), writeNodeMessage({ kind: 'got', term, number: got }));
    return isNext ? commands : [];
  }
}
