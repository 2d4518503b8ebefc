/**
 * Senders of commands. Records must contain the commands in the order they were sent: a missing one was rejected, an
 * acknowledged one is present with the same outcome (promises 1 and 2).
 */

import type { Command, FinishedCommand, LogRecord, Outcome } from '@bourse/core';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { type CommandResult, Unavailable } from '../../packages/engine/src/exchange-port.ts';
import { violated } from '../checkers/violation.ts';
import { canonicalText, isSame } from '../compare.ts';
import type { Tally } from './tally.ts';

interface Sent {
  readonly command: Command;
  readonly text: string;
  /**
   * 'unknown': the engine stopped or died before it could respond. 'rejected': a response, and nothing has changed;
   * such a command need not be in the log.
   */
  state: 'waiting' | 'answered' | 'rejected' | 'refused' | 'unknown';
  /** Sent after a sync of the log had failed. */
  readonly isLost: boolean;
  /** Its outcome in the log. */
  found: CommandResult | null;
}

export class Senders {
  /** No more faults: from now on only slow history is a reason to reject. */
  isCalm = false;
  answered = 0;
  /** The highest acknowledged sequence. */
  answeredSeq = 0;
  /** Orders that were answered with an id. */
  readonly orders: number[] = [];
  /** The orders that were already done when they were answered. */
  readonly done: number[] = [];
  readonly #tally: Tally;
  /** Sent to the current process, and not yet found in the log. */
  #queue: Sent[] = [];
  /** In the log and unfinished, by ticket. */
  readonly #unfinished = new Map<number, Sent>();
  /** In the log, but unanswered. */
  #survivors: Sent[] = [];
  #answers: { sent: Sent; answer: CommandResult }[] = [];

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** The fate of a command sent to this process is unknown. */
  get isWaiting(): boolean {
    const all = [...this.#queue, ...this.#unfinished.values()];
    return all.some(({ state }) => state === 'waiting') || this.#answers.length > 0;
  }

  /**
   * `isLost`: a sync of the log has failed, so nothing may be acknowledged any more (promise 3). Rejections without a record
   * may: they follow from durable records alone.
   */
  send(submit: (command: Command) => Promise<CommandResult>, command: Command, isLost: boolean): Sent {
    const sent: Sent = { command, text: textOf(command), state: 'waiting', isLost, found: null };
    this.#queue.push(sent);
    submit(command).then(
      (answer) => {
        sent.state = isRejection(answer.outcome) ? 'rejected' : 'answered';
        if (isLost && sent.state === 'answered')
          violated('after a failed sync nothing is answered (promise 3)', { text: sent.text });
        this.#answers.push({ sent, answer });
        this.answeredSeq = Math.max(this.answeredSeq, answer.seq);
      },
      (error: unknown) => this.#refused(sent, error),
    );
    return sent;
  }

  #refused(sent: Sent, error: unknown): void {
    if (!(error instanceof Unavailable)) {
      sent.state = 'unknown';
      throw error;
    }
    const { reason } = error;
    if (this.isCalm && reason !== 'history-behind') violated('without faults nothing is refused', { reason });
    // A command pending when the engine stops may or may not be in the log.
    sent.state = reason === 'stopped' ? 'unknown' : 'refused';
    if (reason === 'disk-full') this.#tally.add('refused: disk full');
    if (reason === 'queue-full') this.#tally.add('refused: queue full');
    if (reason === 'history-behind') this.#tally.add('refused: history behind');
    if (reason === 'stopped') this.#tally.add('refused: stopped');
  }

  match(
    { seq, time, commands }: LogRecord,
    outcomes: readonly Outcome[],
    finished: readonly FinishedCommand[],
  ): void {
    for (const { ticket, outcome } of finished) {
      const sent = this.#unfinished.get(ticket);
      if (sent) sent.found = { outcome, seq, time };
      this.#unfinished.delete(ticket);
    }
    commands.forEach((command, at) => {
      const outcome = outcomes[at] as Outcome;
      // It will be resent.
      if (outcome.kind === 'waits') return;
      const text = textOf(command);
      const index = this.#queue.findIndex((sent) => sent.state !== 'refused' && sent.text === text);
      if (index < 0) violated('the log has only what was sent and not refused', { seq, text });
      // Users take turns if more commands wait than a record holds; the commands of each user stay in order.
      const owner = ownerOf(text);
      const sent = this.#queue[index] as Sent;
      const before = this.#queue.slice(0, index).filter((each) => ownerOf(each.text) === owner);
      const passed = before.find(({ state }) => state === 'waiting' || state === 'answered');
      if (passed)
        violated('commands of a user are in the order they were sent', { seq, text, missing: passed.text });
      if (sent.isLost && sent.state === 'rejected')
        violated('after a failed sync nothing of the log is answered (promise 3)', { seq, text });
      this.#queue = this.#queue.filter((each) => each !== sent && !before.includes(each));
      if (outcome.kind === 'unfinished') this.#unfinished.set(outcome.order, sent);
      sent.found = { outcome, seq, time };
      if (sent.state !== 'unknown') return;
      this.#tally.add('not answered, survived');
      this.#survivors.push(sent);
    });
  }

