/** What was traded before the exchange began, as somebody brought it. */

import type { ImportedCandle } from './commands.ts';
import type { Interval } from './intervals.ts';

export interface CandlesImported {
  readonly kind: 'candles-imported';
  readonly symbol: number;
  readonly interval: Interval;
  readonly candles: readonly ImportedCandle[];
}
