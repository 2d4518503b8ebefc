/** The complete state of the exchange. */

import { OnceIds } from './access/once-ids.ts';
import { UserNotes } from './access/user-notes.ts';
import { Users } from './access/users.ts';
import { DueHeap } from './tables/due-heap.ts';
import { EventBatch } from './events/event-batch.ts';
import type { HashKey } from './tables/index-table.ts';
import { AddressRules } from './ledger/address-rules.ts';
import { Addresses } from './ledger/addresses.ts';
import { Corrections } from './ledger/corrections.ts';
import { Deposits } from './ledger/deposits.ts';
import { Ledger, TRADE } from './ledger/ledger.ts';
import { Movements } from './ledger/movements.ts';
import { Transfers } from './ledger/transfers.ts';
import { Wallets } from './ledger/wallets.ts';
import { WithdrawalLimits } from './ledger/withdrawal-limits.ts';
import { Withdrawals } from './ledger/withdrawals.ts';
import { Currencies } from './reference/currencies.ts';
import { Fees } from './reference/fees.ts';
import { Notices } from './reference/notices.ts';
import { Schedule } from './reference/schedule.ts';
import { Limits } from './reference/limits.ts';
import type { Instrument } from './reference/instrument.ts';
import { Instruments } from './reference/instruments.ts';
import { Book } from './matching/book/book.ts';
import { ClientIds } from './matching/orders/client-ids.ts';
import { DoneOrders } from './matching/orders/done-orders.ts';
import { LevelTable } from './matching/book/level-table.ts';
import { type DoneOcoOrder, OcoTable, type DoneStopOrder, StopTable } from './matching/stops/stop-table.ts';
import { OrderTable } from './matching/orders/order-table.ts';
import { SwitchTable } from './matching/switch-table.ts';
import { TraderTable } from './matching/orders/trader-table.ts';
import { UnfinishedOrders } from './matching/unfinished/unfinished.ts';
import type { Administration } from './commands/commands.ts';
import { Notes } from './notes.ts';
import type { Before } from './commands/reference-commands.ts';
import { Operators } from './operators/operators.ts';
import { Proposals } from './operators/proposals.ts';
import { People } from './people/people.ts';
import { OutcomeBatch } from './commands/outcome-batch.ts';
import type { FinishedCommand } from './commands/outcomes.ts';
import { Steps } from './steps.ts';

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
  stirPair(row: number, traded: boolean): void {
    this.ocos.stir(this.orders.id(row), traded);
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
