/** What routes work with; put together once, in `startup/`. */

import type { Clock, ExchangePort, HistoryReader } from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import type { MarketView } from '../views/market.ts';
import type { StatisticsView } from '../views/statistics.ts';
import type { FeedTokenOptions } from './access/feed-tokens.ts';
import type { LongLists } from './long-lists.ts';
import type { AddressStock } from './money/address-sources.ts';
import type { Custody } from './money/custody.ts';
import type { Refusals } from './access/refusals.ts';
import type { SecretBox } from './access/secrets.ts';
import type { SessionKeys } from './access/session-keys.ts';
import type { Transparency } from './transparency.ts';

/** The record up to which a node has applied the log. */
export interface LogPosition {
  readonly seq: number;
  /** Milliseconds since the last record arrived; above a few seconds, reads are stale. */
  readonly ageMs: number;
  /** Why nothing may be read here: it is too old. undefined while it is not. */
  readonly staleness: string | undefined;
  /** Resolves when that record is applied here; false when that takes too long. */
  reach(seq: number): Promise<boolean>;
}

export interface Services {
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  /** Resolves when history has everything answered so far. */
  historyCaughtUp(): Promise<void>;
  /** For lists of more than a few rows. */
  readonly longLists: LongLists;
  readonly refusals: Refusals;
  readonly catalogue: Catalogue;
  readonly market: MarketView;
  readonly statistics: StatisticsView;
  /** Play addresses of a sandbox. null at a venue: see address-sources.ts. */
  readonly custody: Custody | null;
  /** Of a venue. */
  readonly addressStock?: AddressStock;
  readonly feedTokens: FeedTokenOptions;
  readonly secrets: SecretBox;
  /** The catalogue's keys without those that have ended. */
  readonly sessionKeys: SessionKeys;
  readonly clock: Clock;
  /** Not in a cluster. */
  readonly transparency?: Transparency;
  /** Only on a node of a cluster: its position in the log. */
  readonly position?: LogPosition;
  /** How long history keeps rows, in milliseconds. */
  readonly historyRetentionMs: number;
  /** How long a done order can be looked up, in milliseconds. */
  readonly lookupWindowMs: number;
}
