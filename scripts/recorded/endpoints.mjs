// The endpoints of the document: for each the test that holds it, and a request with its answer, recorded from a
// sandbox. The requests are those of /docs, which shows the same answers.

import { exampleOf } from '../../packages/server/src/gateway/docs/examples.ts';
import { stable } from './stable.mjs';

const HF = '/api/v1/hf/orders';
const RULES = 'order-rules.test.ts';
const STATES = 'order-states.test.ts';
const LOOKUPS = 'lookups-and-cancels.test.ts';

/** In the order of the document: the route's id, its name there, and a test in packages/server/test/interface. */
export const ENDPOINTS = [
  [
    'place-order',
    'Place HF order',
    RULES,
    'an accepted order answers with its id in envelope A and nothing else',
  ],
  [
    'sync-place-order',
    'Sync place HF order',
    RULES,
    'a sync placement answers with exactly the synchronous order result',
  ],
  [
    'place-orders',
    'Place multiple orders',
    'batches.test.ts',
    'five orders are placed in one request, each entry an id and success',
  ],
  [
    'sync-place-orders',
    'Sync place multiple HF orders',
    'batches.test.ts',
    'twenty orders are placed in one sync request, each entry a synchronous result',
  ],
  [
    'get-order',
    'Get HF order by orderId',
    STATES,
    'accepted: the order is active, rests in the book, and can be read the moment its id is known',
  ],
  [
    'get-order-by-client-oid',
    'Get HF order by clientOid',
    LOOKUPS,
    'an order is found by orderId and by clientOid, the same in every field',
  ],
  [
    'cancel-order',
    'Cancel HF order by orderId',
    LOOKUPS,
    'a cancel by orderId answers with the orderId, by clientOid with the clientOid',
  ],
  [
    'cancel-order-by-client-oid',
    'Cancel HF order by clientOid',
    LOOKUPS,
    'a cancel by orderId answers with the orderId, by clientOid with the clientOid',
  ],
  [
    'sync-cancel-order',
    'Sync cancel HF order by orderId',
    LOOKUPS,
    'a sync cancel answers with the bare object: sizes and status done',
  ],
  [
    'sync-cancel-order-by-client-oid',
    'Sync cancel HF order by clientOid',
    LOOKUPS,
    'a sync cancel answers with the bare object: sizes and status done',
  ],
  [
    'get-currency',
    'Get currency detail',
    'reference.test.ts',
    'a currency is public and has exactly the documented fields, its chains too',
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
    'fee rates come in envelope A, one entry per pair asked for',
  ],
  [
    'get-trade-histories',
    'Get trade histories',
    'market-data.test.ts',
    'every fill is a trade of its own, with the side of the taker and nanoseconds',
  ],
  [
    'get-ticker',
    'Get ticker',
    'market-data.test.ts',
    'the ticker shows the best of each side, the size of the whole level, and the last trade',
  ],
  [
    'get-account',
    'Get account detail',
    'accounts.test.ts',
    'account detail is the bare object of that account',
  ],
  [
    'list-accounts',
    'List accounts',
    'accounts.test.ts',
    'the list is in envelope A: ids of 24 hex digits for MAIN and decimal digits for TRADE, stable',
  ],
  [
    'get-transferable',
    'Get transferable',
    'accounts.test.ts',
    'transferable is the available money of MAIN or TRADE',
  ],
  [
    'flex-transfer',
    'Flex transfer',
    'accounts.test.ts',
    'an internal transfer is complete when answered, both ways, to the smallest precision',
  ],
  [
    'list-deposit-addresses',
    'Get deposit addresses (V2)',
    'deposits.test.ts',
    'a created address comes in envelope A and is listed from then on; a second one is refused',
  ],
  [
    'create-deposit-address',
    'Create deposit address',
    'deposits.test.ts',
    'a created address comes in envelope A and is listed from then on; a second one is refused',
  ],
  [
    'submit-questionnaire',
    'Submit deposit questionnaire',
    'deposits.test.ts',
    'a deposit under the Travel Rule waits, and is credited when its questionnaire is accepted',
  ],
  [
    'list-regions',
    'Regions list',
    'deposits.test.ts',
    'the regions are public: code and English name, in envelope A',
  ],
].map(([id, name, file, title]) => ({
  id,
  name,
  test: { path: `packages/server/test/interface/${file}`, title },
}));

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

/** What must be there first; the result fills the capitals of the example. */
const PREPARED = {
  'sync-place-order': async (sandbox) => {
    await sandbox.act('bob', 'POST', HF, { ...ORDER, side: 'sell', price: '60000', size: '0.5' });
  },
  'list-deposit-addresses': (sandbox) =>
    sandbox.act('alice', 'POST', '/api/v1/deposit-addresses', { currency: 'USDT', chain: 'trx' }),
  'get-account': async (sandbox) => {
    const path = '/api/v1/accounts?currency=BTC&type=trade';
    const { data } = await sandbox.act('alice', 'GET', path);
    return { ACCOUNT_ID: data[0].id };
  },
  'submit-questionnaire': async (sandbox) => {
    const { userId } = sandbox.user('alice');
    const deposit = {
      userId,
      currency: 'USDT',
      chain: 'trx',
      amount: '250',
      txId: 'docs-1',
      travelRule: true,
    };
    const { travelRuleOId } = await sandbox.operate('/v1/deposits', deposit);
    return { TRAVEL_RULE_OID: travelRuleOId };
  },
};

/** For look-ups and cancels: an open order of alice's. */
async function placeOpen(sandbox, id) {
  const clientOid = `my-order-${ENDPOINTS.findIndex((each) => each.id === id)}`;
  const { data } = await sandbox.act('alice', 'POST', HF, { ...ORDER, clientOid });
  return { ORDER_ID: data.orderId, CLIENT_OID: clientOid };
}

/** Trades are there before they are looked at; apart from that the order of the document is kept. */
export async function recordEndpoints(sandbox, routes) {
  const recorded = {};
  for (const { id } of ENDPOINTS) {
    const route = routes.find((each) => each.id === id);
    const isOnOrder = /:(orderId|clientOid)/.test(route.path);
    const places = isOnOrder ? await placeOpen(sandbox, id) : await PREPARED[id]?.(sandbox);
    const request = fill(exampleOf(route), places ?? {});
    const answer = await sandbox.send(route.access === 'public' ? undefined : 'alice', request);
    if (answer.status !== 200) throw new Error(`${id}: ${answer.status} ${answer.text}`);
    recorded[id] = {
      method: request.method,
      path: stable(request.path),
      body: stable(request.body),
      answer: shorten(JSON.parse(stable(answer.text))),
    };
  }
  return recorded;
}

function fill({ method, path, body }, places) {
  const filled = (text) => text.replaceAll(/\b[A-Z]+(_[A-Z]+)+\b/g, (place) => places[place] ?? place);
  return { method, path: filled(path), body: filled(body) };
}

const ENTRIES_SHOWN = 2;

/** Of long lists the first entries, and how many there were. */
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
