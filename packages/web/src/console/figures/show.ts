/** Figures about the machine as people read them. Money never comes through here: it stays the text that was sent. */

const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1024;
const BITS_MAX = 50;
const DIGITS_MAX = 12;

/** Round in the units that bytes are shown in. */
export const BYTE_STEPS = Array.from({ length: BITS_MAX }, (_, bits) => 2 ** bits);

/** Round numbers, none below one; and the same for parts of a hundred. */
export const COUNT_STEPS = Array.from({ length: DIGITS_MAX }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();
export const PERCENT_STEPS = COUNT_STEPS.map((step) => step / 100);

export const count = (value: number): string => plain.format(value);
export const perSecond = (value: number): string => `${precise.format(value)}/s`;
export const percent = (value: number): string => `${plain.format(value * 100)} %`;
export const milliseconds = (value: number): string => `${precise.format(value)} ms`;

export function bytes(value: number): string {
  let unit = 0;
  let shown = value;
  while (shown >= STEP && unit < UNITS.length - 1) {
    shown /= STEP;
    unit++;
  }
  return `${precise.format(shown)} ${UNITS[unit]}`;
}
