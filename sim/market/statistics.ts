/** Statistics of a series of numbers. */

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function moment(values: readonly number[], power: number): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
}

export const deviation = (values: readonly number[]): number => Math.sqrt(moment(values, 2));

/** Excess kurtosis: how much fatter the tails are than those of a normal distribution. */
export const excessKurtosis = (values: readonly number[]): number =>
  moment(values, 4) / moment(values, 2) ** 2 - 3;

export function autocorrelation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  let sum = 0;
  for (let at = lag; at < values.length; at++) {
    sum += ((values[at] as number) - middle) * ((values[at - lag] as number) - middle);
  }
  return sum / values.length / moment(values, 2);
}

/**
 * The standard error of the autocorrelation of an uncorrelated series: 1/sqrt(n) if all values have the same
 * variance; more if large values cluster, because then few of them dominate (White's estimator).
 */
export function autocorrelationError(values: readonly number[], lag: number): number {
  const middle = mean(values);
  const squares = values.map((value) => (value - middle) ** 2);
  let products = 0;
  for (let at = lag; at < squares.length; at++) {
    products += (squares[at] as number) * (squares[at - lag] as number);
  }
  return Math.sqrt(products) / squares.reduce((sum, square) => sum + square, 0);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}

export const logReturns = (prices: readonly number[]): number[] =>
  prices.slice(1).map((price, at) => Math.log(price / (prices[at] as number)));
