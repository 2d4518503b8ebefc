/** Records as the follower passes them to history: of a random world, or handmade for extreme amounts. */

import { type Command, Exchange, type LogRecord } from '@bourse/core';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { historyRecordOf, readRecord } from '../../src/history/history-record.ts';
import type { HistoryRecord } from '../../src/history/history.ts';

/** The first records of the world of this seed; operators' commands have an author and a reason. */
export function recordsOf(seed: number, count: number): HistoryRecord[] {
  const flow = new Flow(seed);
  const exchange = new Exchange();
  const records: HistoryRecord[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const drawn = flow.next();
    const record: LogRecord = { ...drawn, commands: drawn.commands.map(signed) };
    const applied = exchange.apply(record);
    const made = historyRecordOf(exchange, applied, record);
    flow.observe(applied.events.decode());
    records.push(made);
  }
  return records;
}

const OPERATOR: readonly string[] = ['set-fees', 'set-market-state', 'add-key', 'report-deposit'];

function signed(command: Command): Command {
  if (!OPERATOR.includes(command.kind)) return command;
  return { ...command, by: 'alice', why: `test of ${command.kind}` } as Command;
}

export const BASE = 3;
export const QUOTE = 5;
const START = 1_700_000_000_000;

/** One trade at a time between user 1, who buys at the market, and user 2, whose order rested; both orders end. */
export class TradeWriter {
  #seq = 1;
  #trades = 0;

  readonly opening: HistoryRecord = readRecord({
    seq: 1,
    time: START,
    events: [
      {
        kind: 'symbol-set',
        symbol: 7,
        code: 'AAA-BBB',
        base: BASE,
        quote: QUOTE,
        sizeDecimals: 0,
        priceDecimals: 0,
        baseIncrement: '1',
        state: 'open',
        name: 'AAA-BBB',
        market: '',
        baseMinSize: '1',
        baseMaxSize: '1',
        quoteMinSize: '1',
        quoteMaxSize: '1',
        quoteIncrement: '1',
        priceIncrement: '1',
        priceLimitRate: '0.1',
        minFunds: '1',
        isMarginEnabled: false,
        enableTrading: true,
      },
    ],
    done: [],
    stops: [],
    ocos: [],
    audited: [],
    orderOf: (order) => ({ order, type: 'limit', makerRate: 0, takerRate: 0 }),
  });

  /** Times are START + seq seconds. */
  trade(price: number, size: number, fee: bigint, balance: bigint, clientId = ''): HistoryRecord {
    const seq = ++this.#seq;
    const time = START + seq * 1000;
    const trade = ++this.#trades;
    const funds = BigInt(price) * BigInt(size);
    const buy = 1000 + trade * 2;
    const sell = buy + 1;
    const posting = (user: number, currency: number, change: bigint, order: number) =>
      ({
        kind: 'balance-changed',
        user,
        account: user < 0 ? 'fees' : 'trade',
        currency,
        availableChange: change > 0n ? change : 0n,
        holdChange: change > 0n ? 0n : change,
        available: balance - 1n,
        hold: 1n,
        cause: 'trade',
        order,
        trade,
        reference: 0,
      }) as const;
    const order = {
      order: buy,
      user: 1,
      symbol: 7,
      side: 'buy',
      type: 'market',
      price: 0,
      size: 0,
      timeInForce: 'IOC',
      cancelAfterSec: 0,
      postOnly: false,
      hidden: false,
      iceberg: false,
      visibleSize: 0,
      stp: 'DC',
      clientId,
      tags: '',
      remark: 'a "quoted" remark',
      makerRate: 100_000,
      takerRate: 200_000,
    } as const;
    const end = {
      dealSize: size,
      dealFunds: funds,
      fee,
      feeSlack: 5,
      cancelledSize: 0,
      remaining: 0,
      visible: 0,
      hold: 0n,
      createdAt: time,
      updatedAt: time,
      expiresAt: 0,
      done: 'filled',
      cancelledFunds: 0n,
      doneAt: time,
      seq,
    } as const;
    return readRecord({
      seq,
      time,
      events: [
        { kind: 'order-received', ...order, funds },
        {
          kind: 'trade',
          symbol: 7,
          trade,
          price,
          size,
          funds,
          side: 'buy',
          incoming: { order: buy, user: 1, remaining: 0, fee, rate: 'taker', liquidity: 'taker' },
          resting: { order: sell, user: 2, remaining: 0, fee, rate: 'maker', liquidity: 'maker' },
        },
        posting(1, QUOTE, -(funds + fee), buy),
        posting(1, BASE, BigInt(size), buy),
        posting(2, BASE, -BigInt(size), sell),
        ...(funds === fee ? [] : [posting(2, QUOTE, funds - fee, sell)]),
        posting(-1, QUOTE, fee * 2n, buy),
      ],
      done: [
        {
          ...order,
          ...end,
          order: sell,
          user: 2,
          side: 'sell',
          type: 'limit',
          timeInForce: 'GTC',
          price,
          size,
          clientId: '',
          remark: '',
          stp: '',
          createdAt: time - 5,
          funds: 0n,
          rested: true,
        },
        { ...order, ...end, funds, rested: false },
      ],
      stops: [],
      ocos: [],
      audited: [],
      orderOf: (id) => ({ order: id, type: 'limit', makerRate: 100_000, takerRate: 100_000 }),
    });
  }
}
