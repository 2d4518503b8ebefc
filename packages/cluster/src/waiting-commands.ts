/** Commands of this node's own callers until the log has answered them, in order of arrival. */

import type { Command } from '@bourse/core';
import {
  type CommandResult,
  UNAVAILABLE_TEXTS,
  type Sender,
  Unavailable,
  type UnavailableReason,
  type Waiter,
} from '@bourse/engine';
import { TAKE_MS } from './deadlines.ts';
import type { NumberedCommand } from './messages/node-messages.ts';
import type { AppliedHere } from './record-applier.ts';
import type { RecordMessage } from './stream/record-stream.ts';

type Applying = Pick<RecordMessage, 'record' | 'tags'>;

interface Waiting extends NumberedCommand {
  readonly bytes: number;
  readonly since: number;
  /** It has left this node, or may be in a record being appended. */
  isUnderWay: boolean;
  readonly waiter: Waiter;
}

export class WaitingCommands {
  readonly #waiting = new Map<number, Waiting>();
  /** Orders that a record left unfinished: the command by its ticket. */
  readonly #tickets = new Map<number, number>();
  #bytes = 0;
  #lastId = 0;

  get count(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(command: Command, bytes: number, since: number, waiter: Waiter, sender: Sender): NumberedCommand {
    const id = ++this.#lastId;
    const waiting = { id, command, sender, bytes, since, until: since + TAKE_MS, isUnderWay: false, waiter };
    this.#waiting.set(id, waiting);
    this.#bytes += bytes;
    return waiting;
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  /**
   * Takes back those that no record has begun to execute, for the next leader. The previous one cannot append any more, so
   * they are in no record and in no queue.
   */
  takeBack(): NumberedCommand[] {
    const begun = new Set(this.#tickets.values());
    const commands = [...this.#waiting.values()].filter(({ id }) => !begun.has(id));
    for (const each of commands) each.isUnderWay = false;
    return commands;
  }

  underWay(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.isUnderWay = true;
  }

  /** After a record: answers its callers of this process, and those whose order it has completed. */
  answerAll({ record, tags }: Applying, ownRun: string, { outcomes, finished }: AppliedHere): void {
    const { seq, time } = record;
    for (const { ticket, outcome } of finished) this.#finish(ticket, { outcome, seq, time });
    for (const [i, { run, id }] of tags.origins.entries()) {
      if (run === ownRun) this.#answer(id, { outcome: outcomes[i], seq, time });
    }
  }

  /** If it must be retried, or continues in a later record, its caller keeps waiting. */
  #answer(id: number, answer: CommandResult): void {
    const { outcome } = answer;
    if (outcome.kind === 'waits') return;
    if (outcome.kind === 'unfinished') this.#tickets.set(outcome.order, id);
    else this.#remove(id)?.waiter.answered(answer);
  }

  /** Only if the command came from here. */
  #finish(ticket: number, answer: CommandResult): void {
    const id = this.#tickets.get(ticket);
    if (id === undefined) return;
    this.#tickets.delete(ticket);
    this.#remove(id)?.waiter.answered(answer);
  }

  /** Nothing has happened, and nothing will. */
  refuse(id: number, reason: UnavailableReason): void {
    this.#remove(id)?.waiter.failed(new Unavailable(reason, UNAVAILABLE_TEXTS[reason]));
  }

  /**
   * Gives up those that arrived before `since`. One in flight may be in a record that this node has not seen. Any other is
   * past its deadline and enters no record.
   */
  giveUpBefore(since: number): void {
    for (const waiting of this.#waiting.values()) {
      if (waiting.since > since) return;
      this.refuse(waiting.id, waiting.isUnderWay ? 'unanswered' : 'no-leader');
    }
  }

  giveUpAll(why: Error): void {
    for (const id of this.#waiting.keys()) this.#remove(id)?.waiter.failed(why);
  }

  #remove(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    this.#bytes -= waiting.bytes;
    return waiting;
  }
}
