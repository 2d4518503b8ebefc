/** Decimals as a person writes them, and the whole units that the exchange counts in. */

const DECIMAL = /^-?\d+(\.\d+)?$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** Exact; a decimal finer than the unit is a mistake in the scenario. */
export function toUnits(text: string, decimals: number): bigint {
  if (!isDecimal(text)) throw new Error(`not a decimal: ${text}`);
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} decimals`);
  const value = BigInt(whole + fraction.padEnd(decimals, '0'));
  return negative ? -value : value;
}

/** For prices and sizes: may be finer than the unit, so that a scenario can send a fraction. */
export function toNumber(text: string, decimals: number): number {
  if (!isDecimal(text)) throw new Error(`not a decimal: ${text}`);
  const fraction = text.split('.')[1] ?? '';
  return fraction.length > decimals ? Number(text) * 10 ** decimals : Number(toUnits(text, decimals));
}

/** Trailing zeros trimmed: 200.4, 5, -0.25. */
export function toText(units: bigint | number, decimals: number): string {
  if (typeof units === 'number' && !Number.isSafeInteger(units)) return String(units / 10 ** decimals);
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const SPANS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** '5s', '100ms', '3d' in milliseconds. */
export function toMs(text: string): number {
  const match = /^\+?(\d+)(ms|s|m|h|d)$/.exec(text);
  if (match === null) throw new Error(`not a span of time: ${text}`);
  return Number(match[1]) * SPANS[match[2]!]!;
}
