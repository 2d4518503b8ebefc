/**
 * The current leader, and the routing of this node's commands: into its own queue while it is the leader, otherwise to the
 * leader.
 */

import type { Clock } from '@bourse/engine';
import type { Bus } from '../messages/bus.ts';
import { CommandCourier } from '../messages/command-courier.ts';
import type { Leading } from './leading.ts';
import type { NodeMessage, NumberedCommand } from '../messages/node-messages.ts';
import type { Writer } from '../stream/record-message.ts';
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

  hear(message: Exclude<NodeMessage, { kind: 'lead' }>): void {
    if (message.kind === 'got') this.#courier.got(message.term, message.number);
    else if (message.kind === 'refused') this.#hearRefused(message);
    else this.#leading?.take(message);
  }

  /** Ignores a late rejection of an earlier term: the current leader was sent the same commands and may accept them. */
  #hearRefused({ ids, reason, term }: Extract<NodeMessage, { kind: 'refused' }>): void {
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