  /** Checks that every new answer is in the log with the same outcome. */
  checkAnswers(): void {
    for (const { sent, answer } of this.#answers) {
      const { found, text } = sent;
      if (found === null && sent.state === 'rejected') {
        this.#queue = this.#queue.filter((each) => each !== sent);
        this.#tally.add('rejected without a record');
        this.answered += 1;
        continue;
      }
      if (found === null) violated('what is answered is in the log (promise 1)', { seq: answer.seq, text });
      if (!isSame(found, answer)) {
        violated('an answer says what the log says', {
          said: canonicalText(answer),
          is: canonicalText(found),
        });
      }
      this.#tally.add('answered');
      this.answered += 1;
      const { outcome } = answer;
      if (outcome.kind !== 'order') continue;
      this.orders.push(outcome.order);
      if (outcome.done !== '') this.done.push(outcome.order);
    }
    this.#answers = [];
  }

  /**
   * The process has ended and the next one has recovered: commands not found are lost. Returns the unanswered ones.
   */
  startAgain(): Sent[] {
    const lost = this.#queue.filter(({ state }) => state !== 'refused' && state !== 'rejected');
    for (const { state, text } of lost) {
      if (state === 'answered') violated('what was answered is never lost (promise 1)', { text });
      this.#tally.add('not answered, lost');
    }
    const unanswered = [...this.#survivors, ...lost];
    this.#survivors = [];
    this.#queue = [];
    return unanswered;
  }

  /** The results of commands in flight are unknown. */
  processEnds(): void {
    for (const sent of this.#queue) if (sent.state === 'waiting') sent.state = 'unknown';
    for (const sent of this.#unfinished.values()) {
      if (sent.state === 'answered') continue;
      sent.state = 'unknown';
      this.#survivors.push(sent);
    }
    this.#unfinished.clear();
  }
}

function isRejection(outcome: Outcome): boolean {
  return outcome.kind === 'orders' ? outcome.outcomes.every(isRejection) : outcome.kind === 'rejected';
}

/** A field that is undefined equals one that is absent. */
function textOf(command: Command): string {
  return JSON.stringify(command, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const fields = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.keys(fields)
        .toSorted()
        .map((name) => [name, fields[name]]),
    );
  });
}

/** The user who sent it; '' for the operator. */
const ownerOf = (text: string): string => /"user":([^,}]+)/.exec(text)?.[1] ?? '';

// Selects the next command: one from the generator, or an earlier one that was lost or not answered.

/** How long a command with an idempotency key may be resent. */
const ONCE_MS = 30_000;
const ONCE_PROBABILITY = 0.4;

export class Feeder {
  readonly flow: Flow;
  commands = 0;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #againProbability: number;
  /** The generator's time of the last batch: the pause before the next is measured from it. */
  #flowTime = 0;
  #batch: Sent[] = [];
  #again: Command[] = [];

  constructor(seed: number, random: Random, tally: Tally, againProbability: number) {
    this.flow = new Flow(seed);
    this.#random = random;
    this.#tally = tally;
    this.#againProbability = againProbability;
  }

  /** Commands to send together, and the pause before them in milliseconds; none while the last must come first. */
  next(time: number): { commands: readonly Command[]; pauseMs: number } {
    if (this.#again.length > 0) return { commands: this.#again.splice(0, 5), pauseMs: 0 };
    if (!this.flow.isTrading) {
      const missing = this.#batch.filter(({ found }) => found === null);
      if (missing.some(({ state }) => state === 'waiting' || state === 'answered'))
        return { commands: [], pauseMs: 0 };
      if (missing.length > 0) {
        this.#batch = this.#batch.filter(({ found }) => found !== null);
        return { commands: missing.map(({ command }) => command), pauseMs: 0 };
      }
      this.#batch = [];
    }
    const { commands, time: flowTime } = this.flow.next();
    const pauseMs = this.#flowTime === 0 ? 0 : Math.max(0, flowTime - this.#flowTime);
    this.#flowTime = flowTime;
    if (!this.flow.isTrading) return { commands, pauseMs };
    this.commands += commands.length;
    return { commands: commands.map((command) => this.#onceOnly(command, time)), pauseMs };
  }

  #onceOnly(command: Command, time: number): Command {
    if (command.once !== undefined || !this.#random.chance(ONCE_PROBABILITY)) return command;
    return {
      ...command,
      once: { id: `sent ${this.commands} ${this.#random.bits()}`, until: time + ONCE_MS },
    };
  }

  sent(sent: Sent): void {
    if (!this.flow.isTrading) this.#batch.push(sent);
  }

  /** The generator's time follows the log's; otherwise drawn commands would expire before they are sent. */
  observe(events: Parameters<Flow['observe']>[0], time: number): void {
    this.flow.observe(events, time);
    this.#flowTime = Math.max(this.#flowTime, time);
  }

  /** After a start, resends unanswered commands, whether or not they are in the log. */
  sendAgain(unanswered: readonly Sent[]): void {
    if (!this.flow.isTrading) return;
    for (const { command, found } of unanswered) {
      if (!this.#random.chance(this.#againProbability)) continue;
      this.#again.push(command);
      this.#tally.add('sent again');
      if (found !== null) this.#tally.add('sent again, had its effect before');
    }
  }
}
