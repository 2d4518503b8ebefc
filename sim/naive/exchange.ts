/**
 * The naive exchange: a second implementation of the rules, with plain lists and loops, to compare the core with. It
 * follows `docs/concepts/rules.md` in the most direct way, and shares nothing with the core but the types: commands,
 * events, outcomes and rejections. People and operators are out of scope: their rules are about who may do something,
 * not about money or matching, and packages/core/test/people and operators test them.
 */

import type {
  AccountType,
  Command,
  LogRecord,
  SetMarketState,
} from '../../packages/core/src/commands/commands.ts';
import type { Event, SystemAccount } from '../../packages/core/src/events/events.ts';
import type { FinishedCommand, Outcome } from '../../packages/core/src/commands/outcomes.ts';
import {
  addAddress,
  askAddress,
  decideQuestionnaire,
  loadAddresses,
  reportDeposit,
  submitQuestionnaire,
} from './deposits.ts';
import { beginAuction, cancelAuction, uncross } from './auctions.ts';
import { moveMoney, returnDeposit, reverseMovement } from './corrections.ts';
import { addCurrency, changeCurrency, removeCurrency } from './currencies.ts';
import { checkEnvelope, forgetOnceIds } from './envelope.ts';
import { removeFees, setFees, setLimits } from './fees.ts';
import { importCandles, setNote } from './kept.ts';
import { balanceOf, SYSTEM } from './ledger.ts';
import type { Instrument, Order, StopOrder } from './instrument.ts';
import { forgetMovements, transfer } from './transfers.ts';
import {
  publishNotice,
  removeNotice,
  scheduleCall,
  takeEffect,
  takePlace,
  unscheduleCall,
} from './schedule.ts';
import {
  cancelForOthers,
  cancelOcoOrder,
  cancelStopOrder,
  carryOn,
  delist,
  placeOcoOrder,
  placeStopOrder,
  triggerStops,
} from './stops.ts';
import { cancelResting, forgetClientIds } from './order.ts';
import {
  alterOrder,
  cancelOrder,
  cancelOrders,
  fireSwitch,
  ordersOfSwitch,
  placeOrder,
  placeOrders,
  reduceOrder,
  setSwitch,
  testOrder,
} from './orders.ts';
import { refused } from './refusal.ts';
import { newState, type Balance, type State } from './state.ts';
import { addSymbol, changeSymbol, removeSymbol, setMarketState, setPaused } from './symbols.ts';
import { begin, hasToWait, isBusy, isUserBusy, resumeUnfinished } from './unfinished.ts';
import {
  addKey,
  addUser,
  addUserNote,
  changeKey,
  changeUser,
  closeUser,
  freezeUser,
  removeKey,
  unfreezeUser,
} from './users.ts';
import {
  addAddressRule,
  advanceWithdrawal,
  cancelWithdrawal,
  claimWithdrawal,
  removeAddressRule,
  reportWallet,
  requestWithdrawal,
  settleWithdrawal,
  setWithdrawalLimits,
  unclaimWithdrawal,
} from './withdrawals.ts';

export class NaiveExchange {
  readonly #state: State = newState();

  apply(record: LogRecord): { outcomes: Outcome[]; events: Event[]; finished: FinishedCommand[] } {
    const state = this.#state;
    const { commands } = record;
    state.time = record.time;
    state.stepsLeft = state.limits.stepsPerRecordMax;
    state.meetingsLeft = Math.ceil(state.limits.stepsPerRecordMax / 4);
    state.events = [];
    state.finished = [];
    state.stirred.clear();
    resumeUnfinished(state, commands.length > 0, () => triggerStops(state));
    state.meetingsLeft = Math.max(state.meetingsLeft, commands.length);
    forgetOnceIds(state);
    forgetClientIds(state, commands.length);
    forgetMovements(state, commands.length);
    letTimePass(state);
    carryOn(state);
    const outcomes: Outcome[] = [];
    let doesWait = false;
    for (const command of commands) {
      doesWait ||= hasToWait(state, command);
      if (doesWait) {
        outcomes.push({ kind: 'waits' });
        continue;
      }
      const wrong = checkEnvelope(state, command);
      outcomes.push(wrong === null ? execute(state, command) : refused(wrong));
      triggerStops(state);
    }
    return { outcomes, events: state.events, finished: state.finished };
  }

