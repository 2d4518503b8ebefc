/**
 * The sandbox's symbols. The increments are those of real markets with two exceptions, both because amounts must be
 * exact in integers: ETH-BTC counts sizes in 10^-6 (10^-7 times its price increment would be finer than the ledger),
 * and the largest sizes stay below 2^50 increments, so BTC-USDT ends at ten million.
 */

import type { SymbolTerms } from '@bourse/core';

export interface SandboxSymbol extends SymbolTerms {
  readonly code: string;
  readonly base: string;
  readonly quote: string;
  readonly baseIncrement: string;
  /** If they differ from the default of 0.001. */
  readonly fees?: { readonly maker: string; readonly taker: string };
}

/** Terms that depend on the quote currency. */
const QUOTES: ReadonlyMap<string, { quoteMaxSize: string; minFunds: string }> = new Map([
  ['USDT', { quoteMaxSize: '99999999', minFunds: '0.1' }],
  ['BTC', { quoteMaxSize: '99999999', minFunds: '0.000001' }],
  ['ETH', { quoteMaxSize: '999999999', minFunds: '0.0001' }],
]);

type Increments = readonly [base: string, quote: string, price: string];
type Sizes = readonly [baseMin: string, baseMax: string, quoteMin: string];
type Rest = Partial<Pick<SandboxSymbol, 'name' | 'base' | 'fees'>>;

function symbol(
  code: string,
  market: string,
  [baseMinSize, baseMaxSize, quoteMinSize]: Sizes,
  [baseIncrement, quoteIncrement, priceIncrement]: Increments,
  rest: Rest = {},
): SandboxSymbol {
  const [base, quote] = code.split('-');
  return {
    code,
    name: code,
    base,
    quote,
    market,
    baseMinSize,
    baseMaxSize,
    quoteMinSize,
    ...QUOTES.get(quote)!,
    baseIncrement,
    quoteIncrement,
    priceIncrement,
    priceLimitRate: '0.1',
    isMarginEnabled: false,
    enableTrading: true,
    ...rest,
  };
}

const TEN_MILLION = '10000000';
const HUNDRED_MILLION = '100000000';
const BILLION = '1000000000';
const TEN_BILLION = '10000000000';

export const SYMBOLS: readonly SandboxSymbol[] = [
  symbol('BTC-USDT', 'USDS', ['0.00001', TEN_MILLION, '0.1'], ['0.00000001', '0.000001', '0.1']),
  symbol('ETH-USDT', 'USDS', ['0.0001', HUNDRED_MILLION, '0.01'], ['0.0000001', '0.000001', '0.01']),
  symbol('ETH-BTC', 'BTC', ['0.0001', BILLION, '0.00001'], ['0.000001', '0.00000001', '0.000001'], {
    fees: { maker: '0.0005', taker: '0.0015' },
  }),
  symbol('KCS-USDT', 'USDS', ['0.01', TEN_BILLION, '0.05'], ['0.0001', '0.0001', '0.001']),
  symbol('KCS-BTC', 'BTC', ['0.01', TEN_BILLION, '0.00001'], ['0.0001', '0.00000001', '0.00000001']),
  symbol('KCS-ETH', 'ALTS', ['0.01', TEN_BILLION, '0.0001'], ['0.0001', '0.0000001', '0.0000001']),
  symbol('LTC-USDT', 'USDS', ['0.01', TEN_BILLION, '0.1'], ['0.01', '0.000001', '0.001']),
  symbol('LTC-BTC', 'BTC', ['0.001', BILLION, '0.00001'], ['0.000001', '0.00000001', '0.000001']),
  symbol('XRP-USDT', 'USDS', ['0.1', TEN_BILLION, '0.1'], ['0.0001', '0.000001', '0.00001']),
  symbol('XRP-BTC', 'BTC', ['0.1', TEN_BILLION, '0.00001'], ['0.0001', '0.00000001', '0.00000001']),
  symbol('EOS-USDT', 'USDS', ['0.01', TEN_BILLION, '0.01'], ['0.0001', '0.000001', '0.0001']),
  symbol('ADA-USDT', 'USDS', ['1', TEN_BILLION, '0.1'], ['0.01', '0.0001', '0.0001']),
  symbol('DOGE-USDT', 'USDS', ['10', TEN_BILLION, '0.1'], ['0.0001', '0.00001', '0.00001']),
  symbol('TRX-USDT', 'USDS', ['10', TEN_BILLION, '0.1'], ['0.01', '0.0001', '0.0001']),
  symbol('XLM-USDT', 'USDS', ['0.1', TEN_BILLION, '0.01'], ['0.0001', '0.000001', '0.000001']),
  // Three renamed ones: the code stays, but the name or the currency does not match it.
  symbol('GALAX-USDT', 'USDS', ['10', TEN_BILLION, '0.001'], ['0.0001', '0.00001', '0.00001'], {
    name: 'GALA-USDT',
  }),
  symbol('BCHSV-USDT', 'USDS', ['0.001', BILLION, '0.01'], ['0.000001', '0.000001', '0.01'], {
    name: 'BSV-USDT',
  }),
  symbol('DADI-ETH', 'ETH', ['1', TEN_BILLION, '0.0001'], ['0.0001', '0.0000001', '0.0000001'], {
    name: 'EDGE-ETH',
    base: 'EDGE',
  }),
  symbol('REQ-ETH', 'ALTS', ['1', TEN_BILLION, '0.0001'], ['0.0001', '0.0000001', '0.0000001']),
];
