/** The leader's side of the batches: accepts every batch of this term once. */

import { type Bus, SUBJECTS } from './bus.ts';
import { type NodeMessage, type NumberedCommand, writeNodeMessage } from './node-messages.ts';

type Parcel = Extract<NodeMessage, { kind: 'commands' }>;

/** All batches up to that number, and some beyond it that have overtaken others. */
interface Taken {
  through: number;
  readonly beyond: Set<number>;
}

export class CommandIntake {
  readonly #bus: Bus;
  readonly #term: number;
  /** By process. */
  readonly #taken = new Map<string, Taken>();

  constructor(bus: Bus, term: number) {
    this.#bus = bus;
    this.#term = term;
  }

  /** The commands of a batch that arrives for the first time; none of any other. */
  take({ from, term, number, commands }: Parcel): readonly NumberedCommand[] {
    if (term !== this.#term) return [];
    this.#bus.publish(SUBJECTS.to(from), writeNodeMessage({ kind: 'got', term, number }));
    const taken = this.#taken.get(from) ?? { through: 0, beyond: new Set() };
    this.#taken.set(from, taken);
    if (number <= taken.through || taken.beyond.has(number)) return [];
    taken.beyond.add(number);
    while (taken.beyond.delete(taken.through + 1)) taken.through++;
    return commands;
  }
}
