/** Initial values of currencies in USDT, and their volatility: the basis of the agents' prices. */

export interface LivingCurrency {
  readonly code: string;
  readonly value: number;
  /** Daily deviation of the logarithm of the value in the preset `calm`. */
  readonly dailyDeviation: number;
}

/** The unit of all values, which never changes. */
export const NUMERAIRE = 'USDT';

const CURRENCIES: readonly LivingCurrency[] = [
  { code: 'BTC', value: 100_000, dailyDeviation: 0.025 },
  { code: 'ETH', value: 3500, dailyDeviation: 0.032 },
  { code: 'KCS', value: 12, dailyDeviation: 0.036 },
  { code: 'LTC', value: 90, dailyDeviation: 0.03 },
  { code: 'XRP', value: 2, dailyDeviation: 0.035 },
  { code: 'EOS', value: 0.8, dailyDeviation: 0.035 },
  { code: 'ADA', value: 0.7, dailyDeviation: 0.035 },
  { code: 'DOGE', value: 0.2, dailyDeviation: 0.04 },
  { code: 'TRX', value: 0.25, dailyDeviation: 0.025 },
  { code: 'XLM', value: 0.3, dailyDeviation: 0.035 },
  { code: 'GALAX', value: 0.02, dailyDeviation: 0.045 },
  { code: 'BCHSV', value: 40, dailyDeviation: 0.035 },
  { code: 'EDGE', value: 0.05, dailyDeviation: 0.045 },
  { code: 'REQ', value: 0.12, dailyDeviation: 0.04 },
];

const byCode = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

export function livingCurrency(code: string): LivingCurrency | undefined {
  return byCode.get(code);
}

/** Whether agents can trade a symbol of these two currencies, which requires a value of both. */
export function canLive(base: string, quote: string): boolean {
  return (
    base !== quote &&
    [base, quote].every((code) => code === NUMERAIRE || byCode.has(code)) &&
    base !== NUMERAIRE
  );
}
