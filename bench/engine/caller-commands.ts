/**
 * The scene's commands as callers send them: a cancel uses the order id from the response. If more commands are
 * pending than a record holds, users take turns, so orders arrive in a different sequence than in the flow and get
 * other ids.
 */

import type { CancelOrder, Command, Outcome } from '@bourse/core';

/** A cancel may arrive after its order was filled; more failures than these few would be a bug. */
const REFUSED_SHARE_MAX = 0.02;

export class CallerCommands {
  readonly #commands: readonly Command[];
  readonly #count: number;
  /** Callers stop before this index. */
  end: number;
  /** The flow's order (from 1) that each command places, and the id that the flow expects for the first one. */
  readonly #orders: Int32Array;
  readonly #firstOrder: number;
  /** The assigned id of each order; 0 until it is acknowledged. */
  readonly #given: Float64Array;
  /** Deferred cancels of unacknowledged orders, by index from 1, and those whose order has been acknowledged since. */
  readonly #putOff: Int32Array;
  readonly #ready: number[] = [];
  #next = 0;
  #refused = 0;

  /** The first `count` commands; `firstOrder` is the id of the first order if all arrive in sequence. */
  constructor(commands: readonly Command[], count: number, firstOrder: number) {
    this.#commands = commands;
    this.#count = count;
    this.end = count;
    this.#firstOrder = firstOrder;
    this.#orders = new Int32Array(count);
    this.#given = new Float64Array(count);
    this.#putOff = new Int32Array(count);
    let orders = 0;
    for (let at = 0; at < count; at++) if (commands[at].kind === 'place-order') this.#orders[at] = ++orders;
  }

  /** Index of the next command to send; -1 if none is left before the end. */
  next(): number {
    const ready = this.#ready.pop();
    if (ready !== undefined) return ready;
    while (this.#next < this.end) {
      const at = this.#next++;
      const command = this.#commands[at];
      if (command.kind !== 'cancel-order' || this.#idOf(command) > 0) return at;
      this.#putOff[(command.order ?? 0) - this.#firstOrder] = at + 1;
    }
    return -1;
  }

  at(place: number): Command {
    const command = this.#commands[place];
    if (command.kind !== 'cancel-order') return command;
    const { kind, user, symbol } = command;
    return { kind, user, symbol, order: this.#idOf(command) };
  }

  answered(place: number, outcome: Outcome): void {
    if (outcome.kind === 'rejected') this.#refuse(outcome.rejection.code);
    else if (outcome.kind === 'order' && this.#orders[place] > 0) {
      const order = this.#orders[place] - 1;
      this.#given[order] = outcome.order;
      const cancel = this.#putOff[order] - 1;
      if (cancel >= 0) this.#ready.push(cancel);
    }
  }

  #refuse(code: string): void {
    this.#refused++;
    if (code !== 'order-unknown' || this.#refused > this.#count * REFUSED_SHARE_MAX) {
      throw new Error(`${this.#refused} of ${this.#count} commands were refused, the last for ${code}`);
    }
  }

  /** Orders of the scene's initial book have the ids that the flow expects. */
  #idOf({ order = 0 }: CancelOrder): number {
    return order < this.#firstOrder ? order : this.#given[order - this.#firstOrder];
  }
}
