/**
 * The exchange: a pure state machine. `apply` takes the next record of the log and returns the outcomes of its commands
 * and the events; the same records give the same outcomes, events and state, byte for byte, on every machine.
 */

import { NO_TRADING } from './access/users.ts';
import { administer } from './administration.ts';
import { assert } from './values/checks.ts';
import type { AccountType, Command, LogRecord, Once, PlaceOrders, Side } from './commands/commands.ts';
import type { EventBatch } from './events/event-batch.ts';
import type { SystemAccount } from './events/events.ts';
import { askAddress, submitQuestionnaire } from './ledger/money-in.ts';
import { cancelWithdrawal, requestWithdrawal } from './ledger/money-out.ts';
import { forgetMovements } from './ledger/movements.ts';
import { transfer } from './ledger/transfer.ts';
import { Level3 } from './queries.ts';
import { alterOrder } from './matching/alter.ts';
import { continueUnfinished, deferOrder, mustWait, placeOrders } from './matching/unfinished/continuation.ts';
import { cancelOrder, cancelOrders, reduceOrder } from './matching/cancel.ts';
import { executeDueElsewhere, executeNextDue, nextDueOf, setSwitch } from './matching/due.ts';
import { checkOrder } from './matching/check.ts';
import { refuseEarly } from './matching/early-refusal.ts';
import {
  cancelOcoOrder,
  placeOcoOrder,
  settleOcos,
  cancelStopOrder,
  placeStopOrder,
  triggerStops,
} from './matching/stops/stops.ts';
import { sideCode } from './matching/orders/order-rows.ts';
import { place } from './matching/place.ts';
import { type HashKey, OPEN_HASH_KEY } from './tables/index-table.ts';
import type { OutcomeBatch } from './commands/outcome-batch.ts';
import {
  acceptedUnless,
  type FinishedCommand,
  type Outcome,
  orRejected,
  WAITS,
} from './commands/outcomes.ts';
import * as queries from './queries.ts';
import { Reference } from './reference-queries.ts';
import type { Rejection } from './commands/rejections.ts';
import { RULES_VERSION } from './rules-version.ts';
import { readSnapshot, writeSnapshot } from './snapshot/snapshot.ts';
import { hashBytes } from './snapshot/bytes.ts';
import { State } from './state.ts';

/** The result of a record; valid until the next one is applied. */
export interface Applied {
  /** One for each command, in order. */
  readonly outcomes: OutcomeBatch;
  readonly events: EventBatch;
  /** Commands of earlier records whose outcome was `unfinished`, and that are complete now. */
  readonly finished: readonly FinishedCommand[];
  /** The number of commands at the end of the record that were deferred to a later one: their outcome is `waits`. */
  readonly waits: number;
}

/** How many client ids and movements a record removes: more than it can add, so that a backlog shrinks. */
const FREED_PER_STEP = 4;
const FREED_PER_COMMAND = 32;
/**
 * How many request ids a record removes. Their removal is not observable, and each costs a third of a microsecond, so
 * remove only enough to keep up with new ones: clearing a backlog would delay the record.
 */
const REQUESTS_FORGOTTEN_MIN = 256;
const REQUESTS_FORGOTTEN_PER_COMMAND = 4;

/**
 * Publishing a trade costs several times as much as an expiry. A record may have one match for each of its commands, so
 * that ordinary orders are not split when many arrive together.
 */
const STEPS_PER_MEETING = 4;
const SYSTEM = -1;

export class Exchange {
  readonly #state: State;
  /** Queries for reference data. */
  readonly reference: Reference;
  readonly level3: Level3;

  /** `hashKey`: see index-table.ts. An exchange that takes orders from untrusted clients needs a random one. */
  constructor(hashKey: HashKey = OPEN_HASH_KEY, state: State = new State(hashKey)) {
    this.#state = state;
    this.reference = new Reference(state);
    this.level3 = new Level3(state);
  }

