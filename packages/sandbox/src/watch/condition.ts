/** Conditions of expectations and assertions: fields and their expected values, all of which must match. */

import { shortened } from '@bourse/engine';
import type { Refusal } from '@bourse/api';
import { RE2JS } from 're2js';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

type Fit = (value: unknown, budget: PatternBudget) => boolean;

const OPERATORS: readonly string[] = ['gte', 'lte', 'in', 'matches'];
const DECIMAL = /^-?\d{1,60}(\.\d{1,60})?$/;

export class Condition {
  readonly #fits: readonly (readonly [field: string, fit: Fit])[];

  /** Throws an error message for a field that is not one of `known`, or a value that cannot be compared. */
  constructor(where: Fields, known: readonly string[], place: string) {
    this.#fits = Object.entries(where).map(([field, wanted]) => {
      if (!known.includes(field)) {
        const msg = `${place}.${shortened(field)}: unknown field. Expected one of: ${known.join(', ')}.`;
        throw sandboxRefusal('field-unknown', msg);
      }
      return [field, fitOf(wanted, `${place}.${field}`)] as const;
    });
  }

  /** `budget`: shared by all conditions that match the same event. */
  fits(fields: Fields, budget = new PatternBudget()): boolean {
    return this.#fits.every(([field, fit]) => fit(fields[field], budget));
  }

  /** The number of matching conditions, to find the closest event. */
  score(fields: Fields, budget = new PatternBudget()): number {
    return this.#fits.filter(([field, fit]) => fit(fields[field], budget)).length;
  }
}

function fitOf(wanted: unknown, place: string): Fit {
  if (typeof wanted !== 'object' || wanted === null) return (value) => equals(value, wanted);
  const given = wanted as Fields;
  const names = Object.keys(given);
  const strange = names.find((name) => !OPERATORS.includes(name));
  if (Array.isArray(wanted) || names.length === 0 || strange !== undefined) {
    const what = strange === undefined || Array.isArray(wanted) ? 'this' : `'${shortened(strange)}'`;
    const msg = `${place}: ${what} cannot be compared. Give a value, or {gte, lte}, {in: [..]} or {matches}.`;
    throw sandboxRefusal('value-invalid', msg);
  }
  const fits = names.map((name) => operatorOf(name, given[name], place));
  return (value, budget) => fits.every((fit) => fit(value, budget));
}

function operatorOf(name: string, operand: unknown, place: string): Fit {
  if (name === 'in') {
    if (!Array.isArray(operand)) throw invalid(`${place}.in: expected a list of values.`);
    return (value) => operand.some((each) => equals(value, each));
  }
  if (name === 'matches') {
    const matches = typeof operand === 'string' ? compilePattern(operand) : undefined;
    if (matches === undefined) {
      throw invalid(
        `${place}.matches: expected a regular expression of RE2 with at most 200 characters; look-around and back references are not supported.`,
      );
    }
    return (value, budget) => value !== undefined && value !== null && matches(textOf(value), budget);
  }
  const bound = Number(operand);
  if (operand === null || operand === '' || !Number.isFinite(bound)) {
    throw invalid(`${place}.${name}: expected a number.`);
  }
  return (value) => {
    if (value === undefined || value === null || value === '') return false;
    const number = Number(value);
    return name === 'gte' ? number >= bound : number <= bound;
  };
}

const invalid = (msg: string): Refusal<SandboxErrorName> => sandboxRefusal('value-invalid', msg);

/** Compares decimals by value, 1.0 like 1.00; everything else as text. */
function equals(value: unknown, wanted: unknown): boolean {
  if (value === undefined) return wanted === undefined || wanted === null;
  const [left, right] = [textOf(value), textOf(wanted)];
  return left === right || (DECIMAL.test(left) && DECIMAL.test(right) && plain(left) === plain(right));
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Without insignificant zeros. */
function plain(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length).replace(/^0+(?=\d)/, '');
  const tail = fraction.replace(/0+$/, '');
  const text = tail === '' ? digits : `${digits}.${tail}`;
  return text === '0' ? '0' : sign + text;
}

// Patterns of expectations. RE2's time is bounded by the lengths of pattern and text; JavaScript's RegExp backtracks,
// and `(a+)+$` could block the exchange indefinitely. RE2JS is RE2 without an install script. If pattern and text are
// both long, the rest of the text is ignored: no number of patterns can block the event loop.

const LENGTH_MAX = 200;
/** Instructions; the longest allowed literal has about as many as it has letters. */
const PROGRAM_MAX = 500;

/** Maximum cost of all patterns per event, in characters times instructions, each at most 25 ns. */
export class PatternBudget {
  left = 4_000_000;
}

type Matcher = (subject: string, budget?: PatternBudget) => boolean;

/** Undefined if the text is not a valid RE2 pattern, or too long. A text matches if any part of it does. */
export function compilePattern(text: string): Matcher | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const pattern = parse(text);
  const size = pattern?.programSize() ?? Infinity;
  if (pattern === undefined || size > PROGRAM_MAX) return undefined;
  return (subject, budget = new PatternBudget()) => {
    const seen = subject.slice(0, Math.floor(budget.left / size));
    budget.left = seen.length < subject.length ? 0 : budget.left - seen.length * size;
    return pattern.test(seen);
  };
}

function parse(text: string): RE2JS | undefined {
  try {
    return RE2JS.compile(text, RE2JS.DOTALL);
  } catch {
    return undefined;
  }
}
