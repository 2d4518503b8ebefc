/**
 * Patterns of expectations. RE2's time is bounded by the lengths of pattern and text; JavaScript's RegExp backtracks, and
 * `(a+)+$` could block the exchange indefinitely. RE2JS is RE2 without an install script. If
 * pattern and text are both long, the rest of the text is ignored: no number of patterns can block the event loop.
 */

import { RE2JS } from 're2js';

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
