/**
 * The exchange: a pure state machine. `apply` takes the next record of the log and returns what became of its
 * commands and what happened; the same records give the same answers, events and state, anywhere, to the byte.
 */

import { assert } from './assert.ts';
import type { AccountType, Command, LogRecord, PlaceOrders, Side } from './commands.ts';
import type { EventBatch } from './event-batch.ts';
import type { HouseAccount } from './events.ts';
import { decideQuestionnaire, reportDeposit, submitQuestionnaire } from './ledger/money-in.ts';
import { cancelWithdrawal, requestWithdrawal, settleWithdrawal } from './ledger/money-out.ts';
import { transfer } from './ledger/transfer.ts';
import { alterOrder } from './matching/alter.ts';
import { cancelOrder, cancelOrders, reduceOrder } from './matching/cancel.ts';
import { checkOrder } from './matching/check.ts';
import { sideCode } from './matching/order-flags.ts';
import { place } from './matching/place.ts';
import { cancelStopOrder, placeStopOrder, triggerStops } from './matching/stops.ts';
import { letNextDueHappen, setSwitch } from './matching/switches.ts';
import type { OutcomeBatch } from './outcome-batch.ts';
import type { Outcome } from './outcomes.ts';
import * as queries from './queries.ts';
import type { Rejection } from './rejections.ts';
import { readSnapshot, writeSnapshot } from './snapshot/snapshot.ts';
import { hashBytes } from './snapshot/hash.ts';
import { State } from './state.ts';

/** What became of a record; valid until the next one is applied. */
export interface Applied {
  /** One for each command, in order. */
  readonly outcomes: OutcomeBatch;
  readonly events: EventBatch;
}

const ACCEPTED: Outcome = { kind: 'accepted' };
const HOUSE = -1;

export class Exchange {
  private readonly state: State;

  constructor(state: State = new State()) {
    this.state = state;
  }

  /** Applies the record that follows the last one. Refusals are outcomes; only a broken invariant throws. */
  apply(record: LogRecord): Applied {
    const { state } = this;
    assert(record.seq === state.seq + 1, 'records follow each other without a gap');
    assert(record.time >= state.time, 'time never goes back');
    state.events.clear();
    state.outcomes.clear();
    state.seq = record.seq;
    state.time = record.time;
    this.letTimePass();
    const { commands } = record;
    for (let i = 0; i < commands.length; i++) {
      execute(state, commands[i]);
      if (state.touched.length > 0) this.triggerTouched();
    }
    return state;
  }

  /** T1: what is due happens before anything else of that instant. */
  private letTimePass(): void {
    const { state } = this;
    state.clientIds.forget(state.time - state.limits.values.lookupWindowMs);
    while (letNextDueHappen(state, state.time));
  }

  private triggerTouched(): void {
    const { touched } = this.state;
    const symbols = touched.length === 1 ? [touched[0]] : [...new Set(touched)].toSorted((a, b) => a - b);
    for (const symbol of symbols) triggerStops(this.state, symbol);
    touched.length = 0;
  }

  /** The whole state as canonical bytes: equal states give equal bytes. */
  snapshot(): Uint8Array {
    return writeSnapshot(this.state);
  }

  static restore(bytes: Uint8Array): Exchange {
    return new Exchange(readSnapshot(bytes));
  }

  /** 128 bits of the canonical bytes, as 32 hex digits. */
  hash(): string {
    return hashBytes(this.snapshot());
  }

  get seq(): number {
    return this.state.seq;
  }

  get time(): number {
    return this.state.time;
  }

  get counts(): { users: number; symbols: number; currencies: number; orders: number } {
    const { users, markets, currencies, orders } = this.state;
    return {
      users: users.all.length,
      symbols: markets.all.length,
      currencies: currencies.all.length,
      orders: orders.size,
    };
  }

  /** An active order; done ones live in history. */
  order(id: number): queries.OrderView | null {
    const row = this.state.orders.rowOf(id);
    return row < 0 ? null : queries.viewOrder(this.state, row);
  }

  orderByClientId(user: number, clientId: string): queries.OrderView | null {
    return this.order(this.state.clientIds.find(user, clientId));
  }

  /** Ascending by id. */
  openOrders(user: number, symbol: number): queries.OrderView[] {
    return queries.openOrders(this.state, user, symbol);
  }

  /** All orders of a side, in order of priority. */
  resting(symbol: number, side: Side): queries.OrderView[] {
    const rows = queries.restingRows(this.state, symbol, sideCode(side));
    return rows.map((row) => queries.viewOrder(this.state, row));
  }

  depth(symbol: number, side: Side, levelsMax: number): queries.PriceLevel[] {
    return queries.depth(this.state, symbol, sideCode(side), levelsMax);
  }

  /** Hidden orders count; 0 when the side is empty. */
  bestPrice(symbol: number, side: Side): number {
    return this.state.markets.all[symbol].book.bestPrice(sideCode(side));
  }

  lastPrice(symbol: number): number {
    return this.state.markets.all[symbol].book.lastPrice;
  }

