/** The complete state of the exchange. */

import { OnceIds } from './access/once-ids.ts';
import { Users } from './access/users.ts';
import type { Administration } from './commands/commands.ts';
import { OutcomeBatch } from './commands/outcome-batch.ts';
import type { FinishedCommand } from './commands/outcomes.ts';
import type { Before } from './commands/reference-commands.ts';
import { EventBatch } from './events/event-batch.ts';
import { Addresses, Wallets } from './ledger/custody.ts';
import { Corrections, Deposits } from './ledger/deposits.ts';
import { Ledger, TRADE } from './ledger/ledger.ts';
import { Movements, Transfers, Withdrawals } from './ledger/movements.ts';
import { AddressRules, WithdrawalLimits } from './ledger/withdrawal-limits.ts';
import { Book } from './matching/book/book.ts';
import { LevelTable } from './matching/book/price-levels.ts';
import { ClientIds } from './matching/orders/client-ids.ts';
import { DoneOrders, OrderTable } from './matching/orders/order-table.ts';
import { TraderTable } from './matching/orders/trader-table.ts';
import {
  type DoneOcoOrder,
  type DoneStopOrder,
  OcoTable,
  StopTable,
  SwitchTable,
} from './matching/stops/stop-table.ts';
import { UnfinishedOrders } from './matching/unfinished/unfinished.ts';
import { Notes, UserNotes } from './notes.ts';
import { Operators, Proposals } from './operators/operators.ts';
import { People } from './people/people.ts';
import { Notices, Schedule } from './reference/announcements.ts';
import { Currencies } from './reference/currencies.ts';
import { Fees } from './reference/fees.ts';
import type { Instrument } from './reference/instrument.ts';
import { Instruments } from './reference/instruments.ts';
import { Limits } from './reference/limits.ts';
import type { HashKey } from './tables/index-table.ts';
import { DueHeap } from './tables/ordered.ts';

export class State {
  /** Sequence of the latest record. */
  seq = 0;
  time = 0;
  /** The version of the rules in force. */
  rules = 1;
  #lastId = 0;

  readonly events = new EventBatch();
  readonly outcomes = new OutcomeBatch();
  readonly onceIds: OnceIds;
  readonly notes = new Notes();
  readonly notices: Notices;
  readonly schedule: Schedule;
  readonly users = new Users(this.events);
  readonly userNotes = new UserNotes();
  readonly people = new People();
  readonly operators = new Operators();
  readonly proposals = new Proposals();
  readonly currencies = new Currencies(this.events);
  readonly fees = new Fees(this.events);
  readonly limits = new Limits(this.events);
  readonly ledger: Ledger;
  readonly addresses = new Addresses();
  readonly deposits = new Deposits();
  readonly corrections = new Corrections();
  readonly withdrawalLimits = new WithdrawalLimits();
  readonly addressRules = new AddressRules();
  readonly wallets = new Wallets();
  /** Queue entries assigned to operators, by id. See operators/operate.ts. */
  readonly assignments = new Map<number, number>();
  readonly transfers = new Transfers();
  readonly withdrawals = new Withdrawals((user) => this.users.masterOf(user));
  readonly movements: Movements;

  readonly orders = new OrderTable();
  readonly done = new DoneOrders();
  readonly levels = new LevelTable();
  readonly traders: TraderTable;
  readonly instruments: Instruments;
  readonly clientIds: ClientIds;
  /** Expiring orders, by time. */
  readonly expiries: DueHeap;
  /** Symbols in which a call auction ends, by time. */
  readonly auctions: DueHeap;
  readonly switches: SwitchTable;
  readonly stops = new StopTable();
  readonly steps = new Steps();
  readonly unfinished = new UnfinishedOrders();
  /** Commands of earlier records that were completed in the latest. */
  readonly finished: FinishedCommand[] = [];
  /** The number of commands at the end of the latest record that were deferred to a later one. */
  waits = 0;
  readonly ocos = new OcoTable();
  /** Those done in the latest record, in this order. */
  readonly doneStops: DoneStopOrder[] = [];
  readonly doneOcos: DoneOcoOrder[] = [];
  /** The values that operators' commands of the latest record replaced. */
  readonly befores = new Map<Administration, Before>();
  /** Symbols whose stop orders must be checked after the command. */
  readonly touched = [0];
  /** The number of valid entries in the array. Emptying it for each command would reallocate it each time. */
  touchedCount = 0;

