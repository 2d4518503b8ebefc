// The endpoints of the document, each with its test, and commands with their responses. The commands run as printed, each
// endpoint's on a fresh sandbox, so that none depends on another's. /docs shows the same requests and responses.

import { exampleOf } from '../../packages/api/src/gateway/docs/examples.ts';
import { runCommands } from './commands.mjs';
import { stable } from './stable.mjs';

const RULES = 'order-rules.test.ts';
const STATES = 'order-states.test.ts';
const LOOKUPS = 'lookups-and-cancels.test.ts';

/** In the order of the document: the route's id, its name there, and a test in packages/bourse/test/interface. */
export const ENDPOINTS = [
  ['place-order', 'Place HF order', RULES, 'an accepted order returns its id in envelope A and nothing else'],
  [
    'sync-place-order',
    'Sync place HF order',
    RULES,
    'a sync placement returns exactly the synchronous order result',
  ],
  [
    'place-orders',
    'Place multiple orders',
    'batches.test.ts',
    'one request places five orders and returns an id and success for each',
  ],
  [
    'sync-place-orders',
    'Sync place multiple HF orders',
    'batches.test.ts',
    'one sync request places twenty orders and returns a synchronous result for each',
  ],
  [
    'get-order',
    'Get HF order by orderId',
    STATES,
    'accepted: the order is active, rests in the book, and can be read as soon as its id is returned',
  ],
  [
    'get-order-by-client-oid',
    'Get HF order by clientOid',
    LOOKUPS,
    'a look-up by orderId and one by clientOid return the same order in every field',
  ],
  [
    'cancel-order',
    'Cancel HF order by orderId',
    LOOKUPS,
    'a cancel by orderId returns the orderId, and one by clientOid the clientOid',
  ],
  [
    'cancel-order-by-client-oid',
    'Cancel HF order by clientOid',
    LOOKUPS,
    'a cancel by orderId returns the orderId, and one by clientOid the clientOid',
  ],
  [
    'sync-cancel-order',
    'Sync cancel HF order by orderId',
    LOOKUPS,
    'a sync cancel returns the bare object with the sizes and status done',
  ],
  [
    'sync-cancel-order-by-client-oid',
    'Sync cancel HF order by clientOid',
    LOOKUPS,
    'a sync cancel returns the bare object with the sizes and status done',
  ],
  [
    'get-currency',
    'Get currency detail',
    'reference.test.ts',
    'a currency is public, and it and its chains have exactly the documented fields',
  ],
  [
    'list-symbols',
    'Get symbols list',
    'reference.test.ts',
    'the symbols list is a bare array with exactly the documented fields',
  ],
  [
    'get-trade-fees',
    'Get trading pair actual fee',
    'reference.test.ts',
    'fee rates are returned in envelope A, with one entry per requested pair',
  ],
  [
    'get-trade-histories',
    'Get trade histories',
    'market-data.test.ts',
    'every fill is a separate trade, with the side of the taker and a time in nanoseconds',
  ],
  [
    'get-ticker',
    'Get ticker',
    'market-data.test.ts',
    'the ticker shows the best price of each side, the size of its level, and the last trade',
  ],
  [
    'get-account',
    'Get account detail',
    'accounts.test.ts',
    'account detail returns the bare object of the account',
  ],
  [
    'list-accounts',
    'List accounts',
    'accounts.test.ts',
    'the account list is in envelope A, with stable ids: 24 hex digits for MAIN, decimal digits for TRADE',
  ],
  [
    'get-transferable',
    'Get transferable',
    'accounts.test.ts',
    'transferable is the available balance of MAIN or TRADE',
  ],
  [
    'flex-transfer',
    'Flex transfer',
    'accounts.test.ts',
    'an internal transfer in either direction is complete when its response arrives, to the smallest precision',
  ],
  [
    'list-deposit-addresses',
    'Get deposit addresses (V2)',
    'deposits.test.ts',
    'a created address is returned in envelope A and then listed; creating a second one is rejected',
  ],
  [
    'create-deposit-address',
    'Create deposit address',
    'deposits.test.ts',
    'a created address is returned in envelope A and then listed; creating a second one is rejected',
  ],
  [
    'submit-questionnaire',
    'Submit deposit questionnaire',
    'deposits.test.ts',
    'a deposit under the Travel Rule waits until its questionnaire is accepted, and is then credited',
  ],
  [
    'list-regions',
    'Regions list',
    'deposits.test.ts',
    'the regions are public, and listed in envelope A with code and English name',
  ],
].map(([id, name, file, title]) => ({
  id,
  name,
  test: { path: `packages/bourse/test/interface/${file}`, title },
}));

