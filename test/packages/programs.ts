// Programs as users write them, as text: each prints one line if it succeeds.

const CREDENTIALS = `{
  apiKey: '65a0b0c0d0e0f00000a11ce1',
  apiSecret: 'a11ce000-5a4d-4b0c-8e11-000000000001',
  apiPassphrase: 'alice-sandbox',
}`;

/** Works in Node and in a page. `socket` names a function that opens a websocket, or is ''. */
const trade = (url: string, socket: string): string => `
const client = new BourseClient({ url: ${url}, credentials: ${CREDENTIALS} });
const options = { ${socket === '' ? '' : `openSocket: ${socket}`} };
const symbol = 'BTC-USDT';
const feed = new Feed(client, options);
const seen = new Promise((resolve) => {
  feed.subscribe('/spotMarket/tradeOrdersV2', ({ data }) => resolve(data.orderId)).then(place);
});
let placed;
async function place() {
  placed = await client.placeOrder({ symbol, type: 'limit', side: 'buy', price: '20000', size: '0.01' });
}
const reported = await seen;
const entry = new OrderEntry(client.http, options);
const second = await entry.placeOrderSync({ symbol, type: 'limit', side: 'buy', price: '19000', size: '0.01' });
const order = await client.order({ symbol, orderId: reported });
feed.close();
entry.close();
const isRight = order.active && order.price === '20000' && second.status === 'open';
`;

export const nodeProgram = `import { BourseClient, Feed, OrderEntry } from '@bourse/client';
import { openNodeSocket } from '@bourse/client/node';
${trade('process.argv[2]', 'openNodeSocket')}
console.log(isRight ? 'traded on ' + process.version : JSON.stringify({ order, second }));
`;

/** Without \`ws\`: uses Node's own websocket. */
export const socketlessProgram = `import { BourseClient, Feed } from '@bourse/client';
const feed = new Feed(new BourseClient({ url: process.argv[2] }));
await feed.subscribe('/market/ticker:BTC-USDT', () => undefined).then(
  () => console.log('subscribed'),
  (error) => console.log(error.message),
);
process.exit();
`;

export const pageProgram = `import { BourseClient, Feed, OrderEntry } from '@bourse/client';
export async function run(url) {
${trade('url', '')}
return isRight;
}
`;

/** A test of a bot: the response to an order is lost, but the order exists. */
export const faultTest = `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startExchange } from '@bourse/testing';

let exchange;
before(async () => {
  exchange = await startExchange({ clock: 'manual' });
});
after(() => exchange.stop());

test('an order whose answer was lost is found by its clientOid', async () => {
  const alice = exchange.client('alice');
  const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.1', clientOid: 'first' };
  await exchange.faults.add({ match: { user: 'alice' }, effect: { kind: 'drop-reply' }, times: 1 });
  await assert.rejects(alice.placeOrder(order));
  assert.equal((await alice.order({ symbol: 'BTC-USDT', clientOid: 'first' })).active, true);
});

test('a wrong option is refused', async () => {
  await assert.rejects(startExchange({ clock: 'slow' }), { name: 'ConfigError', message: /clock: 'slow'/ });
});
`;

/** Prints the address of its exchange and crashes. */
export const dyingProgram = `import { startExchange } from '@bourse/testing';
const { baseUrl } = await startExchange();
process.stdout.write(baseUrl, () => {
  if (process.argv[2] === 'exit') process.exit();
  process.kill(process.pid, 'SIGKILL');
});
`;

export const typedProgram = `import { ApiError, BourseClient, Feed, type NewOrder, type Order } from '@bourse/client';
import { openNodeSocket } from '@bourse/client/node';

const client: BourseClient = new BourseClient({ url: 'http://127.0.0.1:8080' });
const order: NewOrder = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1', size: '1' };
export const feed = new Feed(client, { openSocket: openNodeSocket });
export const found: Promise<Order> = client.placeOrder(order).then(({ orderId }) =>
  client.order({ symbol: order.symbol, orderId }),
);
// @ts-expect-error: a price is a text.
export const wrong: NewOrder = { ...order, price: 1 };
export const isError = (error: unknown): boolean => error instanceof ApiError;
`;

export const typedKitProgram = `import { type FaultRule, startExchange } from '@bourse/testing';

const rule: FaultRule = { effect: { kind: 'drop-reply' }, times: 1 };
const exchange = await startExchange({ market: 'quiet' });
export const { id } = await exchange.faults.add(rule);
// @ts-expect-error: a price is a text.
await exchange.client('alice').placeOrder({ symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: 1, size: '1' });
`;
