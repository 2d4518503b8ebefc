/** The services that routes use, assembled once in `startup/`. */

import type { Clock, ExchangePort, HistoryReader } from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import type { MarketView, StatisticsView } from '../views/market.ts';
import type { FeedTokenOptions } from './access/feed-tokens.ts';
import type { LongLists } from './paging.ts';
import type { AddressStock, Custody } from './money/address-sources.ts';
import type { Refusals } from './http/log.ts';
import type { SecretBox } from './access/secrets.ts';
import type { SessionKeys } from './access/keys.ts';
import type { Transparency } from './transparency.ts';

/** The record up to which a node has applied the log. */
export interface LogPosition {
  readonly seq: number;
  /** Milliseconds since the last record arrived; above a few seconds, reads are stale. */
  readonly ageMs: number;
  /** Why reads are rejected here: the state is too old. undefined if it is not. */
  readonly staleness: string | undefined;
  /** Resolves once that record is applied here; to false after a timeout. */
  reach(seq: number): Promise<boolean>;
}

export interface Services {
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  /** Resolves once history has everything acknowledged so far. */
  historyCaughtUp(): Promise<void>;
  /** For lists of more than a few rows. */
  readonly longLists: LongLists;
  readonly refusals: Refusals;
  readonly catalogue: Catalogue;
  readonly market: MarketView;
  readonly statistics: StatisticsView;
  /** Fake addresses of a sandbox. null on a venue: see address-sources.ts. */
  readonly custody: Custody | null;
  /** Of a venue. */
  readonly addressStock?: AddressStock;
  readonly feedTokens: FeedTokenOptions;
  readonly secrets: SecretBox;
  /** The catalogue's keys, without expired ones. */
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
