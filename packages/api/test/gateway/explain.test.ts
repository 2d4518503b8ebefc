import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange, REJECTION_CODES, type Rejection, type RejectionDetails } from '@bourse/core';
import { ERRORS } from '../../src/gateway/errors/errors.ts';
import { type About, explain } from '../../src/gateway/errors/explain.ts';
import { markedId, userId } from '../../src/gateway/ids.ts';
import { seedCommands } from '../../../sandbox/src/seed.ts';
import { Catalogue } from '../../src/views/catalogue.ts';

const exchange = new Exchange();
exchange.apply({ seq: 1, time: 1, commands: seedCommands(() => 'sealed') });
const catalogue = new Catalogue(exchange);
const symbol = catalogue.symbol('BTC-USDT')!;
const usdt = catalogue.currency('USDT')!;
const btc = catalogue.currency('BTC')!;

/** In units: prices of 10^-4, sizes of 10^-8, money of 10^-12. */
const PRICE = 10_000;
const SIZE = 100_000_000;
const MONEY = 10n ** BigInt(usdt.scale);

const DETAILS: { [C in keyof RejectionDetails]: [RejectionDetails[C], string] } = {
  'request-repeated': [{ id: 'x' }, 'To repeat it, sign a new request with the current time.'],
  'user-unknown': [{ user: 77 }, 'Unknown user id.'],
  'currency-unknown': [{ currency: 99 }, ''],
  'symbol-unknown': [{ symbol: 99 }, ''],
  'chain-unknown': [
    { chain: 'moon', known: ['btc', 'erc20'] },
    'Unknown chain "moon". Expected one of: btc, erc20.',
  ],
  'key-unknown': [{ key: 'k1' }, 'Unknown key k1.'],
  'fee-rule-unknown': [
    { user: 1, symbol: symbol.symbol },
    `No fee rule is set for user ${userId(1)} in BTC-USDT.`,
  ],
  'user-frozen': [{ user: 1 }, 'A frozen user may only read and cancel. Contact the operator.'],
  'text-invalid': [
    { field: 'clientId', value: 'a b', lengthMax: 40, allowed: 'digits, letters, underscore, hyphen' },
    'clientOid "a b" must be at most 40 characters: digits, letters, underscore, hyphen.',
  ],
  'value-invalid': [
    { field: 'cancelAfterSec', value: '0', expected: 'an integer from 1 to 9' },
    'cancelAfter 0 must be an integer from 1 to 9.',
  ],
  'field-missing': [
    { field: 'cancelAfterSec', because: 'gtt' },
    'cancelAfter is required with timeInForce GTT.',
  ],
  'field-not-allowed': [{ field: 'funds', because: 'limit-order' }, 'funds is not allowed in a limit order.'],
  'code-in-use': [{ used: 'BTC', by: 'accounts' }, 'BTC is or was in accounts, so it cannot be removed.'],
  'code-taken': [{ taken: 'BTC' }, 'BTC already exists.'],
  'key-taken': [{ key: 'k1' }, 'The key k1 already exists.'],
  'client-id-used': [
    { clientId: 'c1', order: 5 },
    'clientOid c1 was used by an earlier order; use a new one.',
  ],
  'transfer-conflict': [
    { clientId: 'c1', transfer: 5 },
    'clientOid c1 was used by a different transfer; use a new one.',
  ],
  'deposit-conflict': [{ txId: 't1', deposit: 5 }, 'txId t1 was already reported with different values.'],
  'address-taken': [
    { currency: btc.number, chain: 'btc', address: 'bc1x' },
    'The address for BTC on btc is bc1x.',
  ],
  'not-a-master': [{ user: 3 }, `User ${userId(3)} is a sub-account; use its master account.`],
  'not-a-sub-account': [{ user: 1, parent: 0 }, `User ${userId(1)} is not a sub-account of ${userId(0)}.`],
  'same-account': [{ account: 'main' }, 'Source and target are both the MAIN account.'],
  'currency-ambiguous': [
    { currencies: [btc.number, usdt.number] },
    'currency is required: the source account has BTC, USDT.',
  ],
  'amounts-inexact': [
    { priceIncrement: '0.1', baseIncrement: '0.01', quoteScale: 2 },
    'priceIncrement 0.1 times baseIncrement 0.01 has more decimals than the ledger keeps: 2 of the quote currency (its scale). Take larger increments, or a quote currency with a larger scale.',
  ],
  'maker-above-taker': [{ maker: '0.2', taker: '0.1' }, 'maker 0.2 is above taker 0.1.'],
  'market-closed': [{ symbol: symbol.symbol, state: 'halted' }, 'BTC-USDT is halted.'],
  'order-kind': [
    { symbol: symbol.symbol, state: 'auction', kind: 'market' },
    'BTC-USDT is in an auction, which takes no market orders. Send a limit order with timeInForce GTC or GTT.',
  ],
  'in-auction': [{ symbol: symbol.symbol }, 'BTC-USDT is in an auction. Wait until it ends, or cancel it.'],
  'no-auction': [{ symbol: symbol.symbol }, 'BTC-USDT is not in an auction.'],
  'book-crossed': [
    { symbol: symbol.symbol },
    'Orders of BTC-USDT cross. Hold an auction, or let users cancel in the state cancel-only.',
  ],
  'paused-already': [{}, 'The exchange is paused already.'],
  'not-paused': [{}, 'The exchange is not paused.'],
  'deposit-disabled': [{ currency: btc.number, chain: 'btc' }, 'BTC on btc does not accept deposits now.'],
  'withdrawal-disabled': [
    { currency: btc.number, chain: 'btc' },
    'BTC on btc does not process withdrawals now.',
  ],
  'order-unknown': [{ order: 5, clientId: '' }, 'You have no active order with this id in BTC-USDT.'],
  'deposit-unknown': [{ travelRuleId: 5 }, 'No deposit of yours has this travelRuleOId.'],
  'questionnaire-unknown': [{ questionnaire: 5 }, `Unknown questionnaire '${markedId('questionnaire', 5)}'.`],
  'questionnaire-closed': [{ questionnaire: 5, state: 'success' }, 'It was decided: success.'],
  'withdrawal-unknown': [{ withdrawal: 5 }, ''],
  'person-unknown': [{ person: 'p-1' }, "Unknown person 'p-1'."],
  'session-unknown': [{ session: 's-1' }, 'The session has ended.'],
  'person-taken': [{ person: 'p-1' }, 'This e-mail address is already in use.'],
  'user-closed': [{ user: 1 }, `User ${userId(1)} was permanently closed.`],
  'frozen-already': [
    { user: 1, level: 'all' },
    `User ${userId(1)} is already frozen (all). A new freeze can only extend that one. To reduce it, unfreeze the user first.`,
  ],
  'user-not-empty': [
    { user: 1, has: 'money' },
    `User ${userId(1)} still has money. Have it withdrawn, or move it, first.`,
  ],
  'correction-unknown': [{ correction: 5 }, `Unknown correction '${markedId('correction', 5)}'.`],
  'not-returnable': [
    { deposit: 5, state: 'done' },
    'The deposit is done. Only a refused deposit, or one that waits for its questionnaire, can be returned.',
  ],
  reversed: [
    { id: 5, correction: 6 },
    `Correction ${markedId('correction', 6)} already reversed it. To undo that, reverse the correction.`,
  ],
  'not-reversible': [
    { id: 5, state: 'waiting' },
    'It is waiting, so no money has moved that a reversal could return.',
  ],
  insufficient: [
    { user: -1, account: 'fees', currency: usdt.number, need: 3n * MONEY, available: MONEY / 2n },
    'FEES has 0.5 USDT left; 3 USDT are needed.',
  ],
  'address-blocked': [
    { chain: 'btc', address: '1abc' },
    'Withdrawals to 1abc are blocked. Contact the operator.',
  ],
  'withdrawal-limit': [
    { currency: usdt.number, limit: 3n * MONEY, left: MONEY / 2n },
    'The limit is 3 USDT per day (UTC); 0.5 USDT are left today.',
  ],
  'address-rule-unknown': [{ rule: 5 }, 'Unknown address rule 5.'],
  'address-rules-in-all': [{ max: 10 }, 'There are already 10 address rules, the maximum. Remove one first.'],
  'person-locked': [
    { person: 'p-1', until: 0 },
    'The account is locked until 1970-01-01T00:00:00.000Z. Credentials, keys and addresses cannot be changed before then.',
  ],
  'proof-spent': [
    { of: 'totp' },
    'The proof was already used, has expired, or the credentials have changed since.',
  ],
  'step-up-needed': [
    { session: 's-1' },
    'A second factor is required (POST /identity/v1/step-up). It is valid for 5 minutes.',
  ],
  'withdrawals-locked': [
    { until: 0 },
    'Withdrawals are locked after a change of credentials, until 1970-01-01T00:00:00.000Z.',
  ],
  'address-not-listed': [
    { chain: 'btc', address: 'bc1q' },
    'bc1q is not a usable address of your address book; withdrawals are restricted to those.',
  ],
  'person-not-empty': [
    { person: 'p-1' },
    'The account is not empty. Withdraw all money and cancel all orders first.',
  ],
  'operator-unknown': [{ operator: 3 }, `Unknown operator '${markedId('operator', 3)}'.`],
  'root-closed': [
    {},
    'Root is closed: the start-up token may only add an operator (POST /v1/operators), at the machine itself.',
  ],
  role: [
    { roles: ['finance', 'admin'] },
    'None of your roles has this call. It needs one of: finance, admin.',
  ],
  'last-admin': [{ operator: 3 }, 'This is the last admin. Add another one first.'],
  'schedule-unknown': [{ entry: 3 }, `Unknown or past scheduled change '${markedId('schedule', 3)}'.`],
  'schedule-full': [{ max: 1000 }, '1000 changes are scheduled, the maximum. Remove one first.'],
  'proposal-unknown': [{ proposal: 3 }, `Unknown proposal '${markedId('proposal', 3)}'.`],
  'own-proposal': [{ proposal: 3 }, 'You cannot decide your own proposal. You can withdraw it.'],
  'not-proposer': [{ proposal: 3 }, 'Only its proposer can withdraw it. You can refuse it.'],
  'approved-already': [{ proposal: 3 }, 'You have already approved this proposal.'],
  'proposal-closed': [{ proposal: 3, status: 'refused' }, 'This proposal is refused, which is final.'],
  expired: [
    { proposal: 3, at: 0 },
    'This proposal expired at 1970-01-01T00:00:00.000Z. Make the call again.',
  ],
  'proposals-in-all': [{ max: 500 }, '500 proposals are open, the maximum. Decide or withdraw some first.'],
  'operators-in-all': [{ max: 1000 }, 'There are 1000 operators, the maximum.'],
  'withdrawal-closed': [{ withdrawal: 5, state: 'sent' }, 'This withdrawal is sent, which is final.'],
  'withdrawal-claimed': [
    { withdrawal: 5, by: 'anna', at: 1_700_000_000_000 },
    'anna has claimed it since 2023-11-14T22:13:20.000Z; unclaim it first.',
  ],
  'address-in-use': [{ chain: 'btc', address: 'there' }, 'there on btc is already assigned or loaded.'],
  'address-index': [{ chain: 'btc', next: 3 }, 'The next index of btc is 3.'],
  'not-claimed': [{ withdrawal: 5 }, 'The withdrawal is not claimed. Claim it before you pay it.'],
  'payment-begun': [
    { withdrawal: 5, payment: 'signed' },
    'The payment is already signed and may arrive. Report it as sent or failed.',
  ],
  'not-in-queue': [{ id: 5, state: 'sent' }, 'It is sent and no longer in the queue.'],
  assigned: [{ id: 5, to: 0 }, 'It is assigned to root. Release it first.'],
  'not-assigned': [{ id: 5 }, 'It is not assigned to anybody.'],
  'price-increment': [
    { value: 20_000.05 * PRICE, increment: 0.1 * PRICE, below: 20_000 * PRICE, above: 20_000.1 * PRICE },
    'price 20000.05 is not a positive multiple of priceIncrement 0.1; the nearest are 20000 and 20000.1.',
  ],
  'price-above-max': [{ value: 9 * PRICE, max: 8 * PRICE }, 'price 9 is above the largest, 8.'],
  'size-increment': [
    { value: 0, increment: 1, below: 0, above: 1 },
    'size 0 is not a positive multiple of baseIncrement 0.00000001; the smallest is 0.00000001.',
  ],
  'size-below-min': [{ value: 1, min: SIZE / 100 }, 'size 0.00000001 is below the smallest, 0.01.'],
  'size-above-max': [{ value: 2 * SIZE, max: SIZE }, 'size 2 is above the largest, 1.'],
  'visible-size': [
    { value: 1, min: SIZE / 20, max: SIZE, increment: 1 },
    'visibleSize 0.00000001 must be a multiple of 0.00000001 from 0.05, a twentieth of the size, to 1.',
  ],
  'funds-increment': [
    { value: 3n * MONEY, increment: 2n * MONEY, below: 2n * MONEY, above: 4n * MONEY },
    'funds 3 is not a positive multiple of quoteIncrement 2; the nearest are 2 and 4.',
  ],
  'funds-below-min': [{ value: MONEY / 100n, min: MONEY }, 'funds 0.01 is below the smallest, 1.'],
  'funds-above-max': [{ value: 2n * MONEY, max: MONEY }, 'funds 2 is above the largest, 1.'],
  'min-funds': [
    { value: MONEY / 100n, min: MONEY / 10n },
    'The order is worth 0.01 USDT; it must be at least 0.1 USDT.',
  ],
  'amount-increment': [
    { value: 3n * MONEY, increment: 2n * MONEY, below: 2n * MONEY, above: 4n * MONEY },
    'amount 3 is not a positive multiple of 2; the nearest are 2 and 4.',
  ],
  'amount-below-min': [{ value: MONEY / 100n, min: MONEY }, 'amount 0.01 is below the smallest, 1.'],
  'amount-above-max': [{ value: 2n * MONEY, max: MONEY }, 'amount 2 is above the largest, 1.'],
  'would-trade': [
    { symbol: symbol.symbol, price: 50_000 * PRICE },
    'BTC-USDT is post-only, and the order would trade at 50000. Send a price that rests.',
  ],
  'own-cross': [
    { order: 5, price: 50_000 * PRICE },
    'In an auction your orders must not cross: you have one on the other side at 50000.',
  ],
  'orders-per-symbol': [
    { max: 200 },
    'BTC-USDT has 200 active orders of yours, the maximum. Cancel one first.',
  ],
  'orders-per-user': [{ max: 2000 }, 'You have 2000 active orders, the maximum. Cancel one first.'],
  'stop-orders-per-symbol': [
    { max: 20 },
    'BTC-USDT has 20 stop orders of yours, the maximum. Cancel one first.',
  ],
  'movements-per-user': [
    { max: 9 },
    'You and your sub-accounts have 9 unpaid withdrawals, the maximum. Wait, or cancel one first.',
  ],
  'sub-accounts-per-user': [{ max: 100 }, 'You have 100 sub-accounts, the maximum.'],
  'keys-per-user': [{ max: 10 }, 'The sub-account has 10 keys, the maximum. Remove one first.'],
  'funds-insufficient': [
    { user: 0, account: 'trade', currency: usdt.number, need: 3n * MONEY, available: MONEY / 2n },
    'The TRADE account has 0.5 USDT available; 3 USDT are needed, 2.5 USDT more. Transfer money from MAIN to TRADE first.',
  ],
};

