/**
 * A world with some of everything, for snapshots; `goOn` then uses all of it, so that anything missing in a snapshot
 * shows.
 */

import type { LogRecord, OrderRequest } from '../src/commands/commands.ts';
import { CHAIN, currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

/** May appear only in the snapshot. */
export const CANARY = 'canary-7f3a91-secret';

const [ALICE, BOB, CAROL, SUB] = [0, 1, 2, 3];
const [BTC, USDT, ETH] = [0, 1, 2];
const [BTC_USDT, ETH_USDT, ETH_BTC] = [0, 1, 2];

const buy = (price: number, size: number, more: Partial<OrderRequest> = {}): OrderRequest => ({
  symbol: BTC_USDT,
  type: 'limit',
  side: 'buy',
  price,
  size,
  ...more,
});
const sell = (price: number, size: number, more: Partial<OrderRequest> = {}): OrderRequest => ({
  ...buy(price, size),
  side: 'sell',
  ...more,
});

export function richVenue(): Venue {
  const venue = new Venue();
  build(venue);
  return venue;
}

/** All records of its life, and how many of them only build it. */
export function richRecords(): { records: LogRecord[]; built: number } {
  const venue = richVenue();
  const built = venue.records.length;
  goOn(venue);
  return { records: venue.records, built };
}

function build(venue: Venue): void {
  buildReference(venue);
  for (const user of [ALICE, BOB, CAROL]) {
    venue.fund(user, BTC, 1_000n * 10n ** 8n);
    venue.fund(user, USDT, 10_000_000n * 10n ** 6n);
    venue.fund(user, ETH, 1_000n * 10n ** 8n);
  }
  venue.time += 1000;
  buildMoney(venue);
  buildRequests(venue);
  buildOrders(venue);
  buildStopsAndSwitches(venue);
  // Renamed while orders rest, and closed with orders inside.
  venue.do(
    { kind: 'change-symbol', symbol: ETH_USDT, name: 'ETHER-USDT', market: 'ALTS', priceIncrement: '0.2' },
    {
      kind: 'change-currency',
      currency: ETH,
      name: 'ETHER',
      chains: [CHAIN, { ...CHAIN, chainId: 'second' }],
    },
    { kind: 'set-market-state', symbol: ETH_BTC, state: 'cancel-only' },
    { kind: 'change-symbol', symbol: ETH_BTC, enableTrading: false },
    { kind: 'set-limits', lookupWindowMs: 60_000, activeOrdersPerSymbolMax: 50, stopOrdersPerSymbolMax: 6 },
  );
}

function buildReference(venue: Venue): void {
  const grants = { version: 3, permissions: ['spot', 'general'], ipAllowList: ['10.0.0.1', '::1'] } as const;
  venue.do(
    currency('BTC', 4, 8),
    currency('USDT', 2, 6),
    currency('ETH', 4, 8),
    symbol('BTC-USDT', BTC, USDT),
    symbol('ETH-USDT', ETH, USDT),
    symbol('ETH-BTC', ETH, BTC, { priceIncrement: '0.0001', quoteMinSize: '0', minFunds: '0.0001' }),
    { kind: 'add-user', name: 'alice' },
    { kind: 'add-user', name: 'bob' },
    { kind: 'add-user', name: 'carol' },
    { kind: 'add-user', name: 'alice-sub', parent: ALICE },
    { kind: 'set-fees', maker: '0.001', taker: '0.002' },
    { kind: 'set-fees', user: BOB, maker: '0.00033333', taker: '0.00077777' },
    { kind: 'set-fees', symbol: ETH_BTC, maker: '0', taker: '0.01' },
    { kind: 'set-fees', user: ALICE, symbol: BTC_USDT, maker: '0.0001', taker: '0.00019999' },
    { kind: 'add-key', user: BOB, key: 'zed', ...grants, secret: CANARY },
    { kind: 'add-key', user: ALICE, key: 'abc', ...grants, version: 2, secret: `${CANARY}-two` },
    { kind: 'add-key', user: ALICE, key: 'gone', ...grants, secret: 'removed' },
    { kind: 'change-key', key: 'zed', permissions: ['withdrawal'], ipAllowList: [] },
    { kind: 'remove-key', key: 'gone' },
  );
}

function buildMoney(venue: Venue): void {
  const deposit = { kind: 'report-deposit', currency: USDT, chain: 'net' } as const;
  const waiting = (txId: string): number => {
    const amount = 5_000_000_000n;
    const [outcome] = venue.do({ ...deposit, user: CAROL, amount, txId, travelRule: true }).outcomes;
    return outcome.kind === 'deposit' ? outcome.travelRuleId : 0;
  };
  const submit = (travelRuleId: number, info: string): number =>
    venue.make({ kind: 'submit-questionnaire', user: CAROL, travelRuleId, senderType: 'company', info });
  const decide = (questionnaire: number, accepted: boolean) =>
    venue.do({ kind: 'decide-questionnaire', questionnaire, accepted, failureCode: accepted ? '' : 'NAME' });

  waiting('no-questionnaire');
  submit(waiting('pending'), 'plain');
  const failed = waiting('failed');
  decide(submit(failed, 'latin: \u00e9\u00ff'), false);
  submit(failed, 'wide: \u20ac \u{1f600}, half a pair: \ud83d');
  decide(submit(waiting('accepted'), 'x'.repeat(300)), true);
  venue.do({ ...deposit, user: ALICE, amount: 900_000_000n, txId: 'plain', travelRule: false });

  const move = { kind: 'transfer', user: ALICE, from: 'main', to: 'trade' } as const;
  venue.do(
    { ...move, type: 'internal', clientId: 'unnamed', amount: 10_000n },
    { ...move, type: 'parent-to-sub', clientId: 'down', currency: USDT, amount: 200_000_000n, toUser: SUB },
    {
      ...move,
      type: 'sub-to-parent',
      clientId: 'up',
      currency: USDT,
      amount: 10_000n,
      fromUser: SUB,
      from: 'trade',
    },
  );
  const address = { currency: USDT, chain: 'net', address: 'there', memo: 'm' };
  const withdraw = () =>
    venue.make({ kind: 'request-withdrawal', user: ALICE, ...address, amount: 10_000_000n });
  withdraw();
  venue.do({ kind: 'cancel-withdrawal', user: ALICE, withdrawal: withdraw() });
  const sent = withdraw();
  venue.do({ kind: 'claim-withdrawal', withdrawal: sent, by: 'ann' });
  venue.do({ kind: 'settle-withdrawal', withdrawal: sent, sent: true, txId: 'paid' });
  venue.do({ kind: 'claim-withdrawal', withdrawal: withdraw() });
  venue.do({ kind: 'settle-withdrawal', withdrawal: withdraw(), sent: false });
  venue.make({ kind: 'request-withdrawal', user: ALICE, ...address, memo: '', amount: 20_000_000n });
}

/** Requests that act once, addresses, and users that were changed. */
function buildRequests(venue: Venue): void {
  const address = { kind: 'add-address', chain: 'net', memo: '' } as const;
  const once = (id: string, afterMs: number) => ({ once: { id, until: venue.time + afterMs } });
  venue.do(
    { ...address, user: BOB, currency: USDT, address: 'bob-usdt', memo: '7' },
    { ...address, user: ALICE, currency: USDT, address: 'alice-usdt' },
    { ...address, user: ALICE, currency: BTC, address: 'alice-btc' },
    { kind: 'change-user', user: ALICE, tier: 7, by: 'operator', why: '\u20ac' },
    { kind: 'change-user', user: BOB, frozen: true },
    { kind: 'change-user', user: BOB, frozen: false, ...once('zz', 60_000) },
    { kind: 'cancel-orders', user: SUB, ...once('short', 100) },
    { kind: 'cancel-orders', user: SUB, ...once('a', 2000) },
    { kind: 'cancel-orders', user: SUB, ...once('b', 30_000) },
  );
}

function buildOrders(venue: Venue): void {
  // Icebergs: one whose slice is half gone, one whose next slice went behind another order.
  venue.place(ALICE, sell(1_010_000, 2000, { iceberg: true, visibleSize: 300, clientId: 'berg', stp: 'CO' }));
  venue.place(CAROL, sell(1_010_000, 500));
  venue.place(BOB, buy(1_010_000, 450, { timeInForce: 'IOC', clientId: 'bob-ioc' }));
  venue.place(ALICE, buy(990_000, 1000, { iceberg: true, visibleSize: 50, tags: 'ice' }));
  venue.place(CAROL, sell(990_000, 20));
  venue.place(BOB, buy(990_000, 700, { hidden: true, remark: 'not seen' }));
  venue.place(CAROL, sell(1_010_000, 333, { hidden: true, stp: 'CB' }));
  for (const stp of ['', 'CN', 'CO', 'CB', 'DC'] as const) {
    venue.place(BOB, buy(980_000, 33, { stp, clientId: `stp-${stp}` }));
  }
  venue.time += 777;
  venue.place(CAROL, buy(970_000, 10, { timeInForce: 'GTT', cancelAfterSec: 30, clientId: 'soon' }));
  venue.place(CAROL, sell(1_030_000, 10, { timeInForce: 'GTT', cancelAfterSec: 90, postOnly: true }));
  venue.place(SUB, buy(900_000, 1, { timeInForce: 'GTT', cancelAfterSec: 1_000_000_000 }));
  // Partly filled, with a fee that needs rounding, then reduced.
  const parts = venue.place(BOB, buy(995_000, 700, { clientId: 'parts' }));
  for (const size of [1, 7, 13]) venue.place(CAROL, sell(995_000, size, { timeInForce: 'FOK' }));
  venue.do({ kind: 'reduce-order', user: BOB, symbol: BTC_USDT, order: parts, size: 101 });
  // Altered: the client id passes on; and a done one, whose client id is kept.
  venue.place(ALICE, sell(1_050_000, 10, { clientId: 'altered' }));
  venue.do({ kind: 'alter-order', user: ALICE, symbol: BTC_USDT, clientId: 'altered', newPrice: 1_060_000 });
  venue.place(ALICE, sell(1_050_000, 10, { clientId: 'cancelled' }));
  venue.do({ kind: 'cancel-order', user: ALICE, symbol: BTC_USDT, clientId: 'cancelled' });
  venue.time += 1;
  const orders = [sell(1_070_000, 5, { symbol: ETH_USDT }), buy(500_000, 5, { symbol: ETH_USDT, tags: 't' })];
  venue.do({ kind: 'place-orders', user: ALICE, orders });
  venue.place(BOB, { symbol: ETH_USDT, type: 'market', side: 'buy', funds: 10_000_000n });
  const small = { symbol: ETH_BTC, price: 50_000 };
  venue.place(CAROL, sell(1, 40, small));
  venue.place(BOB, buy(1, 15, small));
}

function buildStopsAndSwitches(venue: Venue): void {
  const stop = (user: number, kind: 'loss' | 'entry', stopPrice: number, request: OrderRequest) =>
    venue.make({ kind: 'place-stop-order', user, stop: kind, stopPrice, ...request });
  stop(ALICE, 'loss', 985_000, sell(980_000, 40, { clientId: 'stop-loss', remark: 'wait' }));
  stop(ALICE, 'entry', 1_015_000, buy(1_020_000, 20, { iceberg: true, visibleSize: 5, postOnly: false }));
  stop(BOB, 'loss', 985_000, { symbol: BTC_USDT, type: 'market', side: 'sell', size: 3, stp: 'CO' });
  stop(BOB, 'entry', 1_015_000, { symbol: BTC_USDT, type: 'market', side: 'buy', funds: 5_000_000n });
  stop(CAROL, 'loss', 600_000, sell(300_000, 1, { symbol: ETH_USDT, timeInForce: 'GTT', cancelAfterSec: 5 }));
  stop(CAROL, 'entry', 2_000_000, buy(2_000_000, 2, { clientId: 'dropped' }));
  venue.do({ kind: 'cancel-stop-order', user: CAROL, symbol: BTC_USDT, clientId: 'dropped' });
  const pair = (user: number, price: number, stopPrice: number, clientId: string) =>
    venue.make({
      kind: 'place-oco-order',
      user,
      symbol: BTC_USDT,
      side: price > stopPrice ? 'sell' : 'buy',
      price,
      size: 4,
      stopPrice,
      limitPrice: stopPrice,
      clientId,
      remark: 'pair',
    });
  pair(ALICE, 1_012_000, 900_000, 'pair-fills');
  pair(BOB, 1_200_000, 986_000, 'pair-triggers');
  pair(CAROL, 800_000, 1_300_000, 'pair-stays');
  pair(CAROL, 1_300_000, 800_000, 'pair-gone');
  venue.do({ kind: 'cancel-oco-order', user: CAROL, symbol: BTC_USDT, clientId: 'pair-gone' });
  venue.do(
    { kind: 'set-switch', user: ALICE, timeoutSec: 60, symbols: [ETH_USDT, BTC_USDT, ETH_USDT] },
    { kind: 'set-switch', user: BOB, timeoutSec: 300, symbols: [] },
    { kind: 'set-switch', user: CAROL, timeoutSec: 10, symbols: [ETH_BTC] },
    { kind: 'set-switch', user: CAROL, timeoutSec: -1, symbols: [] },
  );
}

/** Everything above is touched again: refused, repeated, filled, triggered, fired, expired. */
export function goOn(venue: Venue): void {
  const deposit = { kind: 'report-deposit', user: ALICE, currency: USDT, chain: 'net' } as const;
  const move = { kind: 'transfer', user: ALICE, from: 'main', to: 'trade' } as const;
  venue.try(
    { ...deposit, amount: 900_000_000n, txId: 'plain', travelRule: false },
    { ...deposit, amount: 900_000_001n, txId: 'plain', travelRule: false },
    { ...move, type: 'internal', clientId: 'unnamed', amount: 10_000n },
    { ...move, type: 'internal', clientId: 'unnamed', currency: USDT, amount: 10_000n },
    { ...move, type: 'parent-to-sub', clientId: 'down', currency: USDT, amount: 200_000_000n, toUser: SUB },
    { kind: 'add-user', name: 'alice-sub' },
    { kind: 'add-user', name: 'sub-of-sub', parent: SUB },
    { kind: 'change-key', key: 'abc', permissions: [] },
    { kind: 'change-key', key: 'gone', permissions: [] },
    { kind: 'remove-key', key: 'zed' },
    currency('ETH', 1, 1),
    symbol('ETH-USDT', ETH, USDT),
  );
  const due = { until: venue.time + 100 };
  venue.try(
    ...['a', 'b', 'short', 'zz'].map(
      (id) => ({ kind: 'cancel-orders', user: SUB, once: { id, ...due } }) as const,
    ),
    { kind: 'add-address', user: ALICE, currency: BTC, chain: 'net', address: 'other', memo: '' },
    { kind: 'add-address', user: BOB, currency: BTC, chain: 'net', address: 'other', memo: '' },
    { kind: 'change-user', user: ALICE, frozen: false },
    { kind: 'change-user', user: CAROL, tier: 2 },
  );
  for (let id = 1; id <= 70; id++) {
    venue.try({ kind: 'decide-questionnaire', questionnaire: id, accepted: id % 2 === 0, failureCode: 'NO' });
    venue.try({ kind: 'settle-withdrawal', withdrawal: id, sent: id % 2 === 0 });
    venue.try({
      kind: 'submit-questionnaire',
      user: CAROL,
      travelRuleId: id,
      senderType: 'individual',
      info: 'again',
    });
  }
  for (const user of [ALICE, BOB, CAROL]) {
    for (const clientId of [
      'berg',
      'bob-ioc',
      'cancelled',
      'altered',
      'stop-loss',
      'dropped',
      'soon',
      'stp-CN',
      'pair-fills',
      'pair-triggers',
      'pair-stays',
      'pair-gone',
    ]) {
      venue.try({ kind: 'test-order', user, ...buy(900_000, 1, { clientId }) });
    }
  }
  venue.try({ kind: 'alter-order', user: ALICE, symbol: BTC_USDT, clientId: 'altered', newSize: 20 });
  venue.try({ kind: 'reduce-order', user: BOB, symbol: BTC_USDT, clientId: 'parts', size: 9 });
  // Through the icebergs and the hidden, up past the entry stops, then down through the loss stops.
  venue.try({ kind: 'place-order', user: SUB, ...buy(1_010_000, 10) });
  for (const size of [100, 400, 30, 2200])
    venue.try({ kind: 'place-order', user: BOB, ...buy(1_040_000, size) });
  for (const size of [10, 55, 300, 2500])
    venue.try({ kind: 'place-order', user: CAROL, ...sell(975_000, size) });
  venue.time += 29_500;
  venue.try();
  venue.time += 20_000;
  venue.try({ kind: 'change-symbol', symbol: ETH_BTC, enableTrading: true });
  venue.try({ kind: 'set-market-state', symbol: ETH_BTC, state: 'open' });
  venue.try({ kind: 'place-order', user: BOB, ...buy(1, 100, { symbol: ETH_BTC, price: 60_000 }) });
  venue.try({ kind: 'place-order', user: BOB, ...sell(400_000, 9, { symbol: ETH_USDT }) });
  for (const step of [15_000, 20_000, 60_000, 300_000]) {
    venue.time += step;
    venue.try({ kind: 'place-order', user: ALICE, ...buy(900_000, 1, { clientId: 'cancelled' }) });
  }
  venue.try({ kind: 'cancel-orders', user: CAROL }, { kind: 'cancel-orders', user: SUB });
  venue.try({ kind: 'change-user', user: SUB, frozen: true });
  venue.try({ kind: 'place-order', user: SUB, ...buy(900_000, 1) });
}
