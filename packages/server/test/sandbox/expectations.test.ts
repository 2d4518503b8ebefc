/** Expectations hold nobody up, however much has happened and however many wait. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodeClock } from '../../src/io/node-clock.ts';
import { Condition } from '../../src/sandbox/watch/condition.ts';
import { EventLog } from '../../src/sandbox/watch/event-log.ts';
import { EVENT_FIELDS } from '../../src/sandbox/watch/events.ts';
import { Expectations, type Met } from '../../src/sandbox/watch/expectation.ts';

const RECORDS = 4000;
const PER_RECORD = 10;
const PIECE_EVENTS = 500;
const OPEN_MAX = 1000;

const trades = (seq: number, size: string) => ({
  seq,
  size: PER_RECORD,
  read: () => Array.from({ length: PER_RECORD }, () => ({ kind: 'trade', seq, time: seq, size }) as const),
});

function filled(onRead: () => void = () => undefined): EventLog {
  const events = new EventLog();
  for (let seq = 1; seq <= RECORDS; seq++) {
    const record = trades(seq, '1');
    events.addRecord({
      ...record,
      read() {
        onRead();
        return record.read();
      },
    });
  }
  return events;
}

function expectTrade(
  expectations: Expectations,
  size: string,
  from?: number,
  withinMs = 60_000,
): Promise<Met> {
  const condition = new Condition({ size }, EVENT_FIELDS.trade, 'event.where');
  return expectations.wait({ kind: 'trade', condition, withinMs, clock: nodeClock, from });
}

describe('an expectation', () => {
  test('looks back in pieces, one in a turn of the event loop, and misses nothing meanwhile', async () => {
    let [inTurn, most, isOver] = [0, 0, false];
    const events = filled(() => (inTurn += PER_RECORD));
    const look = (): void => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      if (!isOver) setImmediate(look);
    };
    look();
    const expectations = new Expectations(events);
    const met = expectTrade(expectations, '2', 0);
    await new Promise(setImmediate);
    events.addRecord(trades(RECORDS + 1, '2'));
    const found = await met;
    isOver = true;
    assert.ok(found.met && found.event.seq === RECORDS + 1);
    assert.ok(most > 0 && most <= PIECE_EVENTS, `${most} events in a turn`);
  });

  test('without time to wait has looked at everything that is there', async () => {
    const expectations = new Expectations(filled());
    assert.equal((await expectTrade(expectations, '1', RECORDS - 1, 0)).met, true);
    const missed = await expectTrade(expectations, '3', 0, 0);
    assert.ok(!missed.met && missed.closest.length > 0);
  });

  test('that is the oldest makes room where too many wait', async () => {
    const expectations = new Expectations(new EventLog());
    const waiting = Array.from({ length: OPEN_MAX + 1 }, () => expectTrade(expectations, '1'));
    assert.equal((await waiting[0]).met, false);
    expectations.giveUp();
    for (const each of await Promise.all(waiting)) assert.equal(each.met, false);
  });
});
