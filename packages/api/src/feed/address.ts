/** Parses the topic of a subscription. */

import type { TopicName } from './topics/topics.ts';

/** Identifies a channel: by symbol number, user number, or another argument of the topic. */
export interface ChannelAddress {
  readonly name: TopicName;
  readonly key: number | string;
  /** The topic as messages carry it. */
  readonly text: string;
}
