/** The agents and their initial money: ordinary users, funded by ordinary deposits. */

import { type Command, type Exchange, parseDecimal, toUnits } from '@bourse/core';
import { USERS } from '../users.ts';
import { livingCurrency, NUMERAIRE } from './values.ts';

export type Family = 'maker' | 'noise' | 'value' | 'momentum' | 'arbitrage';

export interface Agent {
  readonly name: string;
  readonly family: Family;
  /** The value of its initial deposit in each currency, in USDT. */
  readonly capital: number;
}

const MILLION = 1e6;

function family(name: Family, count: number, capital: number): Agent[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `agent-${name}-${at + 1}`,
    family: name,
    capital,
  }));
}

export const AGENTS: readonly Agent[] = [
  ...family('maker', 6, 40 * MILLION),
  ...family('noise', 4, 20 * MILLION),
  ...family('value', 2, 20 * MILLION),
  ...family('momentum', 2, 10 * MILLION),
  ...family('arbitrage', 1, 20 * MILLION),
];

/** Makers and the arbitrageur have lower fees by agreement; the other agents pay the default fees. */
const PROFESSIONAL: readonly Family[] = ['maker', 'arbitrage'];
const PROFESSIONAL_FEES = { maker: '0', taker: '0.0001' };

/**
 * In a simulated market the published users have a venue's market maker fees, so that a bot that quotes well can earn
 * something. They are set once, when the agents are added, so later changes by an operator are kept.
 */
const PUBLISHED_FEES = { maker: '0', taker: '0.0004' };
const PUBLISHED: readonly string[] = USERS.filter(({ parent }) => parent === undefined).map(
  ({ name }) => name,
);

/** The arbitrageur needs three connected pairs. */
export const TRIANGLE: readonly string[] = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC'];

export function agentsIn(symbol: string): number {
  const isIn = ({ family: of }: Agent) => of !== 'arbitrage' || TRIANGLE.includes(symbol);
  return AGENTS.filter(isIn).length;
}

/** The agents' user numbers; -1 for one that does not exist. */
export function agentNumbers({ reference }: Exchange): ReadonlyMap<string, number> {
  const byName = new Map(reference.users.map(({ name }, number) => [name, number]));
  return new Map(AGENTS.map(({ name }) => [name, byName.get(name) ?? -1]));
}

/** Adds missing agents and their agreements. Their user numbers are known, because they are consecutive. */
export function agentCommands(exchange: Exchange): Command[] {
  const numbers = agentNumbers(exchange);
  const missing = AGENTS.filter(({ name }) => numbers.get(name) === -1);
  const first = exchange.counts.users;
  const isFirstTime = missing.length === AGENTS.length;
  return [
    ...(isFirstTime ? publishedFees(exchange) : []),
    ...missing.flatMap(({ name, family: of }, at): Command[] => [
      { kind: 'add-user', name },
      ...(PROFESSIONAL.includes(of)
        ? [{ kind: 'set-fees', user: first + at, ...PROFESSIONAL_FEES } as const]
        : []),
    ]),
  ];
}

function publishedFees({ reference }: Exchange): Command[] {
  const hasOwn = new Set(reference.feeRules().map(({ user }) => user));
  return reference.users.flatMap(({ name }, user): Command[] =>
    PUBLISHED.includes(name) && !hasOwn.has(user) ? [{ kind: 'set-fees', user, ...PUBLISHED_FEES }] : [],
  );
}

/** Funds these currencies for agents that never had any of them. All agents must exist. */
export function fundingCommands(exchange: Exchange, currencies: readonly string[]): Command[] {
  const numbers = agentNumbers(exchange);
  return AGENTS.flatMap(({ name, capital }) =>
    currencies.flatMap((code) => {
      const currency = exchange.reference.currencyNumber(code);
      return fundOnce(exchange, numbers.get(name)!, currency, capitalIn(exchange, code, capital));
    }),
  );
}

/** A deposit of this amount, transferred to TRADE; nothing if the user has some of the currency there. */
export function fundOnce(exchange: Exchange, user: number, currency: number, amount: bigint): Command[] {
  const { available, hold } = exchange.balance(user, 'trade', currency);
  if (available + hold > 0n) return [];
  const { reference } = exchange;
  const { chains, code } = reference.currencies[currency];
  const id = `${reference.users[user].name}-${code}`;
  const [{ chainId: chain }] = chains;
  const deposit = { user, currency, chain, amount, txId: id, travelRule: false, isTestMoney: true };
  const move = { user, currency, amount, clientId: id, type: 'internal', from: 'main', to: 'trade' } as const;
  return [
    { kind: 'report-deposit', ...deposit },
    { kind: 'transfer', ...move },
  ];
}

/** The capital in units of the currency, in whole coins at their initial value. */
export function capitalIn({ reference }: Exchange, code: string, capital: number): bigint {
  const value = code === NUMERAIRE ? 1 : livingCurrency(code)!.value;
  const { scale } = reference.currencies[reference.currencyNumber(code)];
  return toUnits(parseDecimal(String(Math.round(capital / value)))!, scale)!;
}
