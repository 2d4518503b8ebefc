/** Expectations do not block the event loop, however many events exist and however many expectations are pending. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodeClock } from '../../engine/src/io/clock.ts';
import { Condition, type Fields } from '../src/watch/condition.ts';
import { EVENT_FIELDS, EventLog } from '../src/watch/events.ts';
import { Expectations, type Met } from '../src/watch/expectation.ts';

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
  test('shares one pattern budget per event with all other pending expectations', async () => {
    const events = new EventLog();
    const expectations = new Expectations(events);
    const wait = (where: Fields) => {
      const condition = new Condition(where, EVENT_FIELDS.request, 'event.where');
      return expectations.wait({
        kind: 'request',
        condition,
        withinMs: 60_000,
        clock: nodeClock,
        from: undefined,
      });
    };
    const costly = Array.from({ length: 10 }, () => wait({ body: { matches: '(a|a|a|a){100}b' } }));
    const plain = wait({ path: '/api' });
    const behind = wait({ body: { matches: 'aaa' } });
    const request = (seq: number, body: string) => ({ kind: 'request', seq, time: 1, path: '/api', body });
    events.add(request(1, 'a'.repeat(1 << 16)) as never);
    assert.equal((await plain).met, true, 'what has no pattern costs nothing');
    events.add(request(2, 'aaa') as never);
    const met = await behind;
    assert.ok(met.met);
    assert.equal(met.event.seq, 2, 'nothing was left of the budget of the first event');
    expectations.giveUp();
    for (const each of costly) assert.equal((await each).met, false);
  });

  test('searches past events up to its pattern budget per iteration, and then yields', async () => {
    const events = new EventLog();
    const expectations = new Expectations(events);
    const body = 'a'.repeat(1 << 14);
    for (let seq = 1; seq <= 20; seq++) events.add({ kind: 'request', seq, time: 1, body } as never);
    events.add({ kind: 'request', seq: 21, time: 1, body: 'b' } as never);
    const condition = new Condition(
      { body: { matches: '(a|a|a|a){100}b|^b' } },
      EVENT_FIELDS.request,
      'event.where',
    );
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    count();
    const met = await expectations.wait({
      kind: 'request',
      condition,
      withinMs: 60_000,
      clock: nodeClock,
      from: 0,
    });
    isOver = true;
    assert.equal(met.met && met.event.seq, 21);
    assert.ok(turns > 5, `${turns} turns`);
  });

  test('searches past events in pieces, one per iteration of the event loop, and misses nothing meanwhile', async () => {
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

  test('without a timeout searches all past events first', async () => {
    const expectations = new Expectations(filled());
    assert.equal((await expectTrade(expectations, '1', RECORDS - 1, 0)).met, true);
    const missed = await expectTrade(expectations, '3', 0, 0);
    assert.ok(!missed.met && missed.closest.length > 0);
  });

  test('is answered as unmet if it is the oldest of too many', async () => {
    const expectations = new Expectations(new EventLog());
    const waiting = Array.from({ length: OPEN_MAX + 1 }, () => expectTrade(expectations, '1'));
    assert.equal((await waiting[0]).met, false);
    expectations.giveUp();
    for (const each of await Promise.all(waiting)) assert.equal(each.met, false);
  });
});