  balance(user: number, account: AccountType, currency: number): queries.Balance {
    return queries.balance(this.state, user, account, currency);
  }

  houseBalance(account: HouseAccount, currency: number): bigint {
    return queries.balance(this.state, HOUSE, account, currency).available;
  }
}

/** Does what the command says, and writes its outcome. */
function execute(state: State, command: Command): void {
  const { outcomes } = state;
  switch (command.kind) {
    case 'place-order':
      place(state, command.user, command);
      return;
    case 'cancel-order':
      rejectedOnly(state, cancelOrder(state, command));
      return;
    case 'place-orders':
      placeOrders(state, command);
      return;
    case 'reduce-order':
      rejectedOnly(state, reduceOrder(state, command));
      return;
    case 'alter-order':
      rejectedOnly(state, alterOrder(state, command));
      return;
    default:
      outcomes.other(perform(state, command));
  }
}

/** For commands that write their own outcome, unless they are refused. */
function rejectedOnly(state: State, rejection: Rejection | null): void {
  if (rejection) state.outcomes.rejected(rejection);
}

function placeOrders(state: State, { user, orders }: PlaceOrders): void {
  const unknown = state.users.unknown(user);
  if (unknown) {
    state.outcomes.rejected(unknown);
    return;
  }
  state.outcomes.group(orders.length);
  for (const order of orders) place(state, user, order);
}

const rejected = (rejection: Rejection): Outcome => ({ kind: 'rejected', rejection });
/** For commands that answer with nothing but their acceptance. */
const acceptedUnless = (rejection: Rejection | null): Outcome => (rejection ? rejected(rejection) : ACCEPTED);
/** For commands that give out a number. */
const added = (result: number | Rejection): Outcome =>
  typeof result === 'number' ? { kind: 'added', id: result } : rejected(result);
const orRejected = (result: Outcome | Rejection): Outcome => ('code' in result ? rejected(result) : result);

type Written = 'place-order' | 'place-orders' | 'cancel-order' | 'reduce-order' | 'alter-order';

/** Commands off the hot path, with plain outcomes. */
function perform(state: State, command: Exclude<Command, { kind: Written }>): Outcome {
  switch (command.kind) {
    case 'cancel-orders':
      return orRejected(cancelOrders(state, command));
    case 'test-order':
      return acceptedUnless(checkOrder(state, state.orders.draft(), command.user, command));
    case 'place-stop-order':
      return orRejected(placeStopOrder(state, command));
    case 'cancel-stop-order':
      return acceptedUnless(cancelStopOrder(state, command));
    case 'set-switch':
      return orRejected(setSwitch(state, command));
    case 'transfer':
      return orRejected(transfer(state, command));
    case 'report-deposit':
      return orRejected(reportDeposit(state, command));
    case 'submit-questionnaire':
      return orRejected(submitQuestionnaire(state, command));
    case 'decide-questionnaire':
      return acceptedUnless(decideQuestionnaire(state, command));
    case 'request-withdrawal':
      return orRejected(requestWithdrawal(state, command));
    case 'cancel-withdrawal':
      return acceptedUnless(cancelWithdrawal(state, command));
    case 'settle-withdrawal':
      return acceptedUnless(settleWithdrawal(state, command));
    default:
      return administer(state, command);
  }
}

type Administration = Extract<
  Command,
  {
    kind:
      | `add-${string}`
      | `change-${string}`
      | 'remove-key'
      | 'set-fees'
      | 'set-limits'
      | 'set-market-state';
  }
>;

function administer(state: State, command: Administration): Outcome {
  switch (command.kind) {
    case 'add-currency':
      return added(state.currencies.add(command));
    case 'change-currency':
      return acceptedUnless(state.currencies.change(command));
    case 'add-symbol':
      return added(state.markets.add(command));
    case 'change-symbol': {
      const refused = state.markets.change(command);
      if (!refused) state.touch(command.symbol);
      return acceptedUnless(refused);
    }
    case 'set-market-state': {
      const refused = state.markets.setState(command);
      if (!refused) state.touch(command.symbol);
      return acceptedUnless(refused);
    }
    case 'set-fees':
      return acceptedUnless(setFees(state, command));
    case 'set-limits':
      return acceptedUnless(state.limits.set(command));
    case 'add-user':
      return added(state.users.add(command));
    case 'add-key':
      return acceptedUnless(state.users.addKey(command));
    case 'change-key':
      return acceptedUnless(state.users.changeKey(command));
    case 'remove-key':
      return acceptedUnless(state.users.removeKey(command));
  }
}

function setFees(state: State, command: Extract<Command, { kind: 'set-fees' }>): Rejection | null {
  const { user, symbol } = command;
  const refused =
    (user === undefined ? null : state.users.unknown(user)) ??
    (symbol === undefined ? null : state.markets.unknown(symbol)) ??
    state.fees.set(command, user !== undefined && state.users.isSubAccount(user));
  if (!refused) state.traders.forgetRates();
  return refused;
}
