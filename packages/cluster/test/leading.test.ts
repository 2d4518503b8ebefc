/** The records of a leader: each command of each node once, and again those that must wait for an order. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, Exchange, type Outcome, RULES_VERSION } from '@bourse/core';
import { RoomBus } from '@bourse/test-kit/cluster/networks.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { Leading } from '../src/leadership/leadership.ts';
import { LogTime } from '../../engine/src/log-time.ts';
import { DEFAULT_SEQUENCER_LIMITS } from '../../engine/src/sequencer.ts';

const TERM = 2;
const OFFERS = 5;

/** One meeting a record, or as many as it has commands; user 0 offers at five prices. */
function makeLeading() {
  const [exchange, clock] = [new Exchange(), new ManualClock()];
  const apply = (commands: readonly Command[], time: number) =>
    exchange.apply({ seq: exchange.seq + 1, time, rules: RULES_VERSION, commands: [...commands] });
  const offers = Array.from({ length: OFFERS }, (_, i) => order(0, 'sell', 1000 + 10 * i, 1));
  apply([...openMarket(), ...offers, { kind: 'set-limits', stepsPerRecordMax: 1 }], clock.now());
  const refused: string[] = [];
  const leading = new Leading({
    exchange,
    clock,
    bus: new RoomBus(),
    limits: DEFAULT_SEQUENCER_LIMITS,
    recordBytesMax: DEFAULT_SEQUENCER_LIMITS.recordBytesMax,
    run: 'here',
    term: TERM,
    time: new LogTime(clock, exchange.time),
    successor: () => null,
    isClockOff: () => false,
    onRefused: (id, reason) => refused.push(`${id}: ${reason}`),
  });
  /** The owner of each command of the next record, and its result. */
  const appendNext = (): string[] => {
    const next = leading.next();
    assert.ok(next, 'there is nothing to append');
    const { commands, waiters: origins } = next.batch;
    const applied = apply(commands, next.time);
    const outcomes: Outcome[] = applied.outcomes.decode();
    leading.note(next, 0, applied.waits);
    return origins.map(({ run, id }, i) => `${run} ${id}: ${outcomes[i].kind}`);
  };
  return { leading, appendNext, clock, refused };
}

test('commands that wait for a long order return when it is complete, in order and with their callers', () => {
  const { leading, appendNext } = makeLeading();
  leading.add({ id: 1, command: order(1, 'buy', 2000, OFFERS), sender: 1, until: Infinity });
  const commands = [
    { id: 7, command: order(0, 'sell', 3000, 1), sender: 0, until: Infinity },
    { id: 8, command: order(0, 'sell', 3010, 1), sender: 0, until: Infinity },
  ];
  leading.addBatch({ kind: 'commands', from: 'there', term: TERM, number: 1, commands });
  assert.deepEqual(appendNext(), ['here 1: unfinished', 'there 7: waits', 'there 8: waits']);
  // Three sell orders are matched; each of these records matches one more.
  assert.deepEqual(appendNext(), []);
  assert.deepEqual(appendNext(), []);
  assert.deepEqual(appendNext(), ['there 7: order', 'there 8: order']);
  assert.equal(leading.next(), null, 'nothing is left');
});

test('a command past its deadline enters no record, and its caller gets an error', () => {
  const { leading, appendNext, clock, refused } = makeLeading();
  const now = clock.elapsed();
  leading.add({ id: 1, command: order(1, 'buy', 100, 1), sender: 1, until: now + 10 });
  leading.add({ id: 2, command: order(1, 'buy', 100, 1), sender: 1, until: now + 11 });
  clock.leap(11);
  assert.deepEqual(appendNext(), ['here 2: order']);
  assert.deepEqual(refused, ['1: expired']);
});