const DEFAULT_URL = 'http://127.0.0.1:8080';
const SIGNED = 'examples/signed-curl.sh';
const HF = '/api/v1/hf/orders';

const order = (changes) =>
  JSON.stringify({
    symbol: 'BTC-USDT',
    type: 'limit',
    side: 'buy',
    price: '20000',
    size: '0.001',
    ...changes,
  });
const place = (changes) => `${SIGNED} POST ${HF} '${order(changes)}'`;
/** Shell code that stores the text value of a JSON member in a variable. */
const keep = (member, command) => `id=$(${command} | sed 's/.*"${member}":"\\([^"]*\\)".*/\\1/')`;

const ASK = `AS=bob ${place({ side: 'sell', price: '60000', size: '0.5' })}`;
const TAKE = `${SIGNED} POST ${HF}/sync '{"symbol":"BTC-USDT","type":"market","side":"buy","funds":"10"}'`;
const WAITING_DEPOSIT = {
  userId: 'alice',
  currency: 'USDT',
  chain: 'trx',
  amount: '250',
  txId: 'my-deposit',
  travelRule: true,
  reason: 'to try the questionnaire',
};

/** Commands that prepare a fresh sandbox. */
const FIRST = new Map([
  ['sync-place-order', [ASK]],
  ['get-trade-histories', [ASK, TAKE]],
  ['get-ticker', [ASK, TAKE]],
  [
    'list-deposit-addresses',
    [`${SIGNED} POST /api/v1/deposit-addresses '{"currency":"USDT","chain":"trx"}'`],
  ],
  ['get-account', [keep('id', `${SIGNED} GET '/api/v1/accounts?currency=BTC&type=trade'`)]],
  [
    'submit-questionnaire',
    [
      keep(
        'travelRuleOId',
        `curl -s ${DEFAULT_URL}/operator/v1/deposits -H 'Content-Type: application/json' \\\n` +
          `  -H 'Authorization: Bearer sandbox-operator-token-for-everybody' \\\n` +
          `  -d '${JSON.stringify(WAITING_DEPOSIT)}'`,
      ),
    ],
  ],
]);

/** An open order of alice's, for look-ups and cancels. */
const OPEN_ORDER = new Map([
  ['orderId', keep('orderId', place({}))],
  ['clientOid', place({ clientOid: 'my-order' })],
]);

/** Ids that a command returns are in a shell variable. */
const VARIABLES = /\b(ORDER_ID|ACCOUNT_ID|TRAVEL_RULE_OID)\b/g;

/** The commands of an endpoint; the last one is its request. */
function commandsOf(route) {
  const { method, path, body } = exampleOf(route);
  const [, name] = /:(orderId|clientOid)/.exec(route.path) ?? [];
  const first = FIRST.get(route.id) ?? (name ? [OPEN_ORDER.get(name)] : []);
  const target = quoted(path.replace('CLIENT_OID', 'my-order'));
  if (route.access === 'public') return [...first, `curl ${quoted(DEFAULT_URL + path)}`];
  return [...first, `${SIGNED} ${method} ${target}${body && ` ${quoted(body)}`}`];
}

/** In single quotes, except for variables. */
const quoted = (text) => `'${text.replaceAll(VARIABLES, `'"$id"'`)}'`.replace(/^''|''$/g, '');

/** If the machine pauses between signing and sending, the exchange rejects the timestamp. */
const TOO_LATE = /"code":"400002"/;
const TRIES = 3;

/** Each attempt has its own exchange. */
async function answerOf(commands) {
  let answer = '';
  for (let tries = 0; tries < TRIES; tries++) {
    answer = await runCommands(commands);
    if (!TOO_LATE.test(answer)) break;
  }
  return answer;
}

export async function recordEndpoints(routes) {
  const recorded = {};
  for (const { id } of ENDPOINTS) {
    const commands = commandsOf(routes.find((route) => route.id === id));
    const answer = await answerOf(commands.map((each) => each.replace('curl ', 'curl -s ')));
    if (/"code":"[3-9]/.test(answer)) throw new Error(`${id}: ${answer}`);
    recorded[id] = { commands, answer: shorten(JSON.parse(stable(answer))) };
  }
  return recorded;
}

const ENTRIES_SHOWN = 2;

/** The first entries of long lists, and their number. */
function shorten(answer) {
  const cuts = [];
  const cut = (value, name) => {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each, key)]));
    }
    if (value.length > ENTRIES_SHOWN) cuts.push({ name, entries: value.length });
    return value.slice(0, ENTRIES_SHOWN).map((each) => cut(each, name));
  };
  return { shown: cut(answer, ''), cuts };
}
