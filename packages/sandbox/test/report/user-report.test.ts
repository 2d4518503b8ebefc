import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, Exchange, formatUnits, parseDecimal, type Side, toUnits } from '@bourse/core';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { SimulatedMarket } from '@bourse/test-kit/simulated-market.ts';
import type { Report } from '../../src/report/report.ts';
import { NoReport, Reporter } from '../../src/report/user-report.ts';

const LIVING = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC', 'KCS-USDT'];
const ALICE = 0;
const BOB = 1;
const ALICE_SUB = 3;

const units = (decimal: string, scale: number): bigint =>
  decimal.startsWith('-')
    ? -toUnits(parseDecimal(decimal.slice(1))!, scale)!
    : toUnits(parseDecimal(decimal)!, scale)!;

/** The market with users in it whose commands the test decides. */
class Trading {
  readonly market: SimulatedMarket;
  readonly random: Random;

  constructor(seed: number) {
    this.market = new SimulatedMarket('busy', seed, { isRecorded: true, symbols: LIVING });
    this.random = new Random(seed);
    // So that both sides are quoted.
    for (let step = 0; step < 3; step += 1) this.market.step();
  }

  get exchange(): Exchange {
    return this.market.exchange;
  }

  symbol(code: string): number {
    return this.exchange.reference.symbolNumber(code);
  }

  currency(code: string): number {
    return this.exchange.reference.currencyNumber(code);
  }

  apply(...commands: Command[]): void {
    this.market.time += 7;
    this.market.apply(commands);
  }

  /** Some steps of the agents, and commands of the user between them. */
  tradeAtRandom(user: number, rounds: number): void {
    const { random, exchange } = this;
    for (let round = 0; round < rounds; round += 1) {
      this.market.step();
      const symbol = this.symbol(LIVING[random.below(LIVING.length)]!);
      const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
      const best = exchange.bestPrice(symbol, side);
      const [level] = exchange.depth(symbol, side === 'buy' ? 'sell' : 'buy', 1);
      const { priceIncrement, priceDecimals } = exchange.reference.symbol(symbol);
      const step = Number(toUnits(parseDecimal(priceIncrement)!, priceDecimals)!);
      const size = level === undefined ? 0 : Math.max(1, Math.floor(level.size / (1 + random.below(40))));
      const price = best + step * (random.below(5) - 2);
      const order = { user, symbol, side } as const;
      switch (random.below(7)) {
        case 0:
        case 1:
          this.apply({ kind: 'place-order', ...order, type: 'limit', price, size });
          break;
        case 2:
          this.apply({ kind: 'place-order', ...order, type: 'limit', price, size, hidden: true });
          break;
        case 3:
          this.apply({ kind: 'place-order', ...order, type: 'market', size });
          break;
        case 4: {
          const funds = BigInt(price) * BigInt(size);
          this.apply({ kind: 'place-order', ...order, type: 'market', funds });
          break;
        }
        case 5:
          this.apply({ kind: 'cancel-orders', user, symbol });
          break;
        default:
          this.apply({
            kind: 'place-orders',
            user,
            orders: [
              { symbol, side, type: 'limit', price, size },
              { symbol, side, type: 'limit', price: 0, size },
            ],
          });
      }
    }
  }

  /** At the mid price, like the report, but from the current state of the exchange. */
  worth(code: string, amount: bigint): bigint {
    if (code === 'USDT') return amount;
    const symbol = this.symbol(`${code}-USDT`);
    const { base, sizeDecimals } = this.exchange.reference.symbol(symbol);
    const [bid, ask] = (['buy', 'sell'] as const).map((side) =>
      BigInt(this.exchange.depth(symbol, side, 1)[0]!.price),
    );
    const factor = 10n ** BigInt(this.exchange.reference.currencies[base]!.scale - sizeDecimals);
    return (amount * (bid! + ask!)) / (2n * factor);
  }

  balance(user: number, code: string): bigint {
    const currency = this.currency(code);
    return this.exchange
      .accounts(user)
      .filter((account) => account.currency === currency)
      .reduce((sum, { available, hold }) => sum + available + hold, 0n);
  }

