/** An exchange to measure: one base and one quote currency of the sandbox's kind, rich users, any number of symbols. */

import { type Command, Exchange, type LogRecord, type PlaceOrder } from '@bourse/core';

/** The flow's tick is 0.1 USDT and its lot 0.0001 BTC; the symbol's units are 10^-4 USDT and 10^-8 BTC. */
export const TICK = 1000;
export const LOT = 10_000;
/** The quote amount of one tick times one lot. */
export const TICK_LOT = BigInt(TICK) * BigInt(LOT);

const START = 1_700_000_000_000;
const WEALTH = 10n ** 9n * 10n ** 12n;

const CHAIN = {
  chainId: 'chain',
  chainName: 'CHAIN',
  depositMinSize: null,
  depositFeeRate: '',
  withdrawalMinSize: '0',
  withdrawalMinFee: '0',
  withdrawFeeRate: '0',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 1,
  preConfirms: 1,
  contractAddress: '',
};

function addCurrency(code: string): Command {
  return {
    kind: 'add-currency',
    code,
    name: code,
    fullName: code,
    precision: 8,
    scale: 12,
    confirms: null,
    contractAddress: null,
    isMarginEnabled: false,
    isDebitEnabled: false,
    chains: [CHAIN],
  };
}

function addSymbol(code: string): Command {
  return {
    kind: 'add-symbol',
    code,
    name: code,
    market: 'USDS',
    base: 0,
    quote: 1,
    baseIncrement: '0.00000001',
    priceIncrement: '0.1',
    quoteIncrement: '0.000001',
    baseMinSize: '0.00001',
    baseMaxSize: '10000000',
    quoteMinSize: '0.1',
    quoteMaxSize: '99999999',
    priceLimitRate: '0.1',
    minFunds: '0.1',
    isMarginEnabled: false,
    enableTrading: true,
  };
}

function* fund(user: number): Generator<Command> {
  for (const currency of [0, 1]) {
    const txId = `${user}-${currency}`;
    yield { kind: 'report-deposit', user, currency, chain: 'chain', amount: WEALTH, txId, travelRule: false };
    yield {
      kind: 'transfer',
      user,
      type: 'internal',
      clientId: txId,
      currency,
      amount: WEALTH,
      from: 'main',
      to: 'trade',
    };
  }
}

/** Feeds records with sequence and time filled in. */
export class Venue {
  readonly exchange = new Exchange();
  #seq = 0;

  constructor(users: number, symbols: number) {
    this.apply([addCurrency('BTC'), addCurrency('USDT')]);
    for (let i = 0; i < symbols; i++) this.apply([addSymbol(`BTC${i}-USDT`)]);
    for (let user = 0; user < users; user++) {
      this.apply([{ kind: 'add-user', name: `user${user}` }, ...fund(user)]);
    }
    this.firstOrder = 4 * users + 1;
  }

  /** The id of the first order: deposits and transfers used the ids before it. */
  readonly firstOrder: number;

  next(commands: readonly Command[]): LogRecord {
    const seq = ++this.#seq;
    return { seq, time: START + seq, commands };
  }

  apply(commands: readonly Command[]): ReturnType<Exchange['apply']> {
    return this.exchange.apply(this.next(commands));
  }
}

/** All orders have the same shape, like those of a gateway. */
export function limitOrder(
  user: number,
  symbol: number,
  side: number,
  ticks: number,
  lots: number,
  timeInForce: 'GTC' | 'IOC',
): PlaceOrder {
  return {
    kind: 'place-order',
    user,
    symbol,
    type: 'limit',
    side: side === 0 ? 'buy' : 'sell',
    price: ticks * TICK,
    size: lots * LOT,
    timeInForce,
  };
}
