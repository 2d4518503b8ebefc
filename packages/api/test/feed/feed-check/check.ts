/** Checks the messages of one topic on one connection. */

import assert from 'node:assert/strict';
import type { TopicName } from '../../../src/feed/topics/topics.ts';
import type { Data } from '../feed-client.ts';

export interface Check {
  readonly name: TopicName;
  /** As messages carry it. */
  readonly topic: string;
  /** Throws if the message differs from what the exchange published. */
  take(data: Data): void;
  /** The number of outstanding steps; 0 for topics that publish only the current state. */
  readonly behind: number;
  /** Whether the last message has the current state. */
  readonly isComplete: boolean;
}

/** The expected members must have the expected values; other members are ignored. */
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
