/** Groups the calls by task, with a title for each, in the order of the reference. */

export interface Task {
  readonly name: string;
  readonly about: string;
  /** Titles by the id of the route. */
  readonly calls: Readonly<Record<string, string>>;
}

export const TASKS: readonly Task[] = [
  {
    name: 'Place orders',
    about: 'Limit and market orders, singly or in batches. The id is returned when the order is on disk.',
    calls: {
      'place-order': 'Place an order',
      'sync-place-order': 'Place an order and wait for the result',
      'place-orders': 'Place several orders',
      'sync-place-orders': 'Place several orders and wait for the results',
      'test-order': 'Check an order without placing it',
      'alter-order': 'Change the price or size of an order',
    },
  },
  {
    name: 'Cancel orders',
    about: 'One, part of one, all of a symbol, or all. A cancelled order returns its held funds.',
    calls: {
      'cancel-order': 'Cancel an order',
      'cancel-order-by-client-oid': 'Cancel an order by your own id',
      'sync-cancel-order': 'Cancel an order and wait for the result',
      'sync-cancel-order-by-client-oid': 'Cancel an order by your own id and wait',
      'cancel-part-of-order': 'Cancel part of an order',
      'cancel-orders-of-symbol': 'Cancel all orders of a symbol',
      'cancel-all-orders': 'Cancel all orders',
      'set-switch': "Set the dead man's switch",
      'get-switch': "Look up the dead man's switch",
    },
  },
  {
    name: 'Look up orders and fills',
    about: 'By id, by your own id (clientOid), or as lists.',
    calls: {
      'get-order': 'Look up an order',
      'get-order-by-client-oid': 'Look up an order by your own id',
      'list-open-orders': 'List open orders',
      'page-open-orders': 'List open orders by page',
      'list-open-symbols': 'List symbols with open orders',
      'list-done-orders': 'List done orders',
      'list-fills': 'List fills',
    },
  },
  {
    name: 'Stop and OCO orders',
    about: 'Orders that wait for a price.',
    calls: {
      'place-stop-order': 'Place a stop order',
      'list-stop-orders': 'List stop orders',
      'get-stop-order': 'Look up a stop order',
      'get-stop-order-by-client-oid': 'Look up a stop order by your own id',
      'cancel-stop-order': 'Cancel a stop order',
      'cancel-stop-order-by-client-oid': 'Cancel a stop order by your own id',
      'cancel-stop-orders': 'Cancel several stop orders',
      'place-oco-order': 'Place an OCO order',
      'list-oco-orders': 'List OCO orders',
      'get-oco-order': 'Look up an OCO order',
      'get-oco-order-by-client-oid': 'Look up an OCO order by your own id',
      'get-oco-order-details': 'Look up both parts of an OCO order',
      'cancel-oco-order': 'Cancel an OCO order',
      'cancel-oco-order-by-client-oid': 'Cancel an OCO order by your own id',
      'cancel-oco-orders': 'Cancel several OCO orders',
    },
  },
  {
    name: 'Follow markets',
    about: 'Prices, books, trades and candles. To follow them without polling, connect to the feed.',
    calls: {
      'get-ticker': 'Best prices of a symbol',
      'list-tickers': 'Prices of all symbols',
      'get-statistics': 'Last 24 hours of a symbol',
      'get-book-20': 'Order book, 20 levels',
      'get-book-100': 'Order book, 100 levels',
      'get-book-v3': 'Order book, all levels',
      'get-book-orders-v3': 'Order book, order by order',
      'get-trade-histories': 'Latest trades',
      'list-candles': 'Candles',
      'list-prices': 'Prices of currencies in US dollars',
      'get-public-feed-token': 'Connect to the feed',
      'get-private-feed-token': 'Connect to the feed with private topics',
    },
  },
  {
    name: 'Symbols, currencies and fees',
    about: 'What can be traded, in which increments, and what it costs.',
    calls: {
      'list-symbols': 'List symbols',
      'get-symbol': 'Look up a symbol',
      'list-currencies': 'List currencies',
      'get-currency': 'Look up a currency',
      'list-markets': 'List trading markets',
      'get-trade-fees': 'Fees by symbol',
      'get-base-fee': 'Basic fees',
      'list-announcements-v3': 'List announcements',
    },
  },
  {
    name: 'Balances and transfers',
    about: 'Orders use the TRADE account; deposits and withdrawals use MAIN.',
    calls: {
      'list-accounts': 'List balances',
      'get-account': 'Look up an account',
      'get-transferable': 'Amount that can be transferred',
      'flex-transfer': 'Transfer money',
      'inner-transfer': 'Transfer between your own accounts',
      'sub-transfer': 'Transfer to or from a sub-account',
      'list-ledger': 'List changes of balances',
      'list-trade-ledger': 'List changes of TRADE balances',
    },
  },
  {
    name: 'Deposits and withdrawals',
    about: 'Addresses, deposits with their questionnaires, withdrawals.',
    calls: {
      'list-deposit-addresses': 'List deposit addresses',
      'create-deposit-address': 'Create a deposit address',
      'list-deposits': 'List deposits',
      'submit-questionnaire': 'Submit the questionnaire of a deposit',
      'list-regions': 'List regions for questionnaires',
      withdraw: 'Withdraw',
      'get-withdrawal': 'Look up a withdrawal',
      'list-withdrawals': 'List withdrawals',
      'cancel-withdrawal': 'Cancel a withdrawal',
      'get-withdrawal-quotas': 'Amount that can be withdrawn',
      'get-liability-proof': 'Prove that your balance is counted',
    },
  },
  {
    name: 'Sub-accounts and keys',
    about: 'Sub-accounts separate strategies. Each has keys and balances of its own.',
    calls: {
      'get-api-key': 'Look up the key in use',
      'get-user-info': 'Look up your level',
      'create-sub-account': 'Create a sub-account',
      'page-sub-accounts': 'List sub-accounts',
      'get-sub-account-balances': 'Balances of a sub-account',
      'page-sub-account-balances': 'Balances of all sub-accounts',
      'create-sub-key': 'Create a key for a sub-account',
      'list-sub-keys': 'List keys of a sub-account',
      'change-sub-key': 'Change a key of a sub-account',
      'remove-sub-key': 'Remove a key of a sub-account',
    },
  },
  {
    name: 'Time and service',
    about: 'Whether the exchange is available, and the time of its clock.',
    calls: {
      'get-server-time': "The server's clock",
      'get-service-status': 'Whether the exchange takes orders',
      'get-my-ip': 'Your IP address',
    },
  },
  {
    name: 'Other versions of calls',
    about: 'For clients that use them. A new bot needs none of these.',
    calls: {
      'old-place-order': 'Place an order (v1)',
      'old-test-order': 'Check an order (v1)',
      'old-place-orders': 'Place several orders (v1)',
      'old-cancel-order': 'Cancel an order (v1)',
      'old-cancel-order-by-client-oid': 'Cancel an order by your own id (v1)',
      'old-cancel-orders': 'Cancel orders (v1)',
      'old-get-order': 'Look up an order (v1)',
      'old-get-order-by-client-oid': 'Look up an order by your own id (v1)',
      'old-list-orders': 'List orders (v1)',
      'old-list-recent-orders': 'List orders of the last day (v1)',
      'old-list-fills': 'List fills (v1)',
      'old-list-recent-fills': 'List fills of the last day (v1)',
      'get-book-v2': 'Order book, all levels (v2)',
      'get-book-orders-v2': 'Order book, order by order (v2)',
      'get-public-feed-token-v2': 'Connect to the feed (v2)',
      'get-private-feed-token-v2': 'Connect to the feed with private topics (v2)',
      'old-list-symbols': 'List symbols (v1)',
      'list-currencies-v1': 'List currencies (v1)',
      'get-currency-v1': 'Look up a currency (v1)',
      'get-currency-v2': 'Look up a currency (v2)',
      'list-announcements-v1': 'List announcements (v1)',
      'get-deposit-address': 'Look up a deposit address (v1)',
      'list-deposit-addresses-with-chains': 'List deposit addresses (v3)',
      'create-deposit-address-with-chain': 'Create a deposit address (v3)',
      'old-list-deposits': 'List deposits, older format',
      'old-withdraw': 'Withdraw (v1)',
      'old-list-withdrawals': 'List withdrawals, older format',
      'list-sub-accounts': 'List sub-accounts (v1)',
      'list-sub-account-balances': 'Balances of all sub-accounts (v1)',
      'list-regions-below-api': 'List regions below /api',
      'get-account-opened': 'Whether the high-frequency account is used',
      'get-account-mode': 'Account mode',
      'list-margin-symbols': 'Margin symbols: none',
      'list-isolated-symbols': 'Isolated margin symbols: none',
      'list-contracts': 'Contracts: none',
    },
  },
];

const PLACES: ReadonlyMap<string, { readonly task: string; readonly title: string }> = new Map(
  TASKS.flatMap(({ name, calls }) =>
    Object.entries(calls).map(([id, title]) => [id, { task: name, title }] as const),
  ),
);

const ORDER: ReadonlyMap<string, number> = new Map([...PLACES.keys()].map((id, at) => [id, at]));

/** Calls without a task come last. */
export const rankOf = (id: string): number => ORDER.get(id) ?? ORDER.size;

/** A test checks that every route is in the list. */
export function placeOf(id: string): { readonly task: string; readonly title: string } {
  return PLACES.get(id) ?? { task: TASKS.at(-1)!.name, title: titleOf(id) };
}

/** `add-fault` is "Add fault". */
export const titleOf = (id: string): string =>
  (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll('-', ' ');
