/**
 * What a withdrawal costs and where it may go, told before it is sent, from the published terms of its chain. The
 * exchange checks everything again, addresses with their checksums.
 */

import { Decimal } from '../decimal/decimal.ts';
import type { ChainInfo } from '../exchange/market-data.ts';

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

/** Chains on which receivers share an address and are told apart by the memo. */
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
  /** What arrives. */
  readonly received: Decimal;
  /** What leaves the MAIN account. */
  readonly taken: Decimal;
}

/** The chain's minimum, or its rate up to its maximum; rounded up to what can be moved. */
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
