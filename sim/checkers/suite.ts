/** All checkers together, on a common list of orders built from events. */

import type { Event, Exchange, LogRecord } from '@bourse/core';
import { BookChecker } from './books.ts';
import { FeeChecker, HoldChecker } from './holds.ts';
import { LedgerChecker } from './ledger.ts';
import { MatchingChecker } from './matching.ts';
import { NumberingChecker } from './numbering.ts';
import { OcoChecker } from './ocos.ts';
import { OrderList } from './order-list.ts';
import { StepChecker } from './steps.ts';
import { UserChecker } from './users.ts';

/** Everything a record touched is checked after it; everything else, which must be unchanged, less often. */
const SCAN_EVERY = 8;

export class Suite {
  readonly #list = new OrderList();
  readonly #matching = new MatchingChecker(this.#list);
  readonly #fees = new FeeChecker(this.#list);
  readonly #holds = new HoldChecker(this.#list);
  readonly #books = new BookChecker(this.#list);
  readonly #ledger = new LedgerChecker();
  readonly #numbering = new NumberingChecker();
  readonly #users = new UserChecker();
  readonly #ocos = new OcoChecker();
  readonly #steps = new StepChecker();
  #records = 0;

  afterRecord(exchange: Exchange, { time }: LogRecord, events: readonly Event[]): void {
    this.#list.beginRecord(time);
    for (const event of events) this.#event(event);
    this.#records += 1;
    const isFull = this.#records % SCAN_EVERY === 0;
    this.#holds.afterRecord();
    this.#ocos.afterRecord();
    this.#steps.afterRecord(exchange, time);
    this.#ledger.afterRecord(exchange);
    this.#books.afterRecord(exchange, time, isFull);
    if (isFull) this.scan(exchange);
  }

  scan(exchange: Exchange): void {
    this.#ledger.scan(exchange);
    this.#holds.scan(exchange);
    this.#users.scan(exchange);
    this.#ocos.scan(exchange);
  }

  #event(event: Event): void {
    this.#numbering.check(event);
    this.#users.check(event);
    this.#ocos.check(event);
    this.#steps.check(event);
    this.#matching.check(event);
    this.#holds.check(event);
    this.#books.check(event);
    if (event.kind === 'trade') this.#fees.check(event);
    if (event.kind === 'balance-changed') this.#ledger.check(event);
    else this.#list.apply(event);
  }
}
