// Order entry over one websocket: a hundred orders in flight, one moved, all cancelled.
// `npm start`, then `npx node examples/bot-order-entry.ts`.

import { ApiError, BourseClient, OrderEntry } from '@bourse/client';

const { http } = new BourseClient({
  url: process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080',
  credentials: {
    apiKey: '65a0b0c0d0e0f00000ca2011',
    apiSecret: 'ca201000-5a4d-4b0c-8e11-000000000003',
    apiPassphrase: 'carol-sandbox',
  },
});
const entry = new OrderEntry(http);
const symbol = 'BTC-USDT';

await entry.connect();
const ladder = Array.from({ length: 100 }, (_, step) =>
  entry.placeOrder({ symbol, type: 'limit', side: 'buy', price: String(20_000 - step), size: '0.001' }),
);
const orders = await Promise.all(ladder);
console.log(`placed: ${orders.length}`);

const { orderId } = orders[0]!;
const { newOrderId } = await entry.alterOrder({ symbol, orderId, newPrice: '19900.5' });
console.log(`moved the best one: ${newOrderId !== null && newOrderId !== orderId}`);

const open = [newOrderId!, ...orders.slice(1).map((order) => order.orderId)];
const ends = await Promise.all(open.map((id) => entry.cancelOrderSync({ symbol, orderId: id })));
console.log(`cancelled: ${ends.filter(({ status }) => status === 'done').length}`);

const again = entry.cancelOrder({ symbol, orderId });
await again.catch((error: ApiError) => console.log(`once more: ${error.code} ${error.msg}`));
entry.close();
