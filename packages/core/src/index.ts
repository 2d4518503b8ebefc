/** The public interface of the core. */

export type * from './commands/commands.ts';
export type * from './events/events.ts';
export type * from './commands/outcomes.ts';
export { FOREVER, STEP_UP_MS } from './people/people.ts';
export { statusAt } from './operators/operators.ts';
export { BREAK_GLASS_MS, ROLES } from './operators/operate.ts';
export { BrokenInvariant } from './values/checks.ts';
export { freezeOf, SUB_ACCOUNTS_MAX } from './access/users.ts';
export { DEFAULT_RATES } from './reference/fees.ts';
export { movementUnit } from './reference/currencies.ts';
export { withdrawalFee } from './ledger/money-out.ts';
export { formatUnits, parseDecimal, RATE_DECIMALS, toUnits, UNITS_END } from './values/amount.ts';
export { SYSTEM_ACCOUNTS } from './events/event-rows.ts';
export type { EventOutline } from './events/event-reader.ts';
export { type Applied, Exchange } from './exchange.ts';
export type {
  Account,
  Balance,
  DoneOrder,
  OrderView,
  PriceLevel,
  ShownOrder,
} from './queries.ts';
export { RULES_VERSION } from './rules-version.ts';
export type { HashKey } from './tables/index-table.ts';
export type * from './reference-queries.ts';
export {
  type Rejection,
  REJECTION_CODES,
  type RejectionCode,
  type RejectionDetails,
} from './commands/rejections.ts';
export { IMPORTED_CANDLES_MAX } from './import-candles.ts';
export {
  DAY_MS,
  HOUR_MS,
  type Interval,
  INTERVAL_NAMES,
  INTERVALS,
  isInterval,
  startOf,
} from './values/intervals.ts';
export { hashBytes } from './snapshot/bytes.ts';
export { SNAPSHOT_HASH_BYTES, SNAPSHOT_MAGIC, SNAPSHOT_VERSION } from './snapshot/snapshot.ts';
