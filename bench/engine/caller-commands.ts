/**
 * The scene's commands as callers send them: a cancel names the order by the id from its answer. If more are pending
 * than a record holds, users take turns, so orders arrive in another sequence than the flow's and get other ids.
 */

import type { CancelOrder, Command, Outcome } from '@bourse/core';

/** A cancel may come too late for an order that others have met meanwhile; more than these few would be a fault. */
const REFUSED_SHARE_MAX = 0.02;

export class CallerCommands {
  readonly #commands: readonly Command[];
  readonly #count: number;
  /** Where the callers stop, for now. */
  end: number;
  /** Which of the flow's orders each command places, counted from 1, and the id that the flow expects for the first. */
  readonly #orders: Int32Array;
  readonly #firstOrder: number;
  /** The assigned id of each order; 0 before its answer. */
  readonly #given: Float64Array;
  /** Deferred cancels of unanswered orders, by index from 1, and those whose order is answered by now. */
  readonly #putOff: Int32Array;
  readonly #ready: number[] = [];
  #next = 0;
  #refused = 0;

  /** The first `count` commands; the first order among them would get the id `firstOrder` if all came in turn. */
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

  /** The place of the next command to be sent; -1 when none is left before the end. */
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

  /** An order of the scene's own book has the id that the flow expects. */
  #idOf({ order = 0 }: CancelOrder): number {
    return order < this.#firstOrder ? order : this.#given[order - this.#firstOrder];
  }
}
