/** The form of a table of limits: each with its unit, value and reason. The documentation is generated from it. */

export interface LimitRow {
  readonly unit: string;
  readonly value: number;
  readonly reason: string;
}

export type LimitTable = Readonly<Record<string, LimitRow>>;

/** The values of a table's limits. */
export type LimitsOf<T extends LimitTable> = { readonly [name in keyof T]: number };

export function defaultsOf<T extends LimitTable>(table: T): LimitsOf<T> {
  return Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value])) as LimitsOf<T>;
}

export const MIB = 1024 * 1024;
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
