/** The sandbox's currencies with their chains, and its symbols. */

import type { Chain, CurrencyTerms, SymbolTerms } from '@bourse/core';

export interface SandboxCurrency extends CurrencyTerms {
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
}

const PRECISION = 8;
const SCALE = 12;

type Terms = Partial<Chain> & Pick<Chain, 'chainId' | 'chainName' | 'withdrawalMinSize' | 'withdrawalMinFee'>;

/** An open chain: deposits have no minimum and no fee, withdrawals cost the minimum fee. */
function chain(terms: Terms): Chain {
  return {
    depositMinSize: null,
    depositFeeRate: '',
    withdrawFeeRate: '0',
    withdrawMaxFee: '',
    isWithdrawEnabled: true,
    isDepositEnabled: true,
    confirms: 1,
    preConfirms: 1,
    contractAddress: '',
    ...terms,
  };
}

/** Confirmations and contract belong to the chain; a currency with only one chain shows that chain's. */
function currency(code: string, name: string, fullName: string, chains: readonly Chain[]): SandboxCurrency {
  const only = chains.length === 1 ? chains[0] : null;
  return {
    code,
    name,
    fullName,
    precision: PRECISION,
    scale: SCALE,
    confirms: only?.confirms ?? null,
    contractAddress: only?.contractAddress || null,
    isMarginEnabled: false,
    isDebitEnabled: false,
    chains,
  };
}

const USDT_CONTRACTS = {
  eth: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  trx: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  bsc: '0x55d398326f99059ff775485246999027b3197955',
  sol: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  arbitrum: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
  optimism: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
  ton: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  kcc: '0x0039f574ee5cc39bdd162e9a88e3eb1f111baf48',
};

/** Terms of a simple chain: id, name, minimum withdrawal, its fee, confirmations. */
function simple(
  chainId: string,
  chainName: string,
  withdrawalMinSize: string,
  withdrawalMinFee: string,
  confirms: number,
): Chain {
  return chain({ chainId, chainName, withdrawalMinSize, withdrawalMinFee, confirms, preConfirms: confirms });
}

/**
 * Every ledger counts in 10^-12, four decimals finer than the amounts of deposits and withdrawals, so that
 * price x size of every symbol is exact and fees are rounded far below any payable amount.
 */
export const CURRENCIES: readonly SandboxCurrency[] = [
  currency('BTC', 'BTC', 'Bitcoin', [
    { ...simple('btc', 'BTC', '0.001', '0.0005', 3), depositMinSize: '0.0002', preConfirms: 1 },
    { ...simple('btcln', 'Lightning Network', '0.00001', '0.000015', 1), depositMinSize: '0.00001' },
    {
      ...simple('kcc', 'KCC', '0.0008', '0.00002', 20),
      contractAddress: '0xfa93c12cd345c658bc4644d1d4e1b9615952258c',
    },
    {
      ...simple('bech32', 'BTC-Segwit', '0.0008', '0.0005', 2),
      depositMinSize: '0.0002',
      isWithdrawEnabled: false,
    },
  ]),
  currency('ETH', 'ETH', 'Ethereum', [{ ...simple('eth', 'ERC20', '0.01', '0.002', 64), preConfirms: 12 }]),
  currency('USDT', 'USDT', 'Tether', [
    {
      ...simple('eth', 'ERC20', '10', '4.5', 64),
      depositMinSize: '1',
      preConfirms: 12,
      contractAddress: USDT_CONTRACTS.eth,
    },
    { ...simple('trx', 'TRC20', '3', '1.3', 1), depositMinSize: '0.01', contractAddress: USDT_CONTRACTS.trx },
    {
      ...simple('bsc', 'BEP20', '10', '1', 15),
      depositMinSize: '1',
      depositFeeRate: '0.002',
      contractAddress: USDT_CONTRACTS.bsc,
    },
    { ...simple('sol', 'SOL', '3', '1', 200), contractAddress: USDT_CONTRACTS.sol },
    { ...simple('arbitrum', 'ARBITRUM', '3', '1', 40), contractAddress: USDT_CONTRACTS.arbitrum },
    { ...simple('optimism', 'OPTIMISM', '3', '1', 100), contractAddress: USDT_CONTRACTS.optimism },
    { ...simple('ton', 'TON', '3', '0.5', 1), contractAddress: USDT_CONTRACTS.ton },
    { ...simple('kcc', 'KCC', '3', '0.5', 20), contractAddress: USDT_CONTRACTS.kcc },
  ]),
  currency('KCS', 'KCS', 'KCS', [
    simple('kcc', 'KCC', '0.5', '0.01', 20),
    {
      ...simple('eth', 'ERC20', '1', '0.2', 64),
      contractAddress: '0xf34960d9d60be18cc1d5afc1a6f012a723a28811',
    },
  ]),
  currency('LTC', 'LTC', 'Litecoin', [simple('ltc', 'LTC', '0.002', '0.001', 4)]),
  currency('XRP', 'XRP', 'XRP', [simple('xrp', 'XRP', '21', '0.5', 1)]),
  currency('EOS', 'EOS', 'EOS', [simple('eos', 'EOS', '1', '0.5', 360)]),
  currency('ADA', 'ADA', 'Cardano', [simple('ada', 'ADA', '2', '1', 30)]),
  currency('DOGE', 'DOGE', 'Dogecoin', [simple('doge', 'DOGE', '10', '5', 40)]),
  currency('TRX', 'TRX', 'TRON', [simple('trx', 'TRC20', '3', '1.5', 20)]),
  currency('XLM', 'XLM', 'Stellar', [simple('xlm', 'XLM', '1', '0.02', 1)]),
  currency('GALAX', 'GALA', 'Gala', [
    {
      ...simple('eth', 'ERC20', '200', '90', 64),
      contractAddress: '0xd1d2eb1b1e90b638588728b4130137d262c87cae',
    },
  ]),
  currency('BCHSV', 'BSV', 'Bitcoin SV', [simple('bchsv', 'BSV', '0.02', '0.01', 20)]),
  currency('REQ', 'REQ', 'Request', [
    {
      ...simple('eth', 'ERC20', '60', '30', 64),
      contractAddress: '0x8f8221afbb33998d8584a2b05749ba73c37a938a',
    },
  ]),
  currency('EDGE', 'EDGE', 'Edge', [
    {
      ...simple('eth', 'ERC20', '10', '5', 64),
      contractAddress: '0xfb2f26f266fb2805a387230f2aa0a331b4d96fba',
    },
  ]),
];

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

/**
 * The sandbox's symbols. The increments are those of real markets with two exceptions, both because amounts must be
 * exact in integers: ETH-BTC counts sizes in 10^-6 (10^-7 times its price increment would be finer than the ledger),
 * and the largest sizes stay below 2^50 increments, so BTC-USDT ends at ten million.
 */
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
