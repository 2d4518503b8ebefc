import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import type { FeedSocket, FeedTopic } from '../../api/src/gateway/faults.ts';
import { type Effect, FaultRules } from '../src/faults/fault-rules.ts';
import { FeedRuleFaults } from '../src/faults/feed-faults.ts';
import { OrderAliases } from '../src/faults/faulty-ports.ts';

const TOPIC = { name: '/market/level2', text: '/market/level2:BTC-USDT' } as FeedTopic;

function feed() {
  const rules = new FaultRules();
  const clock = new ManualClock();
  const faults = new FeedRuleFaults(rules, new OrderAliases(), clock, { user: () => undefined });
  const socket = { owner: { user: 0, holder: 0, key: '' }, addresses: [TOPIC] } as unknown as FeedSocket;
  faults.opened(socket);
  const add = (effect: Effect) => rules.add({ effect }, undefined).id;
  /** Whether a message reaches the socket. */
  const isGiven = (): boolean => {
    let count = 0;
    faults.deliver(socket, TOPIC, ['{}'], (texts) => {
      count += texts.length;
    });
    return count > 0;
  };
  return { rules, clock, add, isGiven };
}

for (const ms of [undefined, 3_600_000]) {
  test(`a stall of ${ms ?? 'unlimited'} ms ends with its rule, whatever other rules there are`, () => {
    const { rules, add, isGiven } = feed();
    add({ kind: 'feed-duplicate' });
    const stall = add({ kind: 'feed-stall', ...(ms !== undefined && { ms }) });
    assert.equal(isGiven(), false);
    rules.remove(stall);
    assert.equal(isGiven(), true);
  });
}

test('a stall lasts while one of its rules lasts', async () => {
  const { rules, clock, add, isGiven } = feed();
  const [first, second] = [add({ kind: 'feed-stall' }), add({ kind: 'feed-stall', ms: 1000 })];
  assert.equal(isGiven(), false);
  rules.remove(first!);
  assert.equal(isGiven(), false, 'the second');
  await clock.pass(1000);
  assert.equal(isGiven(), true, 'the second is over, and acts once on a connection');
  add({ kind: 'feed-stall' });
  add({ kind: 'feed-duplicate' });
  assert.equal(isGiven(), false);
  rules.clear();
  add({ kind: 'feed-duplicate' });
  assert.equal(isGiven(), true, 'all were removed');
  assert.throws(() => rules.remove(second!), { name: 'Refusal' });
});
