/** The private topics of one user. */

import assert from 'node:assert/strict';
import { type AccountType, parseDecimal, toUnits } from '@bourse/core';
import { formatMoney, formatSmall } from '../../../src/gateway/decimals.ts';
import { accountId, markedId, orderId } from '../../../src/gateway/ids.ts';
import type { Catalogue } from '../../../src/views/catalogue.ts';
import type { Data } from '../feed-client.ts';
import type { Check } from './check.ts';
import { StepCheck } from './market-checks.ts';
import { OrderWatch } from './order-watch.ts';
import type { DepositStep, FillMade, OrderStep, PostingMade, StopStep, UserTruth } from './truth.ts';

const STATUS = {
  received: 'new',
  open: 'open',
  match: 'match',
  update: 'open',
  filled: 'done',
  canceled: 'done',
} as const;
/** Finer than any currency's own. */
const MONEY_DECIMALS = 24;

export function userChecks(user: UserTruth, catalogue: Catalogue): Check[] {
  const step = (each: OrderStep) => orderOf(each, catalogue);
  const orders = new OrderWatch();
  const sums = new BalanceSums();
  return [
    new StepCheck('/spotMarket/tradeOrders', user.orders, step, {
      isTold: ({ type }) => type !== 'received',
    }),
    new StepCheck('/spotMarket/tradeOrdersV2', user.orders, step, { look: (data) => orders.take(data) }),
    new StepCheck('/spot/tradeFills', user.fills, (each) => fillOf(each, catalogue)),
    new StepCheck('/account/balance', user.postings, (each) => postingOf(each, catalogue), {
      look: (data) => sums.take(data),
    }),
    new StepCheck('/spotMarket/advancedOrders', user.stops, (each) => stopOf(each, catalogue)),
    new StepCheck('/account/deposits', user.deposits, (each) => depositOf(each, catalogue)),
  ];
}

function orderOf(step: OrderStep, catalogue: Catalogue): Data {
  const { type, order, createdAt, symbol, remaining, cancelled, fill } = step;
  const { code, sizeDecimals } = catalogue.symbolAt(symbol);
  return {
    type,
    status: STATUS[type],
    symbol: code,
    orderId: orderId(order, createdAt),
    orderTime: createdAt,
    remainSize: formatSmall(remaining, sizeDecimals),
    ...(cancelled >= 0 && { canceledSize: formatSmall(cancelled, sizeDecimals) }),
    ...matchOf(fill, catalogue),
  };
}

/** Only a match message reports a trade. */
function matchOf(made: FillMade | undefined, catalogue: Catalogue): Data {
  if (made === undefined) return { tradeId: undefined };
  const { trade, fill } = made;
  const { priceDecimals, sizeDecimals } = catalogue.symbolAt(trade.symbol);
  return {
    tradeId: String(trade.trade),
    matchPrice: formatSmall(trade.price, priceDecimals),
    matchSize: formatSmall(trade.size, sizeDecimals),
    liquidity: fill.liquidity,
  };
}

/** Its amounts are JSON numbers. */
function fillOf({ trade, fill, createdAt, time }: FillMade, catalogue: Catalogue): Data {
  const { code, quote, priceDecimals, sizeDecimals } = catalogue.symbolAt(trade.symbol);
  const { code: currency, scale } = catalogue.currencyAt(quote);
  const isIncoming = fill === trade.incoming;
  return {
    symbol: code,
    tradeId: String(trade.trade),
    orderId: orderId(fill.order, createdAt),
    side: isIncoming === (trade.side === 'buy') ? 'buy' : 'sell',
    price: Number(formatSmall(trade.price, priceDecimals)),
    size: Number(formatSmall(trade.size, sizeDecimals)),
    fee: Number(formatMoney(fill.fee, scale)),
    feeCurrency: currency,
    time: `${time}000000`,
  };
}

function postingOf({ event, id, time }: PostingMade, catalogue: Catalogue): Data {
  const { user, currency, available, hold } = event;
  const { code, scale } = catalogue.currencyAt(currency);
  return {
    accountId: accountId({ user, type: event.account as AccountType, currency }),
    currency: code,
    total: formatMoney(available + hold, scale),
    available: formatMoney(available, scale),
    hold: formatMoney(hold, scale),
    availableChange: formatMoney(event.availableChange, scale),
    holdChange: formatMoney(event.holdChange, scale),
    relationEventId: id,
    time: String(time),
  };
}

function stopOf({ event, time }: StopStep, catalogue: Catalogue): Data {
  const { code, priceDecimals, sizeDecimals } = catalogue.symbolAt(event.symbol);
  const common = { orderId: markedId('stop-order', event.stopOrder), symbol: code };
  if (event.kind === 'stop-done') {
    const isTriggered = event.reason === 'triggered' || event.reason === 'rejected';
    const triggerSuccess = isTriggered ? event.reason === 'triggered' : undefined;
    return { ...common, type: isTriggered ? 'triggered' : 'cancel', triggerSuccess };
  }
  return {
    ...common,
    type: 'open',
    side: event.side,
    stop: event.stop,
    stopPrice: formatSmall(event.stopPrice, priceDecimals),
    orderPrice: formatSmall(event.price, priceDecimals),
    size: formatSmall(event.size, sizeDecimals),
    createdAt: time,
  };
}

function depositOf({ event, time }: DepositStep, catalogue: Catalogue): Data {
  const { code, scale } = catalogue.currencyAt(event.currency);
  return {
    id: markedId('deposit', event.deposit),
    currency: code,
    chain: event.chain,
    amount: formatMoney(event.amount, scale),
    walletTxId: event.txId,
    status: 'SUCCESS',
    time,
  };
}

/** A balance equals the previous balance plus the changes, so a client that sums them needs no other source. */
class BalanceSums {
  readonly #sums = new Map<string, { available: bigint; hold: bigint }>();

  take(data: Data): void {
    const money = (name: string) =>
      toUnits(parseDecimal(String(data[name]).replace('-', ''))!, MONEY_DECIMALS)!;
    const change = (name: string) => (String(data[name]).startsWith('-') ? -money(name) : money(name));
    const account = String(data['accountId']);
    const before = this.#sums.get(account);
    const now = { available: money('available'), hold: money('hold') };
    assert.equal(money('total'), now.available + now.hold);
    if (before) {
      assert.equal(now.available, before.available + change('availableChange'), account);
      assert.equal(now.hold, before.hold + change('holdChange'), account);
    }
    this.#sums.set(account, now);
  }
}
