/**
 * Who leads, and where the commands of this node's callers go: into the queue of this node while it leads itself,
 * otherwise to the leader.
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
  /** Who wrote the last record of the log. */
  readonly leader: Writer;
  /** This node leads from now on; the record `term` says so. */
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

  /** Who appended the last record; its name is empty when nobody did. */
  get leader(): Writer {
    return this.#leader;
  }

  get hasLeader(): boolean {
    return this.#leader.run !== '';
  }

  /** null while another node leads, or nobody does. */
  get leading(): Leading | null {
    return this.#leading;
  }

  send(command: NumberedCommand): void {
    if (this.#leading) this.#leading.add(command);
    else if (this.hasLeader) this.#courier.add(command);
  }

  /** To the leader: everything that came since the last time. */
  flush(): void {
    this.#courier.flush();
  }

  /** What the leader does not seem to have, and what was kept back while it was not heard. */
  sendAgain(): void {
    this.#courier.flush();
    this.#courier.sendAgain();
  }

  hear(message: Exclude<NodeMessage, { kind: 'lead' }>): void {
    if (message.kind === 'got') this.#courier.got(message.term, message.number);
    else if (message.kind === 'refused') this.#hearRefused(message);
    else this.#leading?.take(message);
  }

  /** A refusal of an earlier term that comes late: whoever leads now was sent the same commands, and may take them. */
  #hearRefused({ ids, reason, term }: Extract<NodeMessage, { kind: 'refused' }>): void {
    if (term !== undefined && term !== this.#leader.term) return;
    for (const id of ids) this.#parts.waiting.refuse(id, reason);
  }

  /**
   * Whoever wrote the last record leads. What was sent to another leader and is not in the log yet never will be. False
   * when that is who led before.
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
