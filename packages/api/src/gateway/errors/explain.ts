/**
 * Rejections of the core in the user's terms: what was sent, what would be valid, the nearest valid value, which
 * account lacks how much. Numbers are decimals as users write them; fields have the names of the API.
 */

import {
  type Currency,
  formatUnits,
  parseDecimal,
  type Rejection,
  type RejectionDetails,
  type Role,
  type SymbolSet,
  toUnits,
  UNITS_END,
} from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall, nearestMultiples } from '../decimals.ts';
import { actorId, markedId, operatorId, userId } from '../ids.ts';
import { type ErrorName, REJECTION_ERRORS } from './errors.ts';
import { Refusal } from './refusal.ts';

/** The currency and symbol of the command, by which the units of a rejection become decimals. */
export interface About {
  readonly symbol?: SymbolSet;
  readonly currency?: Currency;
  readonly purpose?: 'place' | 'cancel' | 'transfer';
}

export function explain(rejection: Rejection, catalogue: Catalogue, about: About = {}): Refusal {
  const detail = describe(rejection, catalogue, about);
  return new Refusal(rowOf(rejection, about), detail, valuesOf(rejection, catalogue, about));
}

function rowOf(rejection: Rejection, { purpose }: About): ErrorName {
  switch (rejection.code) {
    case 'market-closed':
      if (purpose === 'cancel') return 'cancel-suspended';
      return rejection.state === 'cancel-only' ? 'placing-suspended' : 'symbol-disabled';
    case 'funds-insufficient':
      return purpose === 'transfer' ? 'transfer-insufficient' : 'funds-insufficient';
    default:
      return REJECTION_ERRORS[rejection.code];
  }
}

function valuesOf(rejection: Rejection, catalogue: Catalogue, { symbol }: About): Record<string, string> {
  if (rejection.code === 'market-closed') return { symbol: catalogue.symbolAt(rejection.symbol).code };
  if (rejection.code === 'min-funds' && symbol) {
    return { minFunds: symbol.minFunds, quote: catalogue.currencyAt(symbol.quote).code };
  }
  return {};
}

/** Field names of the core whose API name differs. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['clientId', 'clientOid'],
  ['cancelAfterSec', 'cancelAfter'],
  ['order', 'orderId'],
  ['fromUser', 'fromUserId'],
  ['toUser', 'toUserId'],
  ['from', 'fromAccountType'],
  ['to', 'toAccountType'],
  ['timeoutSec', 'timeout'],
  ['note', 'remark'],
  ['why', 'reason'],
]);

const REASONS: ReadonlyMap<string, string> = new Map([
  ['limit-order', 'in a limit order'],
  ['market-order', 'in a market order'],
  ['gtt', 'with timeInForce GTT'],
  ['not-gtt', 'without timeInForce GTT'],
  ['iceberg', 'in an iceberg order'],
  ['not-iceberg', 'without iceberg'],
  ['size-and-funds', 'beside size: a market order has one of size and funds'],
  ['one-name', 'or clientOid, one of the two'],
  ['parent-to-sub', 'when type is PARENT_TO_SUB'],
  ['sub-to-parent', 'when type is SUB_TO_PARENT'],
  ['sent', 'of a withdrawal that was sent'],
  ['not-sent', 'of a withdrawal that was not sent'],
  ['user-or-symbol', 'or symbol'],
  ['one-order', 'beside order'],
  ['user-or-tier', 'or a user'],
  ['one-movement', 'or withdrawalId or correctionId, exactly one of the three'],
]);

/** Why a code cannot be removed. */
const IN_USE: Readonly<Record<RejectionDetails['code-in-use']['by'], string>> = {
  orders: 'has or had orders',
  symbols: 'is the base or quote currency of a symbol',
  accounts: 'is or was in accounts',
  addresses: 'has deposit addresses',
};

/** Why a user cannot be closed. */
const STILL: Readonly<Record<RejectionDetails['user-not-empty']['has'], string>> = {
  money: 'money. Have it withdrawn, or move it, first',
  orders: 'orders. Cancel them first',
  deposits: 'pending deposits. Decide or return them first',
};