  worthOf(user: number): bigint {
    return ['USDT', 'BTC', 'ETH', 'KCS'].reduce(
      (sum, code) => sum + this.worth(code, this.balance(user, code)),
      0n,
    );
  }

  report(user: string, from = 0, until = Infinity, currency = 'USDT'): Report {
    const reporter = new Reporter(new Exchange(), { user, from, until, currency });
    for (const record of this.market.records) if (record.time <= until) reporter.take(record);
    return reporter.end();
  }
}

describe('the report of a user', { timeout: 300_000 }, () => {
  const SEEDS = ofSize([11, 12, 13], [11, 12, 13, 14, 15, 16, 17, 18]);
  for (const seed of SEEDS) {
    test(`PnL and inventory agree with the ledger to the last unit, random trading, seed ${seed}`, (context) => {
      const trading = new Trading(seed);
      const { exchange } = trading;
      const scale = exchange.reference.currencies[trading.currency('USDT')]!.scale;
      const from = trading.market.time + 1;
      trading.market.time = from;
      const atStart = trading.worthOf(ALICE);
      let moved = 0n;
      trading.tradeAtRandom(ALICE, 120);
      // A transfer to a sub-account, one between own accounts, and a deposit, each at the price of its time.
      const [bitcoin, ether] = [trading.currency('BTC'), trading.currency('ETH')];
      const scaleOf = (currency: number) => exchange.reference.currencies[currency]!.scale;
      const gone = units('3.7', scaleOf(bitcoin));
      moved -= trading.worth('BTC', gone);
      const own = { kind: 'transfer', user: ALICE, currency: bitcoin } as const;
      trading.apply({
        ...own,
        type: 'parent-to-sub',
        clientId: 'to-sub',
        amount: gone,
        from: 'trade',
        to: 'trade',
        fromUser: ALICE,
        toUser: ALICE_SUB,
      });
      trading.apply({
        ...own,
        type: 'internal',
        clientId: 'own',
        amount: units('5', scaleOf(bitcoin)),
        from: 'main',
        to: 'trade',
      });
      trading.tradeAtRandom(ALICE, 60);
      const came = units('12.345678', scaleOf(ether));
      moved += trading.worth('ETH', came);
      const { chainId } = exchange.reference.currencies[ether]!.chains[0]!;
      trading.apply({
        kind: 'report-deposit',
        user: ALICE,
        currency: ether,
        chain: chainId,
        amount: came,
        txId: 'a-deposit',
        travelRule: false,
      });
      trading.tradeAtRandom(ALICE, 120);

      const report = trading.report('alice', from);
      context.diagnostic(`${report.fills.count} fills, ${JSON.stringify(report.pnl)}`);
      assert.ok(report.fills.maker > 5 && report.fills.taker > 20, JSON.stringify(report.fills));
      for (const { currency, start, moved: by, traded, fees, end } of report.inventory) {
        const { scale: places } = exchange.reference.currencies[trading.currency(currency)]!;
        const of = (decimal: string) => units(decimal, places);
        assert.equal(of(end), trading.balance(ALICE, currency), currency);
        assert.equal(of(start) + of(by) + of(traded) - of(fees), of(end), currency);
      }
      const { pnl } = report;
      const worthAtEnd = trading.worthOf(ALICE);
      assert.equal(pnl.worthAtStart, formatUnits(atStart, scale));
      assert.equal(pnl.worthAtEnd, formatUnits(worthAtEnd, scale));
      assert.equal(pnl.moved, formatUnits(moved, scale));
      assert.equal(pnl.total, formatUnits(worthAtEnd - atStart - moved, scale));
      const money = (decimal: string) => units(decimal, scale);
      assert.equal(money(pnl.realised) + money(pnl.unrealised) - money(pnl.fees), money(pnl.total));
      assert.equal(money(pnl.trading) + money(pnl.holding), money(pnl.total));
      assert.equal(
        report.orders.refused.some(({ count }) => count > 0),
        true,
      );
      assert.ok(report.curve.length > 10 && report.curve.length <= 401);
      assert.equal(report.curve.at(-1)?.pnl, pnl.total);
    });
  }

  test('average cost, fees and slippage of a few trades match a calculation by hand', () => {
    const trading = new Trading(5);
    const symbol = trading.symbol('LTC-USDT');
    const { priceDecimals, sizeDecimals } = trading.exchange.reference.symbol(symbol);
    const place = (user: number, side: Side, price: string, size: string) =>
      trading.apply({
        kind: 'place-order',
        user,
        symbol,
        side,
        type: 'limit',
        price: Number(units(price, priceDecimals)),
        size: Number(units(size, sizeDecimals)),
        clientId: `${user}-${side}-${trading.market.time}`,
      });
    trading.apply({ kind: 'set-fees', user: ALICE, maker: '0.001', taker: '0.001' });
    place(BOB, 'buy', '90', '10');
    place(BOB, 'sell', '100', '10');
    const from = trading.market.time + 1;
    // The mid price is 95, at which 1,000 coins are valued. 10 are bought for 100 each, so the average is 95.0495...
    place(ALICE, 'buy', '100', '10');
    place(BOB, 'sell', '100', '10');
    // 4 go for 90 each, to the bid.
    place(ALICE, 'sell', '90', '4');
    const { pnl, inventory, fills, slippage, orders } = trading.report('alice', from);
    const coins = inventory.find(({ currency }) => currency === 'LTC')!;
    // 2,000 coins of both accounts cost 190,000; with 10 for 1,000 more 191,000 for 2,010.
    assert.deepEqual(
      { start: coins.start, traded: coins.traded, end: coins.end, averageCost: coins.averageCost },
      { start: '2000', traded: '6', end: '2006', averageCost: '95.02487562189' },
    );
    // 4 for 360, of which the cost was 380.0995...; the fees are 1 and 0.36.
    const LAST = 12;
    assert.equal(coins.realised, pnl.realised);
    const share = (191_000n * 10n ** BigInt(LAST) * 4n) / 2010n;
    assert.equal(pnl.fees, '1.36');
    assert.ok(
      pnl.realised.startsWith(`-${formatUnits(share - 360n * 10n ** BigInt(LAST), LAST)}`),
      pnl.realised,
    );
    assert.deepEqual(slippage.taker, { fills: 2, cost: '70', bp: '514.7' });
    assert.deepEqual([fills.taker, fills.maker, fills.turnover], [2, 0, '1360']);
    assert.deepEqual(orders.done, [{ code: 'filled', count: 2 }]);
  });

  test('a report covers any period in any currency, and reports of two periods add up', () => {
    const trading = new Trading(21);
    trading.tradeAtRandom(ALICE, 60);
    const middle = trading.market.time;
    trading.market.time += 1;
    trading.tradeAtRandom(ALICE, 60);
    const scale = trading.exchange.reference.currencies[trading.currency('BTC')]!.scale;
    const whole = trading.report('alice', 0, Infinity, 'BTC');
    const first = trading.report('alice', 0, middle, 'BTC');
    const second = trading.report('alice', middle + 1, Infinity, 'BTC');
    assert.equal(whole.fills.count, first.fills.count + second.fills.count);
    assert.equal(whole.orders.placed, first.orders.placed + second.orders.placed);
    assert.equal(first.pnl.worthAtEnd, second.pnl.worthAtStart);
    const total = ({ pnl }: Report) => units(pnl.total, scale);
    assert.equal(total(first) + total(second), total(whole));
    // From the first record: holdings without a price are valued at their first one.
    assert.equal(whole.pnl.worthAtStart, '0');
  });

  test('an unknown user or currency is rejected with the known ones', () => {
    const trading = new Trading(3);
    assert.throws(
      () => trading.report('nobody'),
      (error: unknown) =>
        error instanceof NoReport && /Unknown user 'nobody'. Expected one of: alice, bob/.test(error.message),
    );
    assert.throws(
      () => trading.report('alice', 0, Infinity, 'NOPE'),
      /Unknown currency 'NOPE'. Expected one of: .*USDT/,
    );
  });
});
