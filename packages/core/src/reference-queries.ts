/**
 * Queries for reference data, users and movements of money. Events report changes; these return the current state, even
 * after a start from a snapshot.
 */

import type { UserNote } from './notes.ts';
import { type Key, NO_TRADING, NO_WITHDRAWALS, type User } from './access/users.ts';
import type { Administration } from './commands/commands.ts';
import type { Rejection } from './commands/rejections.ts';
import type { SymbolSet } from './events/events.ts';
import type { Address, AskedAddress, FreeAddress, WalletReport } from './ledger/custody.ts';
import type { AddressRule, WithdrawalLimit } from './ledger/withdrawal-limits.ts';
import { leftToday } from './ledger/withdrawal-rules.ts';
import type { Correction, Deposit, Questionnaire } from './ledger/deposits.ts';
import type { Withdrawal } from './ledger/movements.ts';
import type { Currency } from './reference/currencies.ts';
import type { FeeRule, Rates } from './reference/fees.ts';
import type { LimitValues } from './reference/limits.ts';
import type { Notice, ScheduleEntry } from './reference/announcements.ts';
import { describe } from './reference/instruments.ts';
import type {
  DoneOcoOrder,
  OcoOrder,
  DoneStopOrder,
  StopOrder,
  Switch,
} from './matching/stops/stop-table.ts';
import type { Before } from './commands/reference-commands.ts';
import type { Operator, Approval, Policy, Proposal, ProposalStatus } from './operators/operators.ts';
import { personOf } from './people/checks.ts';
import type { Activity, ActivityKind, BookAddress, Passkey, Person, Session } from './people/people.ts';
import type { State } from './state.ts';
import type { NewestFirst } from './tables/ordered.ts';
import { type AuctionPrice, priceNow } from './matching/auction.ts';
import type { Auction } from './reference/instrument.ts';

export type { Address, DoneOcoOrder, DoneStopOrder, OcoOrder };
export type { AddressRule, Correction, UserNote, WalletReport, WithdrawalLimit };
export type { Currency, Deposit, FeeRule, Key, LimitValues, Questionnaire, Rates, StopOrder, Switch, User };
export type { Notice, ScheduleEntry, Withdrawal };
export type { Approval, Operator, Policy, Proposal, ProposalStatus };
export type { Activity, ActivityKind, BookAddress, Passkey, Person, Session };

export type AuctionView = Auction & Omit<AuctionPrice, 'reference'>;

export class Reference {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get users(): readonly User[] {
    return this.#state.users.all;
  }

  /** Whether the user or its master is frozen completely. */
  isFrozen(user: number): boolean {
    return this.#state.users.isFrozen(user);
  }

  /** The rejection by a freeze of the user or its master that covers `level`; null if there is none. */
  frozenFor(user: number, level: 'trading' | 'withdrawals'): Rejection | null {
    return this.#state.users.barred(user, level === 'trading' ? NO_TRADING : NO_WITHDRAWALS);
  }

  /** Operators' notes, oldest first. */
  userNotes(user: number): readonly UserNote[] {
    return this.#state.userNotes.of(user);
  }

