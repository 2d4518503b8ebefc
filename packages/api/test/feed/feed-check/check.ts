/** What is done with the messages of one topic on one connection. */

import assert from 'node:assert/strict';
import type { TopicName } from '../../../src/feed/topics/topics.ts';
import type { Data } from '../feed-client.ts';

export interface Check {
  readonly name: TopicName;
  /** As messages carry it. */
  readonly topic: string;
  /** Throws where the message is not what the exchange has published. */
  take(data: Data): void;
  /** How many steps are to come; 0 for topics that tell only how things end up. */
  readonly behind: number;
  /** Whether the last word was how things stand now. */
  readonly isComplete: boolean;
}

/** The expected members must be there as expected; others are not looked at. */
export function expectMembers(topic: string, data: Data, expected: Data): void {
  for (const name in expected) {
    if (isSame(data[name], expected[name])) continue;
    assert.fail(
      `${topic}: ${name} is ${String(data[name])}, expected ${String(expected[name])}: ${JSON.stringify(data)}`,
    );
  }
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.join(' ') === b.join(' '));