/** Orders that a market takes only while it is open. */
const KINDS: Readonly<Record<RejectionDetails['order-kind']['kind'], string>> = {
  market: 'market orders',
  IOC: 'orders with timeInForce IOC',
  FOK: 'orders with timeInForce FOK',
  stop: 'stop orders',
  oco: 'OCO orders',
};

export const ROOT_CLOSED =
  'Root is closed: the start-up token may only add an operator (POST /v1/operators), at the machine itself.';
export const lacksRole = (roles: readonly Role[]): string =>
  `None of your roles has this call. It needs one of: ${roles.join(', ')}.`;

const instant = (time: number): string => new Date(time).toISOString();
const wire = (field: string): string => FIELDS.get(field) ?? field;
const reason = (because: string): string => REASONS.get(because) ?? `(${because})`;

/** The names of the increments in the symbols list, by order field. */
const INCREMENTS: ReadonlyMap<string, string> = new Map([
  ['price', 'priceIncrement '],
  ['size', 'baseIncrement '],
  ['funds', 'quoteIncrement '],
]);

/** `below` is '' if only `above` is valid. */
function offGrid(field: string, value: string, increment: string, below: string, above: string): string {
  const step = `${INCREMENTS.get(field) ?? ''}${increment}`;
  const nearest = below === '' ? `the smallest is ${above}` : `the nearest are ${below} and ${above}`;
  return `${field} ${shortened(value)} is not a positive multiple of ${step}; ${nearest}.`;
}

const tooLarge = (field: string, value: string, max: string): string =>
  `${field} ${shortened(value)} is above the largest, ${max}.`;
const tooSmall = (field: string, value: string, min: string): string =>
  `${field} ${shortened(value)} is below the smallest, ${min}.`;

const badVisibleSize = (value: string, min: string, max: string, increment: string): string =>
  `visibleSize ${shortened(value)} must be a multiple of ${increment} from ${min}, a twentieth of the size, to ${max}.`;

