/**
 * All rejections: one closed list, in order of precedence. If a command breaks several rules, the first in this list is
 * reported; errors in `once`, `by` and `why` come before those of the command itself. A rejection says, as data, what was
 * wrong and what would be valid; the gateway turns it into a message and a wire code.
 *
 * Prices and sizes are in the symbol's units, money in the currency's, rates and decimals as they were sent.
 */

import type { SystemAccount } from '../events/events.ts';
import type { AccountType, FreezeLevel, MarketState, Role } from './commands.ts';

export interface RejectionDetails {
  // Replayed request
  'request-repeated': { id: string };

  // Unknown user or object
  'user-unknown': { user: number };
  /** `level` is absent for a complete freeze. */
  'user-frozen': { user: number; level?: 'trading' | 'withdrawals' };
  'currency-unknown': { currency: number };
  'symbol-unknown': { symbol: number };
  'chain-unknown': { chain: string; known: readonly string[] };
  'key-unknown': { key: string };
  'fee-rule-unknown': { user: number; symbol: number };
  'person-unknown': { person: string };
  'session-unknown': { session: string };
  'operator-unknown': { operator: number };
  'proposal-unknown': { proposal: number };
  'schedule-unknown': { entry: number };
  'address-rule-unknown': { rule: number };

  // Format of the request
  'text-invalid': { field: string; value: string; lengthMax: number; allowed: string };
  'value-invalid': { field: string; value: string; expected: string };
  'field-missing': { field: string; because: string };
  'field-not-allowed': { field: string; because: string };

  // Conflicts with earlier requests
  'code-taken': { taken: string };
  'key-taken': { key: string };
  'client-id-used': { clientId: string; order: number };
  'transfer-conflict': { clientId: string; transfer: number };
  'deposit-conflict': { txId: string; deposit: number };
  'code-in-use': { used: string; by: 'orders' | 'symbols' | 'accounts' | 'addresses' };
  'address-taken': { currency: number; chain: string; address: string };
  'address-in-use': { chain: string; address: string };
  'address-index': { chain: string; next: number };
  'person-taken': { person: string };
  'user-closed': { user: number };
  /** The freeze would reduce the current one. */
  'frozen-already': { user: number; level: FreezeLevel };

  // Relations between users
  'not-a-master': { user: number };
  'not-a-sub-account': { user: number; parent: number };
  'same-account': { account: AccountType };
  'currency-ambiguous': { currencies: readonly number[] };

  // Reference data that would not be exact
  'amounts-inexact': { priceIncrement: string; baseIncrement: string; quoteScale: number };
  'maker-above-taker': { maker: string; taker: string };

  // Current state
  'market-closed': { symbol: number; state: MarketState | 'paused' };
  /** The market accepts orders, but not of this kind. */
  'order-kind': { symbol: number; state: MarketState; kind: 'market' | 'IOC' | 'FOK' | 'stop' | 'oco' };
  'in-auction': { symbol: number };
  'no-auction': { symbol: number };
  'book-crossed': { symbol: number };
  'paused-already': {};
  'not-paused': {};
  'deposit-disabled': { currency: number; chain: string };
  'withdrawal-disabled': { currency: number; chain: string };
  'order-unknown': { order: number; clientId: string };
  /** By the id of its Travel Rule, or its own. */
  'deposit-unknown': { travelRuleId?: number; deposit?: number };
  'questionnaire-unknown': { questionnaire: number };
  'questionnaire-closed': { questionnaire: number; state: string };
  'withdrawal-unknown': { withdrawal: number };
  'withdrawal-closed': { withdrawal: number; state: string };
  'withdrawal-claimed': { withdrawal: number; by: string; at: number };
  'not-claimed': { withdrawal: number };
  /** The payer has signed or broadcast the payment, so it can be neither released nor signed again. */
  'payment-begun': { withdrawal: number; payment: 'signed' | 'broadcast' };
  'correction-unknown': { correction: number };
  'not-returnable': { deposit: number; state: string };
  /** The deposit, withdrawal or questionnaire needs no more work. */
  'not-in-queue': { id: number; state: string };
  /** It is assigned to operator `to`, not the caller; 0 is root. */
  assigned: { id: number; to: number };
  'not-assigned': { id: number };
  /** `correction` is the one that reversed it. */
  reversed: { id: number; correction: number };
  'not-reversible': { id: number; state: string };

  // Identity: proofs, locks and address books
  'person-locked': { person: string; until: number };
  'proof-spent': { of: 'credentials' | 'totp' | 'recovery-code' | 'passkey' | 'token' };
  'step-up-needed': { session: string };
  'withdrawals-locked': { until: number };
  'address-not-listed': { chain: string; address: string };
  'address-blocked': { chain: string; address: string };
  'person-not-empty': { person: string };
  /** `user` is the user to close or one of its sub-accounts. */
  'user-not-empty': { user: number; has: 'money' | 'orders' | 'deposits' };

  // Operators: roles and approvals
  'root-closed': {};
  role: { roles: readonly Role[] };
  'last-admin': { operator: number };
  'own-proposal': { proposal: number };
  'not-proposer': { proposal: number };
  'approved-already': { proposal: number };
  'proposal-closed': { proposal: number; status: string };
  expired: { proposal: number; at: number };

