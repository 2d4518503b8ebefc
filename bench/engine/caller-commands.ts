/**
 * The scene's commands as callers send them: a cancel names the order by the id that its answer gave. While more wait
 * than a record holds, users take turns, so orders come in another sequence than the flow's and get other ids.
 *
 * A command is made when it is sent, as a gateway makes it from a message: out of columns of numbers, because reading it
 * from a list of a million objects would take longer than making it.
 */

import type { CancelOrder, Command, Outcome, PlaceOrder } from '@bourse/core';

/** A cancel may come too late for an order that others have met meanwhile; more than these few would be a fault. */
const REFUSED_SHARE_MAX = 0.02;

const CANCEL = 0;
const SELL = 1;
const IOC = 2;

export class CallerCommands {
  readonly #count: number;
  readonly #users: Int32Array;
  /** The price of an order; CANCEL for a cancellation. */
  readonly #prices: Int32Array;
  readonly #sizes: Int32Array;
  readonly #marks: Uint8Array;
  /** Which of the flow's orders each command places, counted from 1, or the id of the one that it cancels. */
  readonly #orders: Int32Array;
  /** The id that the flow expects for the first of them. */
  readonly #firstOrder: number;
  /** The id each of them was given; 0 before its answer. */
  readonly #given: Float64Array;
  /** The place, counted from 1, of the cancel of an order that had no answer yet; and those that have it by now. */
  readonly #putOff: Int32Array;
  readonly #ready: number[] = [];
  #next = 0;
  #refused = 0;

  /** The first `count` commands; the first order among them would get the id `firstOrder` if all came in turn. */
  constructor(commands: readonly (PlaceOrder | CancelOrder)[], count: number, firstOrder: number) {
    this.#count = count;
    this.#firstOrder = firstOrder;
    this.#users = new Int32Array(count);
    this.#prices = new Int32Array(count);
    this.#sizes = new Int32Array(count);
    this.#marks = new Uint8Array(count);
    this.#orders = new Int32Array(count);
    this.#given = new Float64Array(count);
    this.#putOff = new Int32Array(count);
    let orders = 0;
    for (let at = 0; at < count; at++) {
      const command = commands[at];
      this.#users[at] = command.user;
      if (command.kind === 'cancel-order') this.#orders[at] = command.order ?? 0;
      else this.#keepOrder(at, command, ++orders);
    }
  }

  #keepOrder(at: number, { price = 0, size = 0, side, timeInForce }: PlaceOrder, order: number): void {
    this.#prices[at] = price;
    this.#sizes[at] = size;
    if (this.#prices[at] !== price || price === CANCEL || this.#sizes[at] !== size) {
      throw new RangeError(`an order of ${size} for ${price} does not fit into the columns`);
    }
    this.#marks[at] = (side === 'sell' ? SELL : 0) | (timeInForce === 'IOC' ? IOC : 0);
    this.#orders[at] = order;
  }

  /** The place of the next command to be sent; -1 when none is left. */
  next(): number {
    const ready = this.#ready.pop();
    if (ready !== undefined) return ready;
    while (this.#next < this.#count) {
      const at = this.#next++;
      if (this.#prices[at] !== CANCEL || this.#cancelled(at) > 0) return at;
      this.#putOff[this.#orders[at] - this.#firstOrder] = at + 1;
    }
    return -1;
  }

  at(place: number): Command {
    const user = this.#users[place];
    const price = this.#prices[place];
    if (price === CANCEL) return { kind: 'cancel-order', user, symbol: 0, order: this.#cancelled(place) };
    const marks = this.#marks[place];
    return {
      kind: 'place-order',
      user,
      symbol: 0,
      type: 'limit',
      side: (marks & SELL) === 0 ? 'buy' : 'sell',
      price,
      size: this.#sizes[place],
      timeInForce: (marks & IOC) === 0 ? 'GTC' : 'IOC',
    };
  }

  answered(place: number, outcome: Outcome): void {
    if (outcome.kind === 'rejected') this.#refuse(outcome.rejection.code);
    else if (outcome.kind === 'order' && this.#prices[place] !== CANCEL) {
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

  /** The id of the order that the cancel at `place` is for. One of the scene's own book has the id that the flow expects. */
  #cancelled(place: number): number {
    const order = this.#orders[place];
    return order < this.#firstOrder ? order : this.#given[order - this.#firstOrder];
  }
}