/** The error message. */
function describe(rejection: Rejection, catalogue: Catalogue, about: About): string {
  const price = (units: number) => formatSmall(units, about.symbol?.priceDecimals ?? 0);
  const size = (units: number) => formatSmall(units, about.symbol?.sizeDecimals ?? 0);
  const currency = about.currency ?? (about.symbol && catalogue.currencyAt(about.symbol.quote));
  const money = (units: bigint) => formatMoney(units, currency?.scale ?? 0);
  const coded = (number: number) => catalogue.currencyAt(number).code;

  switch (rejection.code) {
    case 'price-increment': {
      const { value, increment, below, above } = rejection;
      return offGrid('price', price(value), price(increment), below ? price(below) : '', price(above));
    }
    case 'price-above-max':
      return tooLarge('price', price(rejection.value), price(rejection.max));
    case 'size-increment': {
      const { value, increment, below, above } = rejection;
      return offGrid('size', size(value), size(increment), below ? size(below) : '', size(above));
    }
    case 'size-below-min':
      return tooSmall('size', size(rejection.value), size(rejection.min));
    case 'size-above-max':
      return tooLarge('size', size(rejection.value), size(rejection.max));
    case 'visible-size': {
      const { value, min, max, increment } = rejection;
      return badVisibleSize(size(value), size(min), size(max), size(increment));
    }
    case 'funds-increment':
    case 'amount-increment': {
      const { value, increment, below, above } = rejection;
      const field = rejection.code === 'funds-increment' ? 'funds' : 'amount';
      return offGrid(field, money(value), money(increment), below ? money(below) : '', money(above));
    }
    case 'funds-below-min':
      return tooSmall('funds', money(rejection.value), money(rejection.min));
    case 'funds-above-max':
      return tooLarge('funds', money(rejection.value), money(rejection.max));
    case 'amount-below-min':
      return tooSmall('amount', money(rejection.value), money(rejection.min));
    case 'amount-above-max':
      return tooLarge('amount', money(rejection.value), money(rejection.max));
    case 'min-funds': {
      const unit = currency?.code ?? '';
      return `The order is worth ${money(rejection.value)} ${unit}; it must be at least ${money(rejection.min)} ${unit}.`;
    }
    case 'funds-insufficient': {
      const { account, need, available } = rejection;
      const { code, scale } = catalogue.currencyAt(rejection.currency);
      const amount = (units: bigint) => `${formatMoney(units, scale)} ${code}`;
      return (
        `The ${account.toUpperCase()} account has ${amount(available)} available; ` +
        `${amount(need)} are needed, ${amount(need - available)} more.` +
        (about.symbol ? ' Transfer money from MAIN to TRADE first.' : '')
      );
    }
    case 'orders-per-symbol':
      return `${about.symbol?.code ?? 'The symbol'} has ${rejection.max} active orders of yours, the maximum. Cancel one first.`;
    case 'orders-per-user':
      return `You have ${rejection.max} active orders, the maximum. Cancel one first.`;
    case 'stop-orders-per-symbol':
      return `${about.symbol?.code ?? 'The symbol'} has ${rejection.max} stop orders of yours, the maximum. Cancel one first.`;
    case 'movements-per-user':
      return `You and your sub-accounts have ${rejection.max} unpaid withdrawals, the maximum. Wait, or cancel one first.`;
    case 'sub-accounts-per-user':
      return `You have ${rejection.max} sub-accounts, the maximum.`;
    case 'keys-per-user':
      return `The sub-account has ${rejection.max} keys, the maximum. Remove one first.`;
    case 'market-closed':
      return rejection.state === 'paused'
        ? 'The exchange is paused.'
        : `${catalogue.symbolAt(rejection.symbol).code} is ${rejection.state}.`;
    case 'order-kind': {
      const { code } = catalogue.symbolAt(rejection.symbol);
      return rejection.state === 'auction'
        ? `${code} is in an auction, which takes no ${KINDS[rejection.kind]}. Send a limit order with timeInForce GTC or GTT.`
        : `${code} is post-only and takes no ${KINDS[rejection.kind]}. Send a limit order with timeInForce GTC or GTT that rests.`;
    }
    case 'in-auction':
      return `${catalogue.symbolAt(rejection.symbol).code} is in an auction. Wait until it ends, or cancel it.`;
    case 'no-auction':
      return `${catalogue.symbolAt(rejection.symbol).code} is not in an auction.`;
    case 'book-crossed':
      return `Orders of ${catalogue.symbolAt(rejection.symbol).code} cross. Hold an auction, or let users cancel in the state cancel-only.`;
    case 'paused-already':
      return 'The exchange is paused already.';
    case 'not-paused':
      return 'The exchange is not paused.';
    case 'would-trade':
      return `${catalogue.symbolAt(rejection.symbol).code} is post-only, and the order would trade at ${price(rejection.price)}. Send a price that rests.`;
    case 'own-cross':
      return `In an auction your orders must not cross: you have one on the other side at ${price(rejection.price)}.`;
    case 'client-id-used':
      return `clientOid ${rejection.clientId} was used by an earlier order; use a new one.`;
    case 'order-unknown':
      return `You have no active order with this ${rejection.clientId ? 'clientOid' : 'id'} in ${about.symbol?.code ?? 'this symbol'}.`;
    case 'text-invalid': {
      const { field, value, lengthMax, allowed } = rejection;
      return `${wire(field)} ${shortened(JSON.stringify(value))} must be at most ${lengthMax} characters: ${allowed}.`;
    }
    case 'value-invalid':
      return `${wire(rejection.field)} ${shortened(rejection.value)} must be ${rejection.expected}.`;
    case 'field-missing':
      return `${wire(rejection.field)} is required ${reason(rejection.because)}.`;
    case 'field-not-allowed':
      return `${wire(rejection.field)} is not allowed ${reason(rejection.because)}.`;
    case 'request-repeated':
      return 'To repeat it, sign a new request with the current time.';
    case 'user-frozen':
      return rejection.level === undefined
        ? 'A frozen user may only read and cancel. Contact the operator.'
        : `The user is frozen for ${rejection.level}. Contact the operator.`;
    case 'user-closed':
      return `User ${userId(rejection.user)} was permanently closed.`;
    case 'frozen-already':
      return `User ${userId(rejection.user)} is already frozen (${rejection.level}). A new freeze can only extend that one. To reduce it, unfreeze the user first.`;
    case 'user-not-empty':
      return `User ${userId(rejection.user)} still has ${STILL[rejection.has]}.`;
    case 'user-unknown':
      return 'Unknown user id.';
    case 'key-unknown':
      return `Unknown key ${shortened(rejection.key)}.`;
    case 'fee-rule-unknown': {
      const of = rejection.user < 0 ? 'everybody' : `user ${userId(rejection.user)}`;
      const at = rejection.symbol < 0 ? 'every symbol' : catalogue.symbolAt(rejection.symbol).code;
      return `No fee rule is set for ${of} in ${at}.`;
    }
    case 'symbol-unknown':
    case 'currency-unknown':
      return '';
    case 'chain-unknown':
      return `Unknown chain ${shortened(JSON.stringify(rejection.chain))}. Expected one of: ${rejection.known.join(', ') || 'none'}.`;
    case 'code-taken':
      return `${rejection.taken} already exists.`;
    case 'code-in-use':
      return `${rejection.used} ${IN_USE[rejection.by]}, so it cannot be removed.`;
    case 'key-taken':
      return `The key ${rejection.key} already exists.`;
    case 'address-taken':
      return `The address for ${coded(rejection.currency)} on ${rejection.chain} is ${rejection.address}.`;
    case 'address-in-use':
      return `${rejection.address} on ${rejection.chain} is already assigned or loaded.`;
    case 'address-index':
      return `The next index of ${rejection.chain} is ${rejection.next}.`;
    case 'transfer-conflict':
      return `clientOid ${rejection.clientId} was used by a different transfer; use a new one.`;
    case 'deposit-conflict':
      return `txId ${rejection.txId} was already reported with different values.`;
    case 'not-a-master':
      return `User ${userId(rejection.user)} is a sub-account; use its master account.`;
    case 'not-a-sub-account':
      return `User ${userId(rejection.user)} is not a sub-account of ${userId(rejection.parent)}.`;
    case 'same-account':
      return `Source and target are both the ${rejection.account.toUpperCase()} account.`;
    case 'currency-ambiguous':
      return rejection.currencies.length === 0
        ? 'The source account has no money in any currency.'
        : `currency is required: the source account has ${rejection.currencies.map(coded).join(', ')}.`;
    case 'amounts-inexact': {
      const { priceIncrement, baseIncrement, quoteScale } = rejection;
      return `priceIncrement ${priceIncrement} times baseIncrement ${baseIncrement} has more decimals than the ledger keeps: ${quoteScale} of the quote currency (its scale). Take larger increments, or a quote currency with a larger scale.`;
    }
    case 'maker-above-taker':
      return `maker ${rejection.maker} is above taker ${rejection.taker}.`;
    case 'deposit-disabled':
      return `${coded(rejection.currency)} on ${rejection.chain} does not accept deposits now.`;
    case 'withdrawal-disabled':
      return `${coded(rejection.currency)} on ${rejection.chain} does not process withdrawals now.`;
    case 'deposit-unknown':
      return rejection.deposit === undefined
        ? 'No deposit of yours has this travelRuleOId.'
        : `Unknown deposit '${markedId('deposit', rejection.deposit)}'.`;
    case 'correction-unknown':
      return `Unknown correction '${markedId('correction', rejection.correction)}'.`;
    case 'not-returnable':
      return `The deposit is ${rejection.state}. Only a refused deposit, or one that waits for its questionnaire, can be returned.`;
    case 'reversed':
      return `Correction ${markedId('correction', rejection.correction)} already reversed it. To undo that, reverse the correction.`;
    case 'not-reversible':
      return `It is ${rejection.state}, so no money has moved that a reversal could return.`;
    case 'insufficient': {
      const { code, scale } = catalogue.currencyAt(rejection.currency);
      const shown = (units: bigint) => `${formatMoney(units, scale)} ${code}`;
      const whose = rejection.user < 0 ? '' : ` of user ${userId(rejection.user)}`;
      return `${rejection.account.toUpperCase()}${whose} has ${shown(rejection.available)} left; ${shown(rejection.need)} are needed.`;
    }
    case 'questionnaire-closed':
      return rejection.state === 'pending'
        ? 'A questionnaire is already pending; it must be decided first.'
        : `It was decided: ${rejection.state}.`;
    case 'withdrawal-closed':
      return `This withdrawal is ${rejection.state}, which is final.`;
    case 'withdrawal-claimed': {
      // Users learn that it is being paid, but not by whom.
      if (about.purpose === 'cancel') return 'It can no longer be cancelled.';
      const { by, at } = rejection;
      return `${by || 'Somebody'} has claimed it since ${instant(at)}; unclaim it first.`;
    }
    case 'not-claimed':
      return 'The withdrawal is not claimed. Claim it before you pay it.';
    case 'payment-begun':
      return `The payment is already ${rejection.payment} and may arrive. Report it as sent or failed.`;
    case 'not-in-queue':
      return `It is ${rejection.state} and no longer in the queue.`;
    case 'assigned':
      return `It is assigned to ${actorId(rejection.to)}. Release it first.`;
    case 'not-assigned':
      return 'It is not assigned to anybody.';
    case 'questionnaire-unknown':
      return `Unknown questionnaire '${markedId('questionnaire', rejection.questionnaire)}'.`;
    case 'withdrawal-unknown':
      return '';
    case 'person-unknown':
      return `Unknown person '${shortened(rejection.person)}'.`;
    case 'session-unknown':
      return 'The session has ended.';
    case 'person-taken':
      return 'This e-mail address is already in use.';
    case 'person-locked':
      return `The account is locked until ${instant(rejection.until)}. Credentials, keys and addresses cannot be changed before then.`;
    case 'proof-spent':
      return 'The proof was already used, has expired, or the credentials have changed since.';
    case 'step-up-needed':
      return 'A second factor is required (POST /identity/v1/step-up). It is valid for 5 minutes.';
    case 'withdrawals-locked':
      return `Withdrawals are locked after a change of credentials, until ${instant(rejection.until)}.`;
    case 'address-not-listed':
      return `${shortened(rejection.address)} is not a usable address of your address book; withdrawals are restricted to those.`;
    case 'address-blocked':
      return `Withdrawals to ${shortened(rejection.address)} are blocked. Contact the operator.`;
    case 'withdrawal-limit': {
      const { code, scale } = catalogue.currencyAt(rejection.currency);
      const shown = (units: bigint) => `${formatMoney(units, scale)} ${code}`;
      return `The limit is ${shown(rejection.limit)} per day (UTC); ${shown(rejection.left)} are left today.`;
    }
    case 'address-rule-unknown':
      return `Unknown address rule ${rejection.rule}.`;
    case 'address-rules-in-all':
      return `There are already ${rejection.max} address rules, the maximum. Remove one first.`;
    case 'person-not-empty':
      return 'The account is not empty. Withdraw all money and cancel all orders first.';
    case 'operator-unknown':
      return `Unknown operator '${operatorId(rejection.operator)}'.`;
    case 'root-closed':
      return ROOT_CLOSED;
    case 'role':
      return lacksRole(rejection.roles);
    case 'last-admin':
      return 'This is the last admin. Add another one first.';
    case 'proposal-unknown':
      return `Unknown proposal '${markedId('proposal', rejection.proposal)}'.`;
    case 'schedule-unknown':
      return `Unknown or past scheduled change '${markedId('schedule', rejection.entry)}'.`;
    case 'schedule-full':
      return `${rejection.max} changes are scheduled, the maximum. Remove one first.`;
    case 'own-proposal':
      return 'You cannot decide your own proposal. You can withdraw it.';
    case 'not-proposer':
      return 'Only its proposer can withdraw it. You can refuse it.';
    case 'approved-already':
      return 'You have already approved this proposal.';
    case 'proposal-closed':
      return `This proposal is ${rejection.status}, which is final.`;
    case 'expired':
      return `This proposal expired at ${instant(rejection.at)}. Make the call again.`;
    case 'proposals-in-all':
      return `${rejection.max} proposals are open, the maximum. Decide or withdraw some first.`;
    case 'operators-in-all':
      return `There are ${rejection.max} operators, the maximum.`;
  }
}

