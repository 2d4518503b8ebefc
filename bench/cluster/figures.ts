/** Formats and aggregates figures. */

export const show = (name: string, text: string): void => console.log(`${name.padEnd(46)} ${text}`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** Nearest-rank percentile; of few values the 99th percentile is the maximum. */
export const at = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * list.length) - 1)] ?? 0;

export const median = (list: readonly number[]): number => at(list, 0.5);
