/** T2 and T3: something is left over for the next record only where the steps of this one were used up. */

import type { Event, Exchange } from '@bourse/core';
import { violated } from './violation.ts';

/** Ends of all orders of a market, as many in a record as there are meetings left. */
const CLEARED: readonly string[] = ['delisted', 'operator'];

export class StepChecker {
  /** The limit at the beginning of the record: a change applies from the next one on. */
  #max = 1000;
  #nextMax = 1000;
  #steps = 0;
  /** Trades, and self-trades that were prevented. */
  #meetings = 0;
  /** The end of each symbol's call auction. */
  readonly #calls = new Map<number, number>();
  /** A command of this record ended the pause: calls that should have ended meanwhile end with the next record. */
  #isResumed = false;
  /** Notices whose change took effect: each took a step without its own event. */
  #decided = new Set<number>();

  /** Trades that commands made are counted too, as events do not tell them apart: so there may be fewer steps. */
  check(event: Event): void {
    switch (event.kind) {
      case 'order-done':
        // A self-trade that is prevented counts like a trade.
        if (event.reason === 'expired' || event.reason === 'switch') this.#steps += 1;
        if (event.reason === 'self-trade' || CLEARED.includes(event.reason)) this.#meetings += 1;
        break;
      case 'auction-set':
        this.#calls.set(event.symbol, event.endsAt);
        if (event.isExtended) this.#steps += 1;
        break;
      case 'pause-set':
        this.#isResumed = !event.isPaused;
        break;
      case 'schedule-changed':
        if (event.what === 'done' || event.what === 'refused') this.#steps += 1;
        break;
      case 'auction-ended':
        this.#calls.delete(event.symbol);
        this.#steps += 1;
        break;
      case 'order-reduced':
        if (event.reason === 'self-trade') this.#meetings += 1;
        break;
      case 'switch-set':
        if (event.triggerAt === 0) this.#steps += 1;
        break;
      case 'stop-done':
        if (event.reason === 'triggered' || event.reason === 'rejected') this.#steps += 1;
        if (CLEARED.includes(event.reason)) this.#meetings += 1;
        break;
      case 'trade':
        this.#steps += 1;
        this.#meetings += 1;
        break;
      case 'limits-set':
        this.#nextMax = event.stepsPerRecordMax ?? this.#nextMax;
        break;
    }
  }

  afterRecord(exchange: Exchange, time: number): void {
    this.#countDecided(exchange);
    // Unfinished orders, at most one for each symbol, and the commands share the meetings of a record.
    const share = Math.ceil(Math.ceil(this.#max / 4) / (exchange.counts.symbols + 1));
    const isCut = exchange.hasUnfinished && this.#meetings >= share;
    const isCallLate = this.#isResumed && [...this.#calls.values()].some((endsAt) => endsAt <= time);
    if (exchange.nextDue <= time && this.#steps < this.#max && !isCut && !isCallLate) {
      violated('what is due happens while there are steps left', {
        steps: this.#steps,
        max: this.#max,
        time,
      });
    }
    this.#steps = 0;
    this.#meetings = 0;
    this.#isResumed = false;
    this.#max = this.#nextMax;
  }

  #countDecided({ reference }: Exchange): void {
    for (const { notice, change } of reference.notices()) {
      if (change === undefined || change.state === 'scheduled' || this.#decided.has(notice)) continue;
      this.#decided.add(notice);
      this.#steps += 1;
    }
  }
}