const explained = <C extends keyof RejectionDetails>(code: C, about: About = { symbol }) =>
  explain({ code, ...DETAILS[code][0] } as unknown as Rejection, catalogue, about);

test('every rejection of the core has a row, and a message in the user’s terms', () => {
  assert.deepEqual(Object.keys(DETAILS).toSorted(), REJECTION_CODES.toSorted());
  for (const code of REJECTION_CODES) {
    const { error, detail } = explained(code);
    assert.equal(detail, DETAILS[code][1], code);
    assert.ok(error in ERRORS, code);
  }
});

test('every placeholder in the text of a row is filled', () => {
  for (const code of REJECTION_CODES) {
    const { error, values } = explained(code);
    for (const [, place] of ERRORS[error].text.matchAll(/\{(\w+)\}/g)) {
      assert.ok(place === 'PREFIX' || values[place], `${error}: {${place}}`);
    }
  }
});

test('amounts of a movement count in its own currency', () => {
  const { detail } = explain(
    { code: 'amount-below-min', value: 1n, min: 10n ** BigInt(btc.scale) },
    catalogue,
    { currency: btc },
  );
  assert.equal(detail, `amount 0.${'0'.repeat(btc.scale - 1)}1 is below the smallest, 1.`);
});

test('the kind of request selects the row', () => {
  const { symbol: number } = symbol;
  const closed = (state: 'halted' | 'cancel-only', purpose: About['purpose'] & string) =>
    explain({ code: 'market-closed', symbol: number, state }, catalogue, { symbol, purpose }).error;
  assert.equal(closed('halted', 'cancel'), 'cancel-suspended');
  assert.equal(closed('halted', 'place'), 'symbol-disabled');
  assert.equal(closed('cancel-only', 'place'), 'placing-suspended');
  assert.equal(explained('funds-insufficient', { purpose: 'transfer' }).error, 'transfer-insufficient');
  assert.equal(explained('funds-insufficient').error, 'funds-insufficient');
});