// Decimals that do not fit into the symbol's integer units: too many places, or too large. Such an order is never
// valid, because increments and bounds do fit. The core cannot check such values, so the violated rule is determined
// here, in the core's order of checks, with exact values.

/** The decimals as sent; they are well-formed. */
export interface OrderDecimals {
  readonly price: string | undefined;
  readonly size: string | undefined;
  readonly visibleSize: string | undefined;
  readonly funds: string | undefined;
}

/** The visible size of an iceberg is at least a twentieth of its size. */
const VISIBLE_SHARE = 20n;

export function refuseInexpressible(
  { price, size, visibleSize, funds }: OrderDecimals,
  symbol: SymbolSet,
): Refusal {
  const { priceIncrement, baseIncrement, quoteIncrement } = symbol;
  return (
    check('price', price, priceIncrement, largestPrice(symbol), 'price-increment', 'price-above-max') ??
    check('size', size, baseIncrement, symbol.baseMaxSize, 'size-increment', 'size-above-max') ??
    checkVisible(visibleSize, size, baseIncrement) ??
    check('funds', funds, quoteIncrement, symbol.quoteMaxSize, 'funds-increment', 'funds-above-max') ??
    new Refusal('parameter-invalid')
  );
}

/** Null if the value is a multiple of the increment and at most the largest. */
function check(
  field: string,
  value: string | undefined,
  increment: string,
  max: string,
  offGridError: 'price-increment' | 'size-increment' | 'funds-increment',
  tooLargeError: 'price-above-max' | 'size-above-max' | 'funds-above-max',
): Refusal | null {
  if (value === undefined) return null;
  const nearest = nearestMultiples(value, increment);
  if (nearest) {
    return new Refusal(offGridError, offGrid(field, value, increment, nearest.below, nearest.above));
  }
  return isAbove(value, max) ? new Refusal(tooLargeError, tooLarge(field, value, max)) : null;
}

