/** A test kit: an exchange that starts in a fraction of a second, is fully controllable, and leaves nothing behind. */

export { CCXT_ADDRESSES, type CcxtOptions } from './ccxt-options.ts';
export { connect } from './connect.ts';
export { ControlError } from './control.ts';
export type { Exchange } from './exchange.ts';
export { ExpectationFailed } from './expectation.ts';
export type * from './report.ts';
export { startExchange } from './start.ts';
export type { StartOptions } from './start-options.ts';
export type * from './types.ts';
