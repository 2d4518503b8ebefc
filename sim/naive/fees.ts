/** Fee rates, which side pays which, and the rounding: up, once per order, over all its fills together. */

import type { RemoveFees, SetFees, SetLimits } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { divideUp, inUnits, parseDecimal, RATE_ONE } from './decimal.ts';
import type { Order } from './instrument.ts';
import { accepted, checkInteger, checkSymbol, checkUser, refuse, refused, valueInvalid } from './refusal.ts';
import type { Changeable, LimitValues, Rates, State } from './state.ts';

/** The most specific rate that is set; a sub-account has its master's. */
export function ratesFor(state: State, user: number, symbol: number): Rates {
  const { parent } = state.users[user]!;
  const payer = parent >= 0 ? parent : user;
  return (
    state.rates.get(`${payer}/${symbol}`) ??
    state.rates.get(`${payer}/-1`) ??
    state.rates.get(`-1/${symbol}`) ??
    state.rates.get('-1/-1') ?? { maker: 100_000, taker: 100_000 }
  );
}

export function isOrdinary(order: Order): boolean {
  return !order.terms.hidden && !order.terms.iceberg;
}

/** Hidden and iceberg orders pay the taker rate, resting or incoming. */
export function incomingRate(incoming: Order): 'maker' | 'taker' {
  return isOrdinary(incoming) && incoming.terms.postOnly ? 'maker' : 'taker';
}

export function restingRate(resting: Order): 'maker' | 'taker' {
  return isOrdinary(resting) ? 'maker' : 'taker';
}

/** Charges the order for one fill and returns the fee. */
export function chargeFee(order: Order, rate: 'maker' | 'taker', funds: bigint): bigint {
  const due = (rate === 'maker' ? order.makerRate : order.takerRate) * funds;
  const fee = divideUp(due - order.slack, RATE_ONE);
  order.slack += fee * RATE_ONE - due;
  order.fee += fee;
  return fee;
}

/** The maximum cost of one more purchase, including its fee. */
export function costWithFee(order: Order, funds: bigint): bigint {
  return funds + divideUp(order.takerRate * funds - order.slack, RATE_ONE);
}

export function setFees(state: State, command: SetFees): Outcome {
  const { user, symbol } = command;
  const wrong =
    (user === undefined ? null : checkUser(state, user)) ??
    (symbol === undefined ? null : checkSymbol(state, symbol));
  if (wrong !== null) return refused(wrong);
  const maker = rateOf(command.maker);
  if (maker === null) return refused(rateInvalid('maker', command.maker));
  const taker = rateOf(command.taker);
  if (taker === null) return refused(rateInvalid('taker', command.taker));
  if (user !== undefined && state.users[user]!.parent >= 0) return refuse('not-a-master', { user });
  if (maker > taker) return refuse('maker-above-taker', { maker: command.maker, taker: command.taker });

  state.rates.set(`${user ?? -1}/${symbol ?? -1}`, { maker, taker });
  state.events.push({ kind: 'fees-set', user: user ?? -1, symbol: symbol ?? -1, maker, taker });
  return accepted;
}

export function removeFees(state: State, { user, symbol }: RemoveFees): Outcome {
  const wrong =
    (user === undefined ? null : checkUser(state, user)) ??
    (symbol === undefined ? null : checkSymbol(state, symbol));
  if (wrong !== null) return refused(wrong);
  const rule = { user: user ?? -1, symbol: symbol ?? -1 };
  if (!state.rates.delete(`${rule.user}/${rule.symbol}`)) return refuse('fee-rule-unknown', rule);
  state.events.push({ kind: 'fees-removed', ...rule });
  return accepted;
}

function rateOf(text: string): number | null {
  const decimal = parseDecimal(text);
  const rate = decimal === null ? null : inUnits(decimal, 8);
  return rate === null || rate > RATE_ONE ? null : Number(rate);
}

function rateInvalid(field: string, value: string): Rejection {
  return valueInvalid(field, value, 'a decimal from 0 to 1 of at most 8 places');
}

const COUNTS = [
  ['activeOrdersPerSymbolMax', 1_000_000],
  ['activeOrdersPerUserMax', 1_000_000],
  ['stopOrdersPerSymbolMax', 1_000_000],
  ['stepsPerRecordMax', 1_000_000],
  ['clientIdsPerUserMax', 100_000_000],
  ['clientIdsMax', 100_000_000],
] as const;
const MOVEMENT_COUNTS = ['movementsPerUserMax', 'movementsMax'] as const;

export function setLimits(state: State, command: SetLimits): Outcome {
  const checks = [
    ['lookupWindowMs', 0, 1_000_000_000_000],
    ...COUNTS.map(([name, max]) => [name, 1, max] as const),
    ['movementWindowMs', 0, 1_000_000_000_000],
    ...MOVEMENT_COUNTS.map((name) => [name, 1, 100_000_000] as const),
  ] as const;
  const changed: Changeable<LimitValues> = { ...state.limits };
  for (const [name, min, max] of checks) {
    const value = command[name];
    if (value === undefined) continue;
    const wrong = checkInteger(name, value, min, max);
    if (wrong !== null) return refused(wrong);
    changed[name] = value;
  }
  state.limits = changed;
  state.events.push({ kind: 'limits-set', ...changed });
  return accepted;
}
