/**
 * Validates transfers and withdrawals while they are typed: amounts, addresses and fees, from the published terms.
 * The exchange checks everything again, including address checksums.
 */

import { Decimal } from '../decimal/decimal.ts';
import type { ChainInfo } from '../exchange/market-data.ts';

export function amountError(
  text: string,
  precision: number,
  most: string | undefined,
  least: string = '0',
): string | undefined {
  if (text === '') return undefined;
  const amount = Decimal.parse(text);
  if (amount === null) return 'Enter a plain decimal such as 1.5, without sign, exponent or separators.';
  if (amount.isZero) return 'More than 0.';
  const step = new Decimal(1n, precision);
  if (!amount.isMultipleOf(step)) {
    return `At most ${precision} places: ${amount.floorTo(step).toString()} would be right.`;
  }
  if (amount.compare(Decimal.of(least)) < 0) return `At least ${least}.`;
  if (most !== undefined && amount.compare(Decimal.of(most)) > 0) return `At most ${most} are available.`;
  return undefined;
}

/** The amount rounded down to the precision of transfers; a trade can leave more decimals, which stay. */
export function transferable(available: string, precision: number): string {
  return Decimal.of(available).floorTo(new Decimal(1n, precision)).toString();
}

interface Shape {
  readonly pattern: RegExp;
  readonly like: string;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const EVM: Shape = { pattern: /^0x[0-9a-fA-F]{40}$/, like: '0x and 40 hex digits' };

const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['btc', { pattern: new RegExp(`^(?:[13]${BASE58}{25,34}|bc1[0-9a-z]{11,71})$`), like: '1…, 3… or bc1…' }],
  ['bech32', { pattern: /^bc1[0-9a-z]{11,71}$/, like: 'bc1…' }],
  [
    'ltc',
    { pattern: new RegExp(`^(?:[LM3]${BASE58}{25,34}|ltc1[0-9a-z]{11,71})$`), like: 'L…, M… or ltc1…' },
  ],
  ['doge', { pattern: new RegExp(`^[DA9]${BASE58}{25,34}$`), like: 'D… or A…' }],
  ['trx', { pattern: new RegExp(`^T${BASE58}{33}$`), like: 'T and 33 characters' }],
  ['xrp', { pattern: new RegExp(`^r${BASE58}{24,34}$`), like: 'r…' }],
  ['sol', { pattern: new RegExp(`^${BASE58}{32,44}$`), like: '32 bytes in base 58' }],
  ['xlm', { pattern: /^G[A-Z2-7]{55}$/, like: 'G and 55 characters' }],
  ...['eth', 'kcc', 'bsc', 'arbitrum', 'optimism', 'matic', 'avaxc', 'base', 'etc', 'linea', 'zksync'].map(
    (chain): [string, Shape] => [chain, EVM],
  ),
]);

/** Chains on which recipients share an address; the memo identifies the recipient. */
const CHAINS_WITH_MEMO: ReadonlySet<string> = new Set(['xrp', 'ton', 'xlm', 'eos']);

export const hasMemos = (chain: ChainInfo | undefined): boolean =>
  chain !== undefined && CHAINS_WITH_MEMO.has(chain.chainId);

export function addressError(address: string, chain: ChainInfo | undefined): string | undefined {
  if (address === '' || chain === undefined) return undefined;
  const shape = SHAPES.get(chain.chainId);
  if (shape === undefined || shape.pattern.test(address)) return undefined;
  return `Not an address on ${chain.chainName}: expected ${shape.like}.`;
}

export interface WithdrawalCost {
  readonly fee: Decimal;
  /** The amount that arrives. */
  readonly received: Decimal;
  /** The amount that leaves the MAIN account. */
  readonly taken: Decimal;
}

/** The fee is the chain's rate between its minimum and maximum, rounded up to the currency's precision. */
export function withdrawalCost(
  amount: Decimal,
  chain: ChainInfo,
  precision: number,
  isFeeInside: boolean,
): WithdrawalCost {
  const least = Decimal.of(chain.withdrawalMinFee);
  const byRate = amount.times(Decimal.of(chain.withdrawFeeRate)).ceilAt(precision);
  const most = Decimal.of(chain.withdrawMaxFee);
  const wanted = byRate.compare(least) > 0 ? byRate : least;
  const capped = !most.isZero && wanted.compare(most) > 0 ? most : wanted;
  const fee = isFeeInside ? capped.ceilAt(precision) : capped;
  return isFeeInside
    ? { fee, received: amount.minus(fee), taken: amount }
    : { fee, received: amount, taken: amount.plus(fee) };
}
