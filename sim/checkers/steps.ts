/** T2 and T3: work is left for the next record only if this one's steps were used up. */

import type { Event, Exchange } from '@bourse/core';
import { violated } from './violation.ts';

/** A delisting cancels as many orders per record as there are meetings left. */
const CLEARED: readonly string[] = ['delisted', 'operator'];

export class StepChecker {
  /** The limit at the start of the record: a change applies from the next record on. */
  #max = 1000;
  #nextMax = 1000;
  #steps = 0;
  /** Trades, and self-trades that were prevented. */
  #meetings = 0;
  /** The end time of each symbol's call auction. */
  readonly #calls = new Map<number, number>();
  /** A command of this record ended the pause: auctions due during the pause end with the next record. */
  #isResumed = false;
  /** Notices whose change took effect: each used a step without an event of its own. */
  #decided = new Set<number>();

  /** Counts trades made by commands too, because events do not distinguish them; so the true number may be lower. */
  check(event: Event): void {
    switch (event.kind) {
      case 'order-done':
        // A prevented self-trade counts like a trade.
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
    // Unfinished orders (at most one per symbol) and the record's commands share its meetings.
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
