/** A test kit: an exchange that starts in a fraction of a second, is fully controllable, and leaves nothing behind. */

export {
  CCXT_ADDRESSES,
  type CcxtOptions,
  connect,
  type Exchange,
  ExpectationFailed,
  startExchange,
} from './exchange.ts';
export { ControlError } from './control.ts';
export type * from './report.ts';
export type * from './types.ts';