  /** Applies the next record. Rejections are outcomes; only a broken invariant throws. */
  apply(record: LogRecord): Applied {
    const state = this.#state;
    assert(record.seq === state.seq + 1, 'records follow each other without a gap');
    assert(record.time >= state.time, 'time never goes back');
    const { rules = 1 } = record;
    assert(rules >= 1 && rules <= RULES_VERSION, 'the rules of the record are known');
    state.rules = rules;
    state.done.settle(state.orders, state.seq, state.time);
    state.events.clear();
    state.outcomes.clear();
    state.forgetLists();
    state.waits = 0;
    // Symbols in which stop orders were left over and traded are in no snapshot, so nothing may depend on them.
    state.touchedCount = 0;
    state.seq = record.seq;
    state.time = record.time;
    const { stepsPerRecordMax } = state.limits.values;
    const { commands } = record;
    const meetingsMax = Math.ceil(stepsPerRecordMax / STEPS_PER_MEETING);
    state.steps.begin(stepsPerRecordMax, meetingsMax);
    if (state.unfinished.count > 0)
      continueUnfinished(state, commands.length > 0, () => this.#triggerTouched());
    // However much came before them, each command may match at least one order.
    state.steps.ensureMeetings(commands.length);
    this.#executeDue(commands.length);
    if (state.steps.hasDeferred) this.#triggerDeferred();
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i];
      if (state.unfinished.count > 0 && mustWait(state, command)) {
        // All commands behind it wait too, to preserve their order.
        state.waits = commands.length - i;
        for (let left = state.waits; left > 0; left--) state.outcomes.other(WAITS);
        break;
      }
      if (!executeHot(state, command)) state.outcomes.other(executeOther(state, command));
      if (state.touchedCount > 0) this.#triggerTouched();
    }
    return state;
  }

  /** T1: everything due happens before the commands; T2: as far as the record has steps for it. */
  #executeDue(commands: number): void {
    const state = this.#state;
    const { lookupWindowMs, stepsPerRecordMax } = state.limits.values;
    const freedMax = stepsPerRecordMax * FREED_PER_STEP + commands * FREED_PER_COMMAND;
    state.onceIds.forget(state.time, REQUESTS_FORGOTTEN_MIN + commands * REQUESTS_FORGOTTEN_PER_COMMAND);
    state.clientIds.forget(state.time - lookupWindowMs, freedMax);
    forgetMovements(state, freedMax);
    const afterEach = () => {
      if (state.touchedCount > 0) this.#triggerTouched();
    };
    while (state.unfinished.count === 0 && executeNextDue(state, state.time)) afterEach();
    if (state.unfinished.count > 0) executeDueElsewhere(state, afterEach);
  }

  /** T2: stop orders that the previous record left over. */
  #triggerDeferred(): void {
    for (const symbol of this.#state.steps.takeDeferred()) triggerStops(this.#state, symbol);
  }

  #triggerTouched(): void {
    const state = this.#state;
    settleOcos(state);
    if (state.touchedCount === 1) triggerStops(state, state.touched[0]);
    else {
      const symbols = new Set(state.touched.slice(0, state.touchedCount));
      for (const symbol of [...symbols].toSorted((a, b) => a - b)) triggerStops(state, symbol);
    }
    state.touchedCount = 0;
  }

  /** The complete state as canonical bytes: equal states give equal bytes. */
  snapshot(): Uint8Array {
    return writeSnapshot(this.#state);
  }

  static restore(bytes: Uint8Array, hashKey: HashKey = OPEN_HASH_KEY): Exchange {
    return new Exchange(hashKey, readSnapshot(bytes, hashKey));
  }

  /** 128 bits of the canonical bytes, as 32 hex digits. */
  hash(): string {
    return hashBytes(this.snapshot());
  }

  get seq(): number {
    return this.#state.seq;
  }

  get time(): number {
    return this.#state.time;
  }

  /** When something is next due; Infinity for never. Work that the latest record left over is due at once. */
  get nextDue(): number {
    if (this.#state.steps.hasDeferred || this.#state.unfinished.count > 0) return this.#state.time;
    return nextDueOf(this.#state);
  }

  /** Whether the next record continues an order of an earlier one, and some commands have to wait for it. */
  get hasUnfinished(): boolean {
    return this.#state.unfinished.count > 0;
  }

  /** Whether the next record would leave the command, and those behind it, to a later one, unless it completes the order. */
  mustWait(command: Command): boolean {
    return mustWait(this.#state, command);
  }

  /** The outcome of a command that is certain to be rejected in a record with that time: see early-refusal.ts. */
  refuseEarly(command: Command, time: number): Outcome | null {
    // Before the first record that follows the latest rules, earlier ones are in force here.
    return this.#state.rules === RULES_VERSION ? refuseEarly(this.#state, command, time) : null;
  }

  get counts(): { users: number; symbols: number; currencies: number; orders: number } {
    const { users, instruments, currencies, orders } = this.#state;
    return {
      users: users.all.length,
      symbols: instruments.all.length,
      currencies: currencies.all.length,
      orders: orders.size,
    };
  }

  /** An active order; done orders are in history. */
  order(id: number): queries.OrderView | null {
    const row = this.#state.orders.rowOf(id);
    return row < 0 ? null : queries.viewOrder(this.#state, row);
  }

  /** The orders done in the latest record, in their final state: one for each `order-done`, in the same order. */
  doneOrders(): queries.DoneOrder[] {
    const state = this.#state;
    return state.orders.doneRows.map((row) => queries.viewDone(state, row, state.seq, state.time));
  }

  /** Whether done orders can be looked up until `forgetDone`, or only until the next record. */
  set keepDone(isKept: boolean) {
    this.#state.done.isKept = isKept;
  }

  /** The number of kept done orders, excluding those of the latest record. */
  get doneCount(): number {
    return this.#state.done.count;
  }

  doneOrder(id: number): queries.DoneOrder | null {
    return queries.doneOrder(this.#state, id);
  }

  /** The latest order with this client id. */
  doneOrderByClientId(user: number, clientId: string): queries.DoneOrder | null {
    const id = this.#state.clientIds.find(user, clientId);
    return id === 0 ? null : this.doneOrder(id);
  }

  /** History has everything up to the record `seq`, so done orders up to there can be dropped. */
  forgetDone(seq: number): void {
    this.#state.done.forget(this.#state.orders, seq);
  }

  orderByClientId(user: number, clientId: string): queries.OrderView | null {
    return this.order(this.#state.clientIds.find(user, clientId));
  }

  openOrders(user: number, symbol: number): queries.OrderView[] {
    return queries.openOrders(this.#state, user, symbol);
  }

  /** The same orders with only side, price and size: a tenth of the cost, for callers that query after every record. */
  orderPlaces(user: number, symbol: number): queries.OrderPlace[] {
    return queries.orderPlaces(this.#state, user, symbol);
  }

  hasOrders(user: number, symbol: number): boolean {
    return queries.hasOrders(this.#state, user, symbol);
  }

  /** All orders of a side, in order of priority. */
  resting(symbol: number, side: Side): queries.OrderView[] {
    const rows = queries.restingRows(this.#state, symbol, sideCode(side));
    return rows.map((row) => queries.viewOrder(this.#state, row));
  }

  /** T3: active orders that are in no book, because the latest record left them unfinished. */
  unfinishedOrders(): queries.OrderView[] {
    return queries.unfinishedOrders(this.#state);
  }

  depth(symbol: number, side: Side, levelsMax: number): queries.PriceLevel[] {
    return queries.depth(this.#state, symbol, sideCode(side), levelsMax);
  }

  /** Includes hidden orders; 0 if the side is empty. */
  bestPrice(symbol: number, side: Side): number {
    return this.#state.instruments.all[symbol].book.bestPrice(sideCode(side));
  }

  /** The sequence of the latest `book-changed`; 0 before the first, and for a symbol that does not exist yet. */
  bookSequence(symbol: number): number {
    return this.#state.instruments.all[symbol]?.book.sequence ?? 0;
  }

  lastPrice(symbol: number): number {
    return this.#state.instruments.all[symbol].book.lastPrice;
  }

  balance(user: number, account: AccountType, currency: number): queries.Balance {
    return queries.balance(this.#state, user, account, currency);
  }

  /** Every account of the user that was ever used, by type and currency. */
  accounts(user: number): queries.Account[] {
    return queries.accounts(this.#state, user);
  }

  systemBalance(account: SystemAccount, currency: number): bigint {
    return queries.balance(this.#state, SYSTEM, account, currency).available;
  }
}

/**
 * O1: whether the request is new; if not, the rejection is the outcome. Each kind of command calls it separately, because
 * V8 reads a field at a known offset only if all objects have the same shape.
 */
function isFirst(state: State, once: Once | undefined): boolean {
  return once === undefined || claimOnce(state, once);
}

function claimOnce(state: State, once: Once): boolean {
  const refused = state.onceIds.claim(once, state.time);
  rejectedOnly(state, refused);
  return refused === null;
}

type HotKind = 'place-order' | 'place-orders' | 'cancel-order' | 'reduce-order' | 'alter-order';

/**
 * Executes commands on the hot path, which write their own outcomes; returns false for any other command. Rare commands
 * are in a separate function, because an object of an unexpected shape makes V8 discard a function's optimised code.
 */
function executeHot(state: State, command: Command): command is Extract<Command, { kind: HotKind }> {
  switch (command.kind) {
    case 'place-order':
      if (isFirst(state, command.once) && !place(state, command.user, command)) deferOrder(state);
      return true;
    case 'cancel-order':
      if (isFirst(state, command.once)) rejectedOnly(state, cancelOrder(state, command));
      return true;
    case 'place-orders':
      if (isFirst(state, command.once)) placeBatch(state, command);
      return true;
    case 'reduce-order':
      if (isFirst(state, command.once)) rejectedOnly(state, reduceOrder(state, command));
      return true;
    case 'alter-order':
      if (isFirst(state, command.once)) rejectedOnly(state, alterOrder(state, command));
      return true;
    default:
      return false;
  }
}

/** For commands that write their own outcome unless they are rejected. */
function rejectedOnly(state: State, rejection: Rejection | null): void {
  if (rejection) state.outcomes.rejected(rejection);
}

function placeBatch(state: State, command: PlaceOrders): void {
  const { user } = command;
  const refused = state.users.unknown(user) ?? state.users.barred(user, NO_TRADING);
  if (refused) state.outcomes.rejected(refused);
  else placeOrders(state, command);
}

/** Commands off the hot path, with plain outcomes. */
function executeOther(state: State, command: Exclude<Command, { kind: HotKind }>): Outcome {
  const { once } = command;
  const refused = once === undefined ? null : state.onceIds.claim(once, state.time);
  if (refused) return orRejected(refused);
  switch (command.kind) {
    case 'cancel-orders':
      return orRejected(cancelOrders(state, command));
    case 'test-order':
      return acceptedUnless(checkOrder(state, state.orders.draft(), command.user, command));
    case 'place-stop-order':
      return orRejected(placeStopOrder(state, command));
    case 'place-oco-order':
      return orRejected(placeOcoOrder(state, command));
    case 'cancel-oco-order':
      return orRejected(cancelOcoOrder(state, command));
    case 'cancel-stop-order':
      return acceptedUnless(cancelStopOrder(state, command));
    case 'set-switch':
      return orRejected(setSwitch(state, command));
    case 'transfer':
      return orRejected(transfer(state, command));
    case 'ask-address':
      return acceptedUnless(askAddress(state, command));
    case 'submit-questionnaire':
      return orRejected(submitQuestionnaire(state, command));
    case 'request-withdrawal':
      return orRejected(requestWithdrawal(state, command));
    case 'cancel-withdrawal':
      return acceptedUnless(cancelWithdrawal(state, command));
    default:
      return administer(state, command);
  }
}
