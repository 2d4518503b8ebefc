// Two users, one market, one trade: npx node examples/core.ts

import { type AccountType, type Command, Exchange, formatUnits, parseDecimal, toUnits } from '@bourse/core';

const exchange = new Exchange();
/** Users, currencies and symbols are numbered from 0 in the order they are added. */
const [ALICE, BOB, BTC, USDT, BTC_USDT] = [0, 1, 0, 1, 0];

apply(addCurrency('BTC'), addCurrency('USDT'), addSymbol());
apply({ kind: 'add-user', name: 'alice' }, { kind: 'add-user', name: 'bob' });
apply(deposit(ALICE, BTC, '2'), deposit(BOB, USDT, '100000'));
apply(toTrade(ALICE, BTC, '2'), toTrade(BOB, USDT, '100000'));

const order = { kind: 'place-order', symbol: BTC_USDT, type: 'limit' } as const;
const { outcomes, events } = apply(
  { ...order, user: ALICE, side: 'sell', price: price('60000'), size: size('1.5') },
  { ...order, user: BOB, side: 'buy', price: price('60500'), size: size('0.5'), clientId: 'first' },
  { ...order, user: BOB, side: 'buy', price: price('60500'), size: size('2') },
);

for (const outcome of outcomes) {
  if (outcome.kind === 'rejected') console.log('rejected', outcome.rejection);
  else if (outcome.kind === 'order') console.log(`order ${outcome.order}: ${outcome.done || 'open'}`);
}
for (const event of events) {
  if (event.kind !== 'trade') console.log(event.kind);
  else console.log(`trade of ${event.size} at ${event.price}: ${formatUnits(event.funds, 8)} USDT`);
}
for (const user of [ALICE, BOB]) console.log(balances(user));
console.log(`fees: ${formatUnits(exchange.systemBalance('fees', USDT), 8)} USDT`);
const restored = Exchange.restore(exchange.snapshot());
console.log(`same state after a restore: ${restored.hash() === exchange.hash()}`);

/** Applies a record and decodes it at once, because the next record overwrites both batches. */
function apply(...commands: Command[]) {
  const applied = exchange.apply({ seq: exchange.seq + 1, time: exchange.time + 1, commands });
  return { outcomes: applied.outcomes.decode(), events: applied.events.decode() };
}

function balances(user: number): string {
  const show = (currency: number): string => {
    const { available, hold } = exchange.balance(user, 'trade', currency);
    return `${formatUnits(available, 8)} + ${formatUnits(hold, 8)} held`;
  };
  return `user ${user}: ${show(BTC)} BTC, ${show(USDT)} USDT`;
}

/** Both currencies have 8 places; with sizes of 4 decimals that leaves 4 for prices. */
function units(text: string, places: number): bigint {
  return toUnits(parseDecimal(text)!, places)!;
}

function size(text: string): number {
  return Number(units(text, 4));
}

function price(text: string): number {
  return Number(units(text, 4));
}

function deposit(user: number, currency: number, amount: string): Command {
  const txId = `tx-${user}`;
  const money = { currency, amount: units(amount, 8), chain: 'example' };
  return { kind: 'report-deposit', user, ...money, txId, travelRule: false };
}

function toTrade(user: number, currency: number, amount: string): Command {
  const [from, to]: AccountType[] = ['main', 'trade'];
  const money = { currency, amount: units(amount, 8), from, to };
  return { kind: 'transfer', user, type: 'internal', clientId: 'first', ...money };
}

function addCurrency(code: string): Command {
  return {
    kind: 'add-currency',
    code,
    name: code,
    fullName: code,
    precision: 8,
    scale: 8,
    confirms: null,
    contractAddress: null,
    isMarginEnabled: false,
    isDebitEnabled: false,
    chains: [
      {
        chainId: 'example',
        chainName: 'Example',
        depositMinSize: null,
        depositFeeRate: '',
        withdrawalMinSize: '0',
        withdrawalMinFee: '0',
        withdrawFeeRate: '',
        withdrawMaxFee: '',
        isWithdrawEnabled: true,
        isDepositEnabled: true,
        confirms: 1,
        preConfirms: 1,
        contractAddress: '',
      },
    ],
  };
}

function addSymbol(): Command {
  return {
    kind: 'add-symbol',
    code: 'BTC-USDT',
    name: 'BTC-USDT',
    market: 'spot',
    base: BTC,
    quote: USDT,
    baseIncrement: '0.0001',
    baseMinSize: '0.0001',
    baseMaxSize: '1000',
    quoteMinSize: '1',
    quoteMaxSize: '10000000',
    quoteIncrement: '0.01',
    priceIncrement: '0.01',
    priceLimitRate: '0.1',
    minFunds: '1',
    isMarginEnabled: false,
    enableTrading: true,
  };
}
