// Exact decimals of the tests' own: 24 places in a BigInt, twice the ledger's scale, so that a product of two
// shown amounts is exact.

const places = 24;
const one = 10n ** BigInt(places);

/** The value of a shown amount; an amount in any other notation is an error. */
export function units(amount: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (match === null) throw new Error(`Not a plain decimal: ${JSON.stringify(amount)}`);
  const [, sign, whole, fraction = ''] = match;
  if (fraction.length > places) throw new Error(`Too many places: ${amount}`);
  const value = BigInt(whole) * one + BigInt(fraction.padEnd(places, '0'));
  return sign === '-' ? -value : value;
}

/** As the interface shows amounts: in full, trailing zeros trimmed. */
export function shown(value: bigint): string {
  const positive = value < 0n ? -value : value;
  const fraction = (positive % one).toString().padStart(places, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${positive / one}${fraction === '' ? '' : `.${fraction}`}`;
}

export const add = (...values: string[]): string =>
  shown(values.reduce((sum, value) => sum + units(value), 0n));

export const sub = (from: string, ...values: string[]): string =>
  shown(values.reduce((rest, value) => rest - units(value), units(from)));

/** The exact product; more than 24 places is an error, never a rounding. */
export function mul(...values: string[]): string {
  return shown(
    values.map(units).reduce((product, value) => {
      const next = product * value;
      if (next % one !== 0n) throw new Error(`Product of ${values.join(' * ')} is not exact`);
      return next / one;
    }),
  );
}

/** Rounded up at the sandbox's last ledger unit: 12 decimals. */
export function roundedUp(value: string): string {
  const unit = 10n ** BigInt(places - 12);
  return shown(((units(value) + unit - 1n) / unit) * unit);
}
