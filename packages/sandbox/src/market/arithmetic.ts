/**
 * Exponential and logarithm from the four basic operations. The machine's own may differ in the last bit between
 * machines, but a seed must give the same market to the byte everywhere.
 */

const TERMS = 18;

/** e^x, for |x| below 700. */
export function exp(x: number): number {
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * Math.LN2;
  let sum = 1;
  for (let term = TERMS; term > 0; term--) sum = 1 + (sum * rest) / term;
  for (let left = doublings; left > 0; left--) sum *= 2;
  for (let left = doublings; left < 0; left++) sum /= 2;
  return sum;
}

const STEPS_MAX = 12;

/** The natural logarithm of a number above 0. */
export function log(value: number): number {
  let rest = value;
  let result = 0;
  for (; rest > 1.5; rest /= 2) result += Math.LN2;
  for (; rest < 0.75; rest *= 2) result -= Math.LN2;
  let y = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    const next = y + rest / exp(y) - 1;
    if (next === y) break;
    y = next;
  }
  return result + y;
}