  // The symbol's rules; `below` and `above` are the nearest valid values, 0 where there is none
  'price-increment': { value: number; increment: number; below: number; above: number };
  'price-above-max': { value: number; max: number };
  'size-increment': { value: number; increment: number; below: number; above: number };
  'size-below-min': { value: number; min: number };
  'size-above-max': { value: number; max: number };
  'visible-size': { value: number; min: number; max: number; increment: number };
  'funds-increment': { value: bigint; increment: bigint; below: bigint; above: bigint };
  'funds-below-min': { value: bigint; min: bigint };
  'funds-above-max': { value: bigint; max: bigint };
  'min-funds': { value: bigint; min: bigint };
  'amount-increment': { value: bigint; increment: bigint; below: bigint; above: bigint };
  'amount-below-min': { value: bigint; min: bigint };
  'amount-above-max': { value: bigint; max: bigint };

  // Conflicts with resting orders; the price is that of the other order
  'would-trade': { symbol: number; price: number };
  'own-cross': { order: number; price: number };

  // Limits
  'orders-per-symbol': { max: number };
  'orders-per-user': { max: number };
  'stop-orders-per-symbol': { max: number };
  'movements-per-user': { max: number };
  /** Per day (UTC). */
  'withdrawal-limit': { currency: number; limit: bigint; left: bigint };
  'address-rules-in-all': { max: number };
  'sub-accounts-per-user': { max: number };
  'keys-per-user': { max: number };
  'operators-in-all': { max: number };
  'proposals-in-all': { max: number };
  'schedule-full': { max: number };

  // Money
  'funds-insufficient': {
    user: number;
    account: AccountType;
    currency: number;
    need: bigint;
    available: bigint;
  };
  /** The account has less than the operator's correction would debit; system accounts have user -1. */
  insufficient: {
    user: number;
    account: AccountType | SystemAccount;
    currency: number;
    need: bigint;
    available: bigint;
  };
}

export type RejectionCode = keyof RejectionDetails;

/** A rejection is a value, never an exception: `{ code, ...details of that code }`. */
export type Rejection = {
  [C in RejectionCode]: { readonly code: C } & Readonly<RejectionDetails[C]>;
}[RejectionCode];

/** The closed list in order of precedence; the compiler keeps it complete. */
const ORDER: Record<RejectionCode, true> = {
  'request-repeated': true,
  'user-unknown': true,
  'user-frozen': true,
  'currency-unknown': true,
  'symbol-unknown': true,
  'chain-unknown': true,
  'key-unknown': true,
  'fee-rule-unknown': true,
  'person-unknown': true,
  'session-unknown': true,
  'operator-unknown': true,
  'proposal-unknown': true,
  'schedule-unknown': true,
  'address-rule-unknown': true,
  'text-invalid': true,
  'value-invalid': true,
  'field-missing': true,
  'field-not-allowed': true,
  'code-taken': true,
  'key-taken': true,
  'client-id-used': true,
  reversed: true,
  'not-reversible': true,
  'transfer-conflict': true,
  'deposit-conflict': true,
  'code-in-use': true,
  'address-taken': true,
  'address-in-use': true,
  'address-index': true,
  'person-taken': true,
  'user-closed': true,
  'frozen-already': true,
  'not-a-master': true,
  'not-a-sub-account': true,
  'same-account': true,
  'currency-ambiguous': true,
  'amounts-inexact': true,
  'maker-above-taker': true,
  'market-closed': true,
  'order-kind': true,
  'in-auction': true,
  'no-auction': true,
  'book-crossed': true,
  'paused-already': true,
  'not-paused': true,
  'deposit-disabled': true,
  'withdrawal-disabled': true,
  'order-unknown': true,
  'deposit-unknown': true,
  'questionnaire-unknown': true,
  'questionnaire-closed': true,
  'withdrawal-unknown': true,
  'withdrawal-closed': true,
  'withdrawal-claimed': true,
  'not-claimed': true,
  'payment-begun': true,
  'correction-unknown': true,
  'not-returnable': true,
  'not-in-queue': true,
  assigned: true,
  'not-assigned': true,
  'person-locked': true,
  'proof-spent': true,
  'step-up-needed': true,
  'withdrawals-locked': true,
  'address-not-listed': true,
  'address-blocked': true,
  'person-not-empty': true,
  'user-not-empty': true,
  'root-closed': true,
  role: true,
  'last-admin': true,
  'own-proposal': true,
  'not-proposer': true,
  'approved-already': true,
  'proposal-closed': true,
  expired: true,
  'price-increment': true,
  'price-above-max': true,
  'size-increment': true,
  'size-below-min': true,
  'size-above-max': true,
  'visible-size': true,
  'funds-increment': true,
  'funds-below-min': true,
  'funds-above-max': true,
  'min-funds': true,
  'amount-increment': true,
  'amount-below-min': true,
  'amount-above-max': true,
  'would-trade': true,
  'own-cross': true,
  'orders-per-symbol': true,
  'orders-per-user': true,
  'stop-orders-per-symbol': true,
  'movements-per-user': true,
  'withdrawal-limit': true,
  'address-rules-in-all': true,
  'sub-accounts-per-user': true,
  'keys-per-user': true,
  'operators-in-all': true,
  'proposals-in-all': true,
  'schedule-full': true,
  'funds-insufficient': true,
  insufficient: true,
};

export const REJECTION_CODES = Object.keys(ORDER) as readonly RejectionCode[];

export function reject<C extends RejectionCode>(code: C, details: RejectionDetails[C]): Rejection {
  return { code, ...details } as unknown as Rejection;
}

/** Of two rejections, the one with precedence. */
export function firstOf(a: Rejection | null, b: Rejection | null): Rejection | null {
  if (!a || !b) return a ?? b;
  return REJECTION_CODES.indexOf(a.code) <= REJECTION_CODES.indexOf(b.code) ? a : b;
}
