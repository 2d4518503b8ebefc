/** What the rest of the house may use of the core. */

export type * from './commands.ts';
export type * from './events.ts';
export type * from './outcomes.ts';
export { BrokenInvariant } from './assert.ts';
export { formatUnits, parseDecimal, toUnits } from './decimal.ts';
export type { EventBatch } from './event-batch.ts';
export type { OutcomeBatch } from './outcome-batch.ts';
export { type Applied, Exchange } from './exchange.ts';
export type { Balance, OrderView, PriceLevel } from './queries.ts';
export { REJECTION_CODES, type Rejection, type RejectionCode, type RejectionDetails } from './rejections.ts';
export { SNAPSHOT_VERSION } from './snapshot/snapshot.ts';
