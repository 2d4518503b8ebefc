/** What a client listens to, from the topic it writes. */

import type { TopicName } from './topics/topics.ts';

/** Names a channel: by a symbol's number, a user's, or what else the topic takes. */
export interface Address {
  readonly name: TopicName;
  readonly key: number | string;
  /** The topic as messages carry it. */
  readonly text: string;
}
