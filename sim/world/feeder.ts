/** Selects the next command: one from the generator, or an earlier one that was lost or not answered. */

import type { Command } from '@bourse/core';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import type { Sent } from './senders.ts';
import type { Tally } from './tally.ts';

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
