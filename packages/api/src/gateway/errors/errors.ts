/**
 * All errors of the interface in one table. The documentation of errors is generated from it, and a test provokes every
 * row. `{PREFIX}` stands for the prefix of the dialect's headers, other names in braces for values of the refusal. The
 * texts are fixed, because clients of this interface compare them.
 */

import type { RejectionCode } from '@bourse/core';

export interface ErrorRow {
  readonly code: string;
  readonly text: string;
  /** HTTP status in the literal dialect. */
  readonly status: number;
  /** Whether the same request may succeed later without a change. */
  readonly retry: boolean;
  /** One line for the documentation. */
  readonly when: string;
  /** A rejection by the exchange, not by the gateway: HTTP 200 in the family dialect. */
  readonly business?: true;
}

/** An error of the gateway, raised before the command is sent; it has the same status in both dialects. */
const edge = (code: string, status: number, text: string, when: string, retry = false): ErrorRow => ({
  code,
  text,
  status,
  retry,
  when,
});

const business = (code: string, text: string, when: string, status = 400, retry = false): ErrorRow => ({
  code,
  text,
  status,
  retry,
  when,
  business: true,
});

const PARAMETER = '400100';

export const ERRORS = {
  // HTTP itself
  'request-malformed': edge(
    '400000',
    400,
    'Bad Request',
    'The request is not valid HTTP, does not have exactly one Host header, or its path cannot be decoded.',
  ),
  'url-not-found': edge('404000', 404, 'Url Not Found', 'No route has this path.'),
  'method-not-allowed': edge(
    '405000',
    405,
    'Method Not Allowed',
    'The path exists, but not for this method; see Allow.',
  ),
  'request-timeout': edge('408000', 408, 'Network timeout', 'The request did not arrive in time.', true),
  'body-too-large': edge('413000', 413, 'Payload Too Large', 'The body is too large.'),
  'media-type': edge(
    '415000',
    415,
    'Unsupported Media Type',
    'The body’s Content-Type is not application/json.',
  ),
  'headers-too-large': edge(
    '431000',
    431,
    'Request Header Fields Too Large',
    'Too many headers, or too many bytes.',
  ),

  // Authentication
  'headers-missing': edge(
    '400001',
    400,
    'Please check the header of your request for {PREFIX}-API-KEY, {PREFIX}-API-SIGN, {PREFIX}-API-TIMESTAMP, {PREFIX}-API-PASSPHRASE',
    'One of the five signing headers is missing or empty.',
  ),
  'timestamp-invalid': edge(
    '400002',
    400,
    'Invalid {PREFIX}-API-TIMESTAMP',
    'Not milliseconds, or too far from now.',
  ),
  'api-key-unknown': edge('400003', 401, '{PREFIX}-API-KEY not exists', 'The API key does not exist.'),
  'passphrase-wrong': edge(
    '400004',
    401,
    'Invalid {PREFIX}-API-PASSPHRASE',
    'The passphrase does not match the key.',
  ),
  'signature-wrong': edge(
    '400005',
    401,
    'Invalid {PREFIX}-API-SIGN',
    'The signature does not match the request.',
  ),
  'address-denied': edge(
    '400006',
    403,
    'Invalid request ip, the current clientIp is:{ip}',
    'The client address is not on the key’s IP allow-list.',
  ),
  'permission-denied': edge(
    '400007',
    403,
    'Access denied, require more permission.',
    'The key does not have the permission that the route requires.',
  ),
  'key-version-invalid': edge(
    '400009',
    401,
    'Invalid {PREFIX}-API-KEY-VERSION.',
    'The version differs from that of the key.',
  ),
  'request-repeated': edge(
    '400013',
    400,
    'This signed request was received before.',
    'A signed POST or DELETE takes effect at most once. Sign it again to repeat it.',
  ),

  'clock-behind': edge(
    '503000',
    503,
    'Signed requests are not taken now.',
    'The clock was set back, so a replayed request could not be recognised. The message says until when.',
    true,
  ),
  'origin-denied': edge(
    '400015',
    403,
    'Invalid request origin.',
    'A page of another site sent it, to a sandbox or to the operator API; or a sandbox was reached by a name that is not its own.',
  ),

  // How much, and whether the exchange takes orders now
  'too-many-requests': edge(
    '429000',
    429,
    'Too Many Requests',
    'The rate limit is used up until its reset.',
    true,
  ),
  'internal-error': edge(
    '500000',
    500,
    'Internal Server Error',
    'A bug in the service; its log has the details.',
  ),
  busy: edge(
    '503000',
    503,
    'Server is busy. Please retry later.',
    'The request was not executed and will not be; send it again.',
    true,
  ),
  unavailable: edge(
    '503000',
    503,
    'Service Unavailable',
    'The service is stopping or stopped; look the request up before you repeat it.',
  ),
  'outcome-unknown': edge(
    '504000',
    504,
    'Gateway timeout',
    'The request may have been executed; look it up before you repeat it.',
  ),

  // The request's own shape
  'parameter-invalid': business(PARAMETER, 'Parameter Error', 'A parameter is missing, unknown or invalid.'),

  // Unknown objects
  'symbol-unknown': business('900001', 'Unsupported trading pair.', 'The symbol does not exist.'),
  'currency-unknown': business('111001', 'Currency does not exist', 'The currency does not exist.'),
  'chain-unknown': business('900014', 'Invalid chainId', 'The currency has no such chain.'),
  'account-unknown': business(
    PARAMETER,
    'account not exists',
    'The caller has no account with this id.',
    404,
  ),
  'user-frozen': business(
    '411100',
    'User are frozen',
    'The user or its master is frozen: only reads and cancellations are allowed.',
  ),
  'order-not-found': business(
    PARAMETER,
    'The order does not exist.',
    'The caller has no order with this id (look-up).',
    404,
  ),
  'order-not-there': business(
    PARAMETER,
    'order_not_exist_or_not_allow_to_cancel',
    'The caller has no order with this id (cancellation).',
    404,
  ),
  'order-done': business(
    PARAMETER,
    'order_not_exist_or_not_allow_to_cancel',
    'The order is already filled or cancelled.',
  ),
  'withdrawal-unknown': business(
    PARAMETER,
    'The withdrawal does not exist.',
    'The caller has no withdrawal with this id.',
    404,
  ),
  'withdrawal-closed': business(
    PARAMETER,
    'The withdrawal is over.',
    'The withdrawal was already sent, failed or cancelled.',
  ),
  'withdrawal-claimed': business(
    PARAMETER,
    'The withdrawal is being paid.',
    'An operator has claimed it (WALLET_PROCESSING), so it cannot be cancelled.',
  ),
  'liabilities-unknown': business(
    PARAMETER,
    'The liabilities do not exist.',
    'No liabilities were published with this id, or their trees are no longer kept.',
    404,
  ),
  'deposit-unknown': business(
    PARAMETER,
    'The deposit does not exist.',
    'The caller has no waiting deposit with this id.',
    404,
  ),
  'questionnaire-closed': business(
    PARAMETER,
    'The questionnaire is closed.',
    'A questionnaire is pending, or was already decided.',
  ),

  // Conflicts with earlier requests
  'client-id-used': business(
    PARAMETER,
    'validation.createOrder.clientOidDuplicated',
    'The caller already has an order with this clientOid.',
  ),
  'transfer-conflict': business(
    '300018',
    'clientOid parameter repeated',
    'Another transfer has this clientOid.',
  ),
  'address-unknown': business(
    '260220',
    'deposit.address.not.exists',
    'No address was created for this currency and chain.',
    404,
  ),
  'address-exists': business(
    '260000',
    'Deposit address already exists.',
    'The caller already has an address for this currency and chain.',
  ),

  // Relations between users
  'not-a-master': business(PARAMETER, 'This user is not a master user', 'Only a master’s key may do this.'),
  'not-a-sub-account': business(
    PARAMETER,
    'This user is not a sub user',
    'The user is not a sub-account of the caller.',
  ),
  'same-account': business(
    PARAMETER,
    'The accounts are the same.',
    'Source and target of a transfer must differ.',
  ),

  // Whether it is possible now
  'symbol-disabled': business(
    '600203',
    'Symbol {symbol} cant be traded',
    'The symbol is not open for trading.',
  ),
  'placing-suspended': business(
    '200001',
    'Order creation for this pair suspended',
    'The market does not accept new orders.',
  ),
  'cancel-suspended': business('200002', 'Order cancel for this pair suspended', 'The market is halted.'),
  'withdrawal-disabled': business(
    '260210',
    'withdraw.disabled',
    'The chain does not process withdrawals now, or the caller’s locks or address book forbid it.',
  ),
  'deposit-disabled': business('260200', 'deposit.disabled', 'The chain does not accept deposits now.'),

  // The symbol's rules
  'price-increment': business(
    PARAMETER,
    'Price increment invalid.',
    'The price is not a multiple of priceIncrement.',
  ),
  'price-above-max': business(
    PARAMETER,
    'Price above the maximum limit.',
    'The price exceeds the largest possible one.',
  ),
  'size-increment': business(
    PARAMETER,
    'Order size increment invalid.',
    'The size is not a multiple of baseIncrement.',
  ),
  'size-below-min': business(
    PARAMETER,
    'Order size below the minimum requirement.',
    'Smaller than baseMinSize.',
  ),
  'size-above-max': business(PARAMETER, 'Order size above the maximum limit.', 'Larger than baseMaxSize.'),
  'visible-size': business(
    PARAMETER,
    'Visible size invalid.',
    'visibleSize must be a multiple of baseIncrement and at least a twentieth of size.',
  ),
  'funds-increment': business(
    PARAMETER,
    'Funds increment invalid.',
    'The funds are not a multiple of quoteIncrement.',
  ),
  'funds-below-min': business('600100', 'Funds below the minimum requirement.', 'Less than quoteMinSize.'),
  'funds-above-max': business(PARAMETER, 'Funds above the maximum limit.', 'More than quoteMaxSize.'),
  'min-funds': business(
    '600101',
    'The order funds should more then {minFunds} {quote}.',
    'Price times size is less than minFunds.',
  ),
  'amount-increment': business(
    PARAMETER,
    'The amount increment is invalid.',
    'Finer than the currency’s precision.',
  ),
  'amount-above-max': business(
    PARAMETER,
    'The amount is above the maximum limit.',
    'The amount exceeds the maximum of one movement.',
  ),

  // Limits and money
  'orders-limit': business('200003', 'Number of orders breached the limit', 'Too many active orders.'),
  'movements-limit': business(
    PARAMETER,
    'Number of transfers and withdrawals breached the limit',
    'The user and its sub-accounts have too many open withdrawals.',
  ),
  'funds-insufficient': business(
    '200004',
    'Balance insufficient!',
    'The available balance is less than the order’s hold.',
  ),
  'transfer-insufficient': business(
    '230003',
    'Balance insufficient!',
    'The available balance is less than the amount.',
  ),
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The default row for each rejection of the core; a route may override it. */
export const REJECTION_ERRORS: Readonly<Record<RejectionCode, ErrorName>> = {
  'request-repeated': 'request-repeated',
  'user-unknown': 'parameter-invalid',
  'user-frozen': 'user-frozen',
  'currency-unknown': 'currency-unknown',
  'symbol-unknown': 'symbol-unknown',
  'chain-unknown': 'chain-unknown',
  'key-unknown': 'parameter-invalid',
  'fee-rule-unknown': 'parameter-invalid',
  'person-unknown': 'parameter-invalid',
  'session-unknown': 'parameter-invalid',
  'operator-unknown': 'parameter-invalid',
  'proposal-unknown': 'parameter-invalid',
  'schedule-unknown': 'parameter-invalid',
  'address-rule-unknown': 'parameter-invalid',
  'text-invalid': 'parameter-invalid',
  'value-invalid': 'parameter-invalid',
  'field-missing': 'parameter-invalid',
  'field-not-allowed': 'parameter-invalid',
  'code-taken': 'parameter-invalid',
  'key-taken': 'parameter-invalid',
  'client-id-used': 'client-id-used',
  reversed: 'parameter-invalid',
  'not-reversible': 'parameter-invalid',
  'transfer-conflict': 'transfer-conflict',
  'deposit-conflict': 'parameter-invalid',
  'code-in-use': 'parameter-invalid',
  'address-taken': 'address-exists',
  'address-in-use': 'parameter-invalid',
  'address-index': 'parameter-invalid',
  'person-taken': 'parameter-invalid',
  'user-closed': 'parameter-invalid',
  'frozen-already': 'parameter-invalid',
  'not-a-master': 'not-a-master',
  'not-a-sub-account': 'not-a-sub-account',
  'same-account': 'same-account',
  'currency-ambiguous': 'parameter-invalid',
  'amounts-inexact': 'parameter-invalid',
  'maker-above-taker': 'parameter-invalid',
  'market-closed': 'symbol-disabled',
  'order-kind': 'placing-suspended',
  'in-auction': 'parameter-invalid',
  'no-auction': 'parameter-invalid',
  'book-crossed': 'parameter-invalid',
  'paused-already': 'parameter-invalid',
  'not-paused': 'parameter-invalid',
  'deposit-disabled': 'deposit-disabled',
  'withdrawal-disabled': 'withdrawal-disabled',
  'order-unknown': 'order-not-there',
  'deposit-unknown': 'deposit-unknown',
  'questionnaire-unknown': 'parameter-invalid',
  'questionnaire-closed': 'questionnaire-closed',
  'withdrawal-unknown': 'withdrawal-unknown',
  'withdrawal-closed': 'withdrawal-closed',
  'withdrawal-claimed': 'withdrawal-claimed',
  'not-claimed': 'parameter-invalid',
  'payment-begun': 'parameter-invalid',
  'correction-unknown': 'parameter-invalid',
  'not-returnable': 'parameter-invalid',
  'not-in-queue': 'parameter-invalid',
  assigned: 'parameter-invalid',
  'not-assigned': 'parameter-invalid',
  'person-locked': 'parameter-invalid',
  'proof-spent': 'parameter-invalid',
  'step-up-needed': 'withdrawal-disabled',
  'withdrawals-locked': 'withdrawal-disabled',
  'address-not-listed': 'withdrawal-disabled',
  'address-blocked': 'withdrawal-disabled',
  'person-not-empty': 'parameter-invalid',
  'user-not-empty': 'parameter-invalid',
  'root-closed': 'parameter-invalid',
  role: 'parameter-invalid',
  'last-admin': 'parameter-invalid',
  'own-proposal': 'parameter-invalid',
  'not-proposer': 'parameter-invalid',
  'approved-already': 'parameter-invalid',
  'proposal-closed': 'parameter-invalid',
  expired: 'parameter-invalid',
  'price-increment': 'price-increment',
  'price-above-max': 'price-above-max',
  'size-increment': 'size-increment',
  'size-below-min': 'size-below-min',
  'size-above-max': 'size-above-max',
  'visible-size': 'visible-size',
  'funds-increment': 'funds-increment',
  'funds-below-min': 'funds-below-min',
  'funds-above-max': 'funds-above-max',
  'min-funds': 'min-funds',
  'amount-increment': 'amount-increment',
  'amount-below-min': 'parameter-invalid',
  'amount-above-max': 'amount-above-max',
  'would-trade': 'placing-suspended',
  'own-cross': 'placing-suspended',
  'orders-per-symbol': 'orders-limit',
  'orders-per-user': 'orders-limit',
  'stop-orders-per-symbol': 'orders-limit',
  'movements-per-user': 'movements-limit',
  'withdrawal-limit': 'amount-above-max',
  'address-rules-in-all': 'parameter-invalid',
  'sub-accounts-per-user': 'parameter-invalid',
  'keys-per-user': 'parameter-invalid',
  'operators-in-all': 'parameter-invalid',
  'proposals-in-all': 'parameter-invalid',
  'schedule-full': 'parameter-invalid',
  'funds-insufficient': 'funds-insufficient',
  insufficient: 'funds-insufficient',
};