  balance(user: number, account: AccountType, currency: number): Balance {
    return { ...balanceOf(this.#state, user, account, currency) };
  }

  /** The balance of a system account; `outside` is minus the sum of all others. */
  system(account: SystemAccount, currency: number): bigint {
    return balanceOf(this.#state, SYSTEM, account, currency).available;
  }

  /** The sum over all accounts of a currency, which is always 0. */
  sum(currency: number): bigint {
    let sum = 0n;
    for (const [key, { available, hold }] of this.#state.balances) {
      if (key.endsWith(`/${currency}`)) sum += available + hold;
    }
    return sum;
  }

  /** Orders in the books, ascending by id. */
  openOrders(): readonly Readonly<Order>[] {
    const orders = this.#state.users.flatMap((user) => user.orders);
    return orders.toSorted((one, other) => one.id - other.id);
  }

  /** Pending stop orders, ascending by id. */
  stopOrders(): readonly StopOrder[] {
    const stops = this.#state.instruments.flatMap((instrument) => instrument.stops);
    return stops.toSorted((one, other) => one.id - other.id);
  }

  /** The instrument of a symbol with both sides of its book, read-only. */
  instrument(symbol: number): Readonly<Instrument> | null {
    return this.#state.instruments[symbol] ?? null;
  }
}

type Due = {
  readonly at: number;
  readonly rank: number;
  readonly number: number;
  /** Whether it would overtake an unfinished order. */
  readonly hasToWait: () => boolean;
  /** The number of steps it takes. */
  readonly happen: () => number;
};

/**
 * Executes due events, earliest first. An expiry is one step, a switch one plus one for each order that it cancels,
 * everything else one; when no steps are left, the rest waits for the next record. An event that waits for an
 * unfinished order is one step too. The list is rebuilt each time, because one event may make another due.
 */
function letTimePass(state: State): void {
  const waiting = new Set<string>();
  while (state.stepsLeft > 0) {
    const [first] = listDue(state)
      .filter(({ rank, number }) => !waiting.has(`${rank} ${number}`))
      .toSorted((one, other) => one.at - other.at || one.rank - other.rank || one.number - other.number);
    if (first === undefined) return;
    if (first.hasToWait()) {
      state.stepsLeft -= 1;
      waiting.add(`${first.rank} ${first.number}`);
      continue;
    }
    state.stepsLeft -= first.happen();
    triggerStops(state);
  }
}

function listDue(state: State): Due[] {
  const due: Due[] = [];
  for (const order of state.expiring) {
    if (order.expiresAt > state.time) continue;
    due.push({
      at: order.expiresAt,
      rank: 0,
      number: order.id,
      hasToWait: () => doesCancelWait(state, order),
      happen: () => {
        cancelResting(state, order, 'expired');
        return 1;
      },
    });
  }
  for (const user of state.users) {
    if (user.switch === null || user.switch.triggerAt > state.time) continue;
    const { triggerAt: at } = user.switch;
    due.push({
      at,
      rank: 1,
      number: user.number,
      hasToWait: () =>
        isUserBusy(state, user.number) ||
        ordersOfSwitch(state, user.number).some((order) => doesCancelWait(state, order)),
      happen: () => 1 + fireSwitch(state, user.number),
    });
  }
  for (const [notice, change] of state.notices) {
    if (change === null || change.at > state.time) continue;
    due.push({
      at: change.at,
      rank: 2,
      number: notice,
      hasToWait: () => isBusy(state, change.symbol),
      happen: () => {
        takeEffect(state, notice, change);
        return 1;
      },
    });
  }
  for (const instrument of state.instruments) {
    const { auction, symbol } = instrument;
    if (state.paused || auction === null || auction.isUncrossing || auction.endsAt > state.time) continue;
    due.push({
      at: auction.endsAt,
      rank: 3,
      number: symbol,
      hasToWait: () => isBusy(state, symbol),
      happen: () => {
        uncross(state, instrument);
        return 1;
      },
    });
  }
  for (const [entry, { at, command }] of state.schedule) {
    if (at > state.time) continue;
    due.push({
      at,
      rank: 4,
      number: entry,
      hasToWait: () => hasToWait(state, command),
      happen: () => {
        takePlace(state, entry, () => execute(state, command));
        return 1;
      },
    });
  }
  return due;
}

function doesCancelWait(state: State, { user, terms }: Order): boolean {
  return isUserBusy(state, user) || isBusy(state, terms.symbol);
}

function withDelisting(state: State, outcome: Outcome, command: SetMarketState): Outcome {
  if (outcome.kind === 'accepted' && command.state === 'delisted') delist(state, command.symbol);
  return outcome;
}

function execute(state: State, command: Command): Outcome {
  switch (command.kind) {
    case 'add-currency':
      return addCurrency(state, command);
    case 'change-currency':
      return changeCurrency(state, command);
    case 'remove-currency':
      return removeCurrency(state, command);
    case 'add-symbol':
      return addSymbol(state, command);
    case 'change-symbol':
      return changeSymbol(state, command);
    case 'remove-symbol':
      return removeSymbol(state, command);
    case 'set-market-state':
      return withDelisting(state, setMarketState(state, command), command);
    case 'begin-auction':
      return beginAuction(state, command);
    case 'cancel-auction':
      return cancelAuction(state, command);
    case 'pause-exchange':
      return setPaused(state, true);
    case 'resume-exchange':
      return setPaused(state, false);
    case 'schedule-call':
      return scheduleCall(state, command);
    case 'unschedule-call':
      return unscheduleCall(state, command);
    case 'set-fees':
      return setFees(state, command);
    case 'remove-fees':
      return removeFees(state, command);
    case 'set-limits':
      return setLimits(state, command);
    case 'add-user':
      return addUser(state, command);
    case 'change-user':
      return changeUser(state, command);
    case 'freeze-user':
      return freezeUser(state, command);
    case 'unfreeze-user':
      return unfreezeUser(state, command);
    case 'close-user':
      return closeUser(state, command);
    case 'add-user-note':
      return addUserNote(state, command);
    case 'cancel-for-others':
      return cancelForOthers(state, command);
    case 'add-key':
      return addKey(state, command);
    case 'change-key':
      return changeKey(state, command);
    case 'remove-key':
      return removeKey(state, command);
    case 'load-addresses':
      return loadAddresses(state, command);
    case 'ask-address':
      return askAddress(state, command);
    case 'add-address':
      return addAddress(state, command);
    case 'report-deposit':
      return reportDeposit(state, command);
    case 'submit-questionnaire':
      return submitQuestionnaire(state, command);
    case 'decide-questionnaire':
      return decideQuestionnaire(state, command);
    case 'transfer':
      return transfer(state, command);
    case 'request-withdrawal':
      return requestWithdrawal(state, command);
    case 'cancel-withdrawal':
      return cancelWithdrawal(state, command);
    case 'claim-withdrawal':
      return claimWithdrawal(state, command);
    case 'unclaim-withdrawal':
      return unclaimWithdrawal(state, command);
    case 'advance-withdrawal':
      return advanceWithdrawal(state, command);
    case 'settle-withdrawal':
      return settleWithdrawal(state, command);
    case 'return-deposit':
      return returnDeposit(state, command);
    case 'reverse-movement':
      return reverseMovement(state, command);
    case 'move-money':
      return moveMoney(state, command);
    case 'set-withdrawal-limits':
      return setWithdrawalLimits(state, command);
    case 'add-address-rule':
      return addAddressRule(state, command);
    case 'remove-address-rule':
      return removeAddressRule(state, command);
    case 'report-wallet':
      return reportWallet(state, command);
    case 'place-order':
      return begin(state, command.user, placeOrder(state, command.user, command));
    case 'place-orders':
      return begin(state, command.user, placeOrders(state, command));
    case 'test-order':
      return testOrder(state, command.user, command);
    case 'place-stop-order':
      return placeStopOrder(state, command);
    case 'cancel-order':
      return cancelOrder(state, command);
    case 'place-oco-order':
      return placeOcoOrder(state, command);
    case 'cancel-oco-order':
      return cancelOcoOrder(state, command);
    case 'cancel-stop-order':
      return cancelStopOrder(state, command);
    case 'cancel-orders':
      return cancelOrders(state, command);
    case 'reduce-order':
      return reduceOrder(state, command);
    case 'alter-order':
      return begin(state, command.user, alterOrder(state, command));
    case 'set-switch':
      return setSwitch(state, command);
    case 'import-candles':
      return importCandles(state, command);
    case 'set-note':
      return setNote(state, command);
    case 'publish-notice':
      return publishNotice(state, command);
    case 'remove-notice':
      return removeNotice(state, command);
    default:
      throw new Error(`unknown command ${JSON.stringify(command)}`);
  }
}