  /** 0: not locked. A sub-account has its master's lock. */
  withdrawalsLockedUntil(user: number): number {
    return personOf(this.#state, user)?.withdrawalsLockedUntil ?? 0;
  }

  get people(): Pick<
    State['people'],
    | 'get'
    | 'ofLogin'
    | 'ofUser'
    | 'session'
    | 'sessionOfToken'
    | 'sessionsOf'
    | 'isSpent'
    | 'list'
    | 'listSessions'
  > {
    return this.#state.people;
  }

  get operators(): Pick<
    State['operators'],
    'isRootClosed' | 'get' | 'ofName' | 'ofToken' | 'ofLogin' | 'list'
  > {
    return this.#state.operators;
  }

  get proposals(): Pick<State['proposals'], 'policy' | 'get' | 'list'> {
    return this.#state.proposals;
  }

  key(name: string): Key | null {
    return this.#state.users.findKey(name);
  }

  /** By name. */
  keys(): readonly Key[] {
    return this.#state.users.listKeys();
  }

  /** Includes removed ones, so that each is at the index of its number. */
  get currencies(): readonly Currency[] {
    return this.#state.currencies.all;
  }

  /** -1 if there is none. */
  currencyNumber(code: string): number {
    return this.#state.currencies.numberOf(code);
  }

  /** Without removed ones. */
  symbols(): SymbolSet[] {
    return this.#state.instruments.all.filter(({ removed }) => !removed).map(describe);
  }

  symbol(number: number): SymbolSet {
    return describe(this.#state.instruments.all[number]);
  }

  /** -1 if there is none. */
  symbolNumber(code: string): number {
    return this.#state.instruments.numberOf(code);
  }

  /** The symbol's running call auction with its indicative result; sizes are 0 without a cross. */
  auction(symbol: number): AuctionView | null {
    const instrument = this.#state.instruments.all[symbol];
    if (instrument.auction === null) return null;
    const { price = 0, size = 0, imbalance = 0, side = '' } = priceNow(instrument) ?? {};
    return { ...instrument.auction, price, size, imbalance, side };
  }

  /** Whether an operator has paused the whole exchange. */
  get isPaused(): boolean {
    return this.#state.instruments.isPaused;
  }

  /** The user's rates in the symbol, in 10^-8; a sub-account has its master's. */
  rates(user: number, symbol: number): Rates {
    return this.#state.fees.ratesOf(this.#state.users.masterOf(user), symbol);
  }

  /** By user, then symbol. */
  feeRules(): readonly FeeRule[] {
    return this.#state.fees.list();
  }

  get limits(): LimitValues {
    return this.#state.limits.values;
  }

  /** The user's deposit addresses for the currency, by chain. */
  addressesOf(user: number, currency: number): readonly Address[] {
    return this.#state.addresses.of(user, currency);
  }

  /** The user's address on the chain, for any currency. */
  addressOn(user: number, chain: string): Address | null {
    for (const { number } of this.#state.currencies.all) {
      const found = this.#state.addresses.find(user, number, chain);
      if (found) return found;
    }
    return null;
  }

  /** Free loaded addresses: their number, and the next one to be assigned. */
  freeAddresses(chain: string): { readonly count: number; readonly first: FreeAddress | null } {
    return this.#state.addresses.freeOf(chain);
  }

  /** The index of the next address derived from the chain's key. */
  nextAddressIndex(chain: string): number {
    return this.#state.addresses.nextIndex(chain);
  }

  /** Pending requests for an address, by user, currency and chain. */
  askedAddresses(): readonly AskedAddress[] {
    return this.#state.addresses.listAsked();
  }

  /** Ascending by id. */
  deposits(): readonly Deposit[] {
    return this.#state.deposits.list();
  }

  /** The withdrawals still kept in memory. */
  withdrawals(): readonly Withdrawal[] {
    return this.#state.withdrawals.list();
  }

  /** Newest first. */
  questionnaires(part: NewestFirst): readonly Questionnaire[] {
    return this.#state.deposits.newestQuestionnaires(part);
  }

  deposit(id: number): Deposit | null {
    return this.#state.deposits.get(id);
  }

  correction(id: number): Correction | null {
    return this.#state.corrections.get(id);
  }

  /** Ascending by number. */
  addressRules(): readonly AddressRule[] {
    return this.#state.addressRules.list();
  }

  /** The report with the latest reading up to `time`; null for none. */
  walletReport(currency: number, time: number): WalletReport | null {
    return this.#state.wallets.until(currency, time);
  }

  /** By user, tier and currency; -1 for none. */
  withdrawalLimits(): readonly WithdrawalLimit[] {
    return this.#state.withdrawalLimits.list();
  }

  withdrawalLimit(of: Omit<WithdrawalLimit, 'amount'>): WithdrawalLimit | null {
    return this.#state.withdrawalLimits.get(of);
  }

  /**
   * The amount that the user and its sub-accounts may still withdraw today (UTC); null without a limit, and for a user
   * that does not exist yet.
   */
  leftToday(user: number, currency: number): ReturnType<typeof leftToday> {
    return user < this.#state.users.all.length ? leftToday(this.#state, user, currency) : null;
  }

  /** The correction that reversed a deposit, withdrawal or correction. */
  reversalOf(id: number): number | null {
    return this.#state.corrections.reversalOf(id);
  }

  /** Newest first. */
  corrections(part: NewestFirst): readonly Correction[] {
    return this.#state.corrections.newest(part);
  }

  get correctionCount(): number {
    return this.#state.corrections.count;
  }

  /** The deposit that a questionnaire is about. */
  depositOfTravelRule(travelRuleId: number): Deposit | null {
    return this.#state.deposits.ofTravelRule(travelRuleId);
  }

  questionnaire(id: number): Questionnaire | null {
    return this.#state.deposits.questionnaire(id);
  }

  withdrawal(id: number): Withdrawal | null {
    return this.#state.withdrawals.get(id);
  }

  /** The operator to whom a deposit, withdrawal or questionnaire is assigned; 0 is root, null nobody. */
  assigneeOf(id: number): number | null {
    return this.#state.assignments.get(id) ?? null;
  }

  /** Ids assigned to the operator, ascending. */
  assignedTo(operator: number): readonly number[] {
    const ids = [...this.#state.assignments].flatMap(([id, to]) => (to === operator ? [id] : []));
    return ids.toSorted((a, b) => a - b);
  }

  switchOf(user: number): Switch | null {
    return this.#state.switches.get(user);
  }

  stopOrder(id: number): StopOrder | null {
    return this.#state.stops.get(id);
  }

  /** While both parts are active; query the parts by their own ids. */
  ocoOrder(id: number): OcoOrder | null {
    return this.#state.ocos.get(id);
  }

  /** Ascending by id. */
  ocoOrders(): readonly OcoOrder[] {
    return this.#state.ocos.list();
  }

  /** The user's, ascending by id. */
  ocoOrdersOf(user: number): readonly OcoOrder[] {
    return this.#state.ocos.listOf(user);
  }

  /** Those done in the latest record; valid until the next one is applied. */
  get doneStopOrders(): readonly DoneStopOrder[] {
    return this.#state.doneStops;
  }

  get doneOcoOrders(): readonly DoneOcoOrder[] {
    return this.#state.doneOcos;
  }

  /** The values that an operator's command of the latest record replaced; null if it replaced none. */
  before(command: Administration): Before | null {
    return this.#state.befores.get(command) ?? null;
  }

  /** Ascending by number. */
  schedule(): readonly ScheduleEntry[] {
    return this.#state.schedule.list();
  }

  /** Ascending by number, including unpublished ones. */
  notices(): readonly Notice[] {
    return this.#state.notices.list();
  }

  /** The note with this name; '' if there is none. */
  note(name: string): string {
    return this.#state.notes.get(name);
  }

  /** Ascending by id. */
  stopOrders(): readonly StopOrder[] {
    return this.#state.stops.list();
  }

  /** The user's, ascending by id. */
  stopOrdersOf(user: number): readonly StopOrder[] {
    return this.#state.stops.listOf(user);
  }
}