  constructor(hashKey: HashKey) {
    this.onceIds = new OnceIds(hashKey);
    this.notices = new Notices(hashKey);
    this.schedule = new Schedule(hashKey);
    this.ledger = new Ledger(this.events, hashKey);
    this.traders = new TraderTable(hashKey);
    this.clientIds = new ClientIds(hashKey, (user) => this.users.masterOf(user));
    this.instruments = new Instruments(
      this.events,
      this.currencies,
      (symbol, tick) => new Book(symbol, tick, this.orders, this.levels, this.events),
    );
    this.movements = new Movements(hashKey, (user) => this.users.masterOf(user));
    this.expiries = new DueHeap(hashKey);
    this.auctions = new DueHeap(hashKey);
    this.switches = new SwitchTable(hashKey);
  }

  /** Empties the lists of the latest record, only if needed: V8 calls C++ to set a length. */
  forgetLists(): void {
    if (this.doneStops.length > 0) this.doneStops.length = 0;
    if (this.doneOcos.length > 0) this.doneOcos.length = 0;
    if (this.finished.length > 0) this.finished.length = 0;
    if (this.befores.size > 0) this.befores.clear();
  }

  touch(symbol: number): void {
    if (this.touchedCount > 0 && this.touched[this.touchedCount - 1] === symbol) return;
    this.touched[this.touchedCount++] = symbol;
  }

  /** Records that a limit part traded or is done. Its pair is updated after the current command or due event. */
  notePairChange(row: number, traded: boolean): void {
    this.ocos.markChanged(this.orders.id(row), traded);
    this.touch(this.orders.symbol(row));
  }

  /** One counter for all objects that belong to users. */
  newId(): number {
    return ++this.#lastId;
  }

  get idsGiven(): number {
    return this.#lastId;
  }

  set idsGiven(count: number) {
    this.#lastId = count;
  }

  /** The user's trader row, created on first use, with the current fee rates. */
  trader(user: number, instrument: Instrument): number {
    let trader = this.traders.find(user, instrument.number);
    if (trader < 0) {
      const { base, quote } = instrument.identity;
      const baseAccount = this.ledger.account(user, TRADE, base.number);
      const quoteAccount = this.ledger.account(user, TRADE, quote.number);
      trader = this.traders.add(user, instrument.number, baseAccount, quoteAccount);
    }
    if (!this.traders.knowsRates(trader)) {
      const { maker, taker } = this.fees.ratesOf(this.users.masterOf(user), instrument.number);
      this.traders.setRates(trader, maker, taker);
    }
    return trader;
  }
}

/**
 * Bounds how many steps one record executes (expiries, switches, orders that a switch cancels, stop orders that trigger, and
 * their trades), and how many matches it makes. If many are due at once, they are spread over several records, so that
 * other users' commands come in between. The rest needs no list, because it is still due in the next record. Only its
 * symbols are noted, to avoid checking all of them; a restore finds them again from the state. An order that matches more
 * orders than one record allows is kept in unfinished.ts.
 */
class Steps {
  #left = Infinity;
  /** How many matches this record may still have: trades, and prevented self-trades. */
  meetingsLeft = Infinity;
  readonly #symbols = new Set<number>();

  /** Sets the bounds of the next record. */
  begin(max: number, meetingsMax: number): void {
    this.#left = max;
    this.meetingsLeft = meetingsMax;
  }

  /** Ensures that at least `min` matches are left, whatever came before. */
  ensureMeetings(min: number): void {
    this.meetingsLeft = Math.max(this.meetingsLeft, min);
  }

  get areLeft(): boolean {
    return this.#left > 0;
  }

  use(count: number): void {
    this.#left -= count;
  }

  /** Keeps one of `sharers` equal shares of the matches, rounded up; returns the number left for the others. */
  reserveMeetings(sharers: number): number {
    const share = Math.ceil(this.meetingsLeft / sharers);
    const kept = this.meetingsLeft - share;
    this.meetingsLeft = share;
    return kept;
  }

  /** Records that the symbol has due stop orders that are left to the next record. */
  defer(symbol: number): void {
    this.#symbols.add(symbol);
  }

  get hasDeferred(): boolean {
    return this.#symbols.size > 0;
  }

  /** Returns the recorded symbols in ascending order, and empties the list. */
  takeDeferred(): number[] {
    const symbols = [...this.#symbols].toSorted((a, b) => a - b);
    this.#symbols.clear();
    return symbols;
  }
}
