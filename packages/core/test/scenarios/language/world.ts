/**
 * The world a scenario begins in: alice with her sub-account alice-sub, bob and carol; BTC, USDT and ETH; the
 * symbols BTC-USDT and ETH-USDT with easy numbers. A maker pays 0.1 %, a taker 0.2 %.
 *
 * Everybody has 100 BTC, 10000 USDT and 100 ETH in the trade account, 10 BTC and 1000 USDT in the main one.
 */

import type { Chain, Command, CurrencyTerms, SymbolTerms } from '../../../src/commands/commands.ts';
import { keyValue } from './text.ts';

export const CHAIN: Chain = {
  chainId: 'net',
  chainName: 'Network',
  depositMinSize: null,
  depositFeeRate: '',
  withdrawalMinSize: '1',
  withdrawalMinFee: '0.5',
  withdrawFeeRate: '0.01',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 1,
  preConfirms: 1,
  contractAddress: '',
};

const CURRENCY: CurrencyTerms = {
  name: '',
  fullName: '',
  confirms: null,
  contractAddress: null,
  isMarginEnabled: false,
  isDebitEnabled: false,
  chains: [CHAIN],
};

const SYMBOL: SymbolTerms & { baseIncrement: string } = {
  name: '',
  market: 'USDS',
  baseIncrement: '0.01',
  baseMinSize: '0.01',
  baseMaxSize: '10000',
  quoteMinSize: '0.1',
  quoteMaxSize: '100000',
  quoteIncrement: '0.01',
  priceIncrement: '0.1',
  priceLimitRate: '10',
  minFunds: '0',
  isMarginEnabled: false,
  enableTrading: true,
};

/** Without arguments all of the defaults, otherwise only the given `key=value` words. */
export function symbolTerms(words?: readonly string[]): Partial<typeof SYMBOL> {
  return words === undefined ? SYMBOL : pick(words, SYMBOL);
}

/** `chain.key=value` changes the currency's one chain, `chain=` removes it. */
export function currencyTerms(words?: readonly string[]): Partial<CurrencyTerms> {
  if (words === undefined) return CURRENCY;
  const own = words.filter((word) => !word.startsWith('chain'));
  const terms = pick(own, { ...CURRENCY, precision: 0, scale: 0 });
  const chain = words.filter((word) => word.startsWith('chain.')).map((word) => word.slice('chain.'.length));
  if (words.includes("chain=''")) return { ...terms, chains: [] };
  return chain.length === 0 ? terms : { ...terms, chains: [{ ...CHAIN, ...pick(chain, CHAIN) }] };
}

function pick<T extends object>(words: readonly string[], defaults: T): Partial<T> {
  const picked: Record<string, unknown> = {};
  for (const word of words) {
    const [key, value] = keyValue(word);
    if (!(key in defaults) || key === 'chains') throw new Error(`unknown word: ${word}`);
    const kind = key === 'confirms' ? 'number' : typeof defaults[key as keyof T];
    picked[key] = kind === 'boolean' ? value === 'true' : kind === 'number' ? Number(value) : value;
  }
  return picked as Partial<T>;
}

const TRADERS = ['alice', 'bob', 'carol', 'alice-sub'];

const STOCK = [
  { currency: 0, main: 10n, trade: 100n, unit: 10n ** 8n },
  { currency: 1, main: 1000n, trade: 10_000n, unit: 10n ** 6n },
  { currency: 2, main: 0n, trade: 100n, unit: 10n ** 8n },
];

export const WORLD: readonly Command[] = [
  {
    kind: 'add-currency',
    ...CURRENCY,
    code: 'BTC',
    name: 'BTC',
    fullName: 'Bitcoin',
    precision: 4,
    scale: 8,
  },
  {
    kind: 'add-currency',
    ...CURRENCY,
    code: 'USDT',
    name: 'USDT',
    fullName: 'Tether',
    precision: 2,
    scale: 6,
  },
  {
    kind: 'add-currency',
    ...CURRENCY,
    code: 'ETH',
    name: 'ETH',
    fullName: 'Ethereum',
    precision: 4,
    scale: 8,
  },
  { kind: 'add-symbol', ...SYMBOL, code: 'BTC-USDT', name: 'BTC-USDT', base: 0, quote: 1 },
  { kind: 'add-symbol', ...SYMBOL, code: 'ETH-USDT', name: 'ETH-USDT', base: 2, quote: 1 },
  { kind: 'set-fees', maker: '0.001', taker: '0.002' },
  ...TRADERS.map(
    (name): Command => ({ kind: 'add-user', name, ...(name === 'alice-sub' ? { parent: 0 } : {}) }),
  ),
  ...TRADERS.flatMap((name, user) => STOCK.flatMap((stock): Command[] => stocking(name, user, stock))),
];

function stocking(name: string, user: number, { currency, main, trade, unit }: (typeof STOCK)[0]): Command[] {
  const txId = `stock-${name}-${currency}`;
  const chain = CHAIN.chainId;
  const amount = (main + trade) * unit;
  const moved = { amount: trade * unit, from: 'main', to: 'trade' } as const;
  return [
    { kind: 'report-deposit', user, currency, chain, amount, txId, travelRule: false },
    { kind: 'transfer', user, type: 'internal', clientId: `stock-${currency}`, currency, ...moved },
  ];
}
