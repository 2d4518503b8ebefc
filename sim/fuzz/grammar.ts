/** Structured invalid input: values of every wrong kind, valid objects with damaged parts, and damaged bytes. */

import type { Random } from '@bourse/test-kit/random.ts';

/** Raw text in JSON: numbers that JSON.stringify would normalise, and invalid ones. */
class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const split = (text: string): string[] => text.split(' ');

export const WORDS: readonly string[] = [
  ...split('-1 +1 1e5 0x10 NaN Infinity 0 00 .5 5. 1,5 ９ -0 1_000 é 𝄞 ../.. %00 [] {} null true undefined'),
  ...split('__proto__ constructor toString \u0000 \ufeff \u202e'),
  '',
  ' ',
  "' OR 1=1",
  '9'.repeat(41),
  '0.'.padEnd(60, '0'),
  'x'.repeat(1500),
];
const KNOWN = split(
  'BTC-USDT ETH-BTC USDT BTC limit market buy sell 1 GTT IOC FOK GTC MAIN TRADE CN DC 20000 0.001 INTERNAL trx 1min',
);
const TOKENS = split(
  '-1 0 1.5 1e308 1e400 -0 9007199254740993 1e-7 00 .5 5. 0x10 NaN 12345678901234567890123 0.1e1 1E+2 - +1 --1 1.0.0 ',
);
const PUNCTUATION = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '\\u',
  '\\ud800',
  '\u0000',
  '\n',
  '/*',
  '\ufeff',
];

/** A decimal as a careless program writes it, mostly nearly right. */
export function decimal(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('');
  const whole = digits(random.below(random.chance(0.1) ? 45 : 7));
  const part = random.chance(0.6) ? `.${digits(random.below(random.chance(0.1) ? 30 : 9))}` : '';
  const exponent = random.chance(0.1) ? `e${random.pick(['', '-', '+'])}${digits(random.below(4))}` : '';
  return random.pick(['', '', '', '', '-', '+', ' ']) + whole + part + exponent;
}

export function value(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 6 : 8)) {
    case 0:
      return random.pick(WORDS);
    case 1:
      return new Literal(random.pick(TOKENS));
    case 2:
      return random.pick([true, false, null]);
    case 3:
      return random.pick(KNOWN);
    case 4:
      return decimal(random);
    case 5:
      return new Literal(decimal(random));
    case 6:
      return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [random.pick(WORDS), value(random, depth + 1)]),
      );
  }
}

/** A valid object with members changed, removed or added. */
export function spoil(random: Random, right: unknown): unknown {
  if (Array.isArray(right)) {
    if (random.chance(0.2)) return value(random);
    return right.flatMap((each: unknown) =>
      random.chance(0.1) ? [each, spoil(random, each)] : [random.chance(0.5) ? spoil(random, each) : each],
    );
  }
  if (typeof right !== 'object' || right === null) return value(random);
  const spoilt: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(right)) {
    const luck = random.below(7);
    if (luck === 0) continue;
    spoilt[luck === 1 ? name.toUpperCase() : name] = luck < 4 ? spoil(random, member) : member;
  }
  if (random.chance(0.25)) spoilt[random.pick(WORDS)] = value(random);
  return spoilt;
}

/** A valid object with one member changed, so that it passes all other checks. */
export function spoilOne(random: Random, right: object): unknown {
  if (Array.isArray(right)) {
    const at = random.below(right.length);
    return right.map((each: object, place) => (place === at ? spoilOne(random, each) : each));
  }
  const members = Object.entries(right);
  const at = random.below(members.length + 1);
  return Object.fromEntries(
    members.map(([name, member], place) => {
      if (place !== at) return [name, member];
      return [
        name,
        Array.isArray(member)
          ? spoilOne(random, member)
          : random.chance(0.5)
            ? decimal(random)
            : value(random),
      ];
    }),
  );
}

/** JSON, except where it is meant to be invalid. */
export function toText(given: unknown): string {
  if (given instanceof Literal) return given.text;
  if (Array.isArray(given)) return `[${given.map(toText).join(',')}]`;
  if (typeof given !== 'object' || given === null) return JSON.stringify(given) ?? 'null';
  return `{${Object.entries(given)
    .map(([name, member]) => `${JSON.stringify(name)}:${toText(member)}`)
    .join(',')}}`;
}

/** Text with one misplaced insertion. */
export function disturb(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(PUNCTUATION) + text.slice(at + random.below(3));
}

/** Bytes changed, truncated, removed or duplicated. */
export function damage(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = random.pick([0, 0, 0, 1, 2]); i >= 0; i--)
    if (copy.length > 0)
      copy[random.below(copy.length)] = random.chance(0.5) ? random.range(0x20, 0x7e) : random.below(256);
  const [from, to] = [random.below(copy.length + 1), random.below(copy.length + 1)];
  switch (random.below(5)) {
    case 0:
      return copy.subarray(0, from);
    case 1:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
    default:
      return copy;
  }
}