function checkVisible(
  value: string | undefined,
  size: string | undefined,
  increment: string,
): Refusal | null {
  if (value === undefined || size === undefined) return null;
  if (!nearestMultiples(value, increment) && !isAbove(value, size)) return null;
  return new Refusal('visible-size', badVisibleSize(value, leastVisible(size, increment), size, increment));
}

/** The largest multiple of the increment that the core counts. */
function largestPrice({ priceIncrement, priceDecimals }: SymbolSet): string {
  const step = unitsAt(priceIncrement, priceDecimals);
  const end = BigInt(UNITS_END) - 1n;
  return formatUnits(end - (end % step), priceDecimals);
}

/** A twentieth of the size, rounded up to the increment. */
function leastVisible(size: string, increment: string): string {
  const places = placesOf(size, increment);
  const step = unitsAt(increment, places);
  const share = step * VISIBLE_SHARE;
  return formatUnits(((unitsAt(size, places) + share - 1n) / share) * step, places);
}

function isAbove(a: string, b: string): boolean {
  const places = placesOf(a, b);
  return unitsAt(a, places) > unitsAt(b, places);
}

const placesOf = (a: string, b: string): number =>
  Math.max(parseDecimal(a)?.decimals ?? 0, parseDecimal(b)?.decimals ?? 0);

function unitsAt(text: string, places: number): bigint {
  const decimal = parseDecimal(text);
  return (decimal && toUnits(decimal, places)) ?? 0n;
}
