import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { LogBroken } from '../src/log/command-log.ts';
import type { CommandResult } from '../src/exchange-port.ts';
import type { Sequencer } from '../src/sequencer.ts';
import { nodeClock } from '../src/io/clock.ts';
import { settle } from '@bourse/test-kit/manual-clock.ts';
import { order } from '@bourse/test-kit/market.ts';
import { open, openWith, refusedAs } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

/** The state of a promise. */
async function standingOf(promise: Promise<unknown>): Promise<string> {
  await settle();
  const waits = Symbol('waits');
  return Promise.race([promise, Promise.resolve(waits)]).then(
    (value) => (value === waits ? 'waits' : 'done'),
    () => 'refused',
  );
}

describe('a command', () => {
  test('is answered when it is durable, and not before', async () => {
    const { log, exchange, sequencer } = await open();
    const seq = exchange.seq + 1;
    const answer = submit(sequencer, order(0, 'sell', 1000, 100));
    assert.equal(await standingOf(answer), 'waits');
    assert.equal(exchange.seq, seq, 'it is applied while it syncs');
    log.sync();
    const { outcome, ...rest } = await answer;
    assert.equal(outcome.kind, 'order');
    assert.deepEqual(rest, { seq, time: log.lastTime });
  });

  test('enters one record with all pending ones, in order of arrival', async () => {
    const { log, sequencer } = await open();
    const first = submit(sequencer, order(0, 'sell', 1000, 1));
    await settle();
    const rest = [1, 2, 3].map((i) => submit(sequencer, order(0, 'sell', 1000 + 10 * i, 1)));
    log.sync();
    await first;
    await settle();
    log.sync();
    const answers = await Promise.all(rest);
    assert.equal(new Set(answers.map(({ seq }) => seq)).size, 1);
    assert.deepEqual(
      log.records.at(-1)?.commands.map((command) => (command as { price?: number }).price),
      [1010, 1020, 1030],
    );
    const ids = answers.map(({ outcome }) => (outcome.kind === 'order' ? outcome.order : 0));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });

  test('enters one record with commands of the same event loop iteration', async () => {
    const { log, sequencer } = await openWith(nodeClock);
    log.isAutomatic = true;
    const first = submit(sequencer, order(0, 'sell', 1000, 1));
    for (let i = 0; i < 10; i++) await Promise.resolve();
    const second = submit(sequencer, order(0, 'sell', 1010, 1));
    assert.equal((await first).seq, (await second).seq);
  });

  test('sent from the result of the previous one enters the next record with the others', async () => {
    const { log, sequencer } = await open();
    log.isAutomatic = true;
    const before = log.appends;
    const caller = async (user: number) => {
      for (let i = 0; i < 10; i++) await submit(sequencer, order(user, 'sell', 1000 + i * 10, 1));
    };
    await Promise.all(Array.from({ length: 50 }, (_, i) => caller(i % 2)));
    assert.equal(log.appends - before, 10);
  });

  test('is refused at once when the queue is full, by count and by bytes', async () => {
    const { log, sequencer } = await open({ queueMax: 3, queueBytesMax: 4000 });
    const inFlight = submit(sequencer, order(0, 'sell', 1000, 1));
    await settle();
    const waiting = [1, 2, 3].map(() => submit(sequencer, order(0, 'sell', 1000, 1)));
    assert.equal(sequencer.waiting, 4);
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), refusedAs('queue-full'));
    log.isAutomatic = true;
    log.sync();
    await Promise.all([inFlight, ...waiting]);
    const large = order(0, 'sell', 1000, 1, { remark: 'x'.repeat(5000) });
    await assert.rejects(submit(sequencer, large), refusedAs('queue-full'));
    await submit(sequencer, order(0, 'sell', 1000, 1));
  });

  test('waits for a later record when one would be too large, by count and by bytes', async () => {
    const { log, sequencer } = await open({ recordMax: 10, recordBytesMax: 1000 });
    log.isAutomatic = true;
    const from = log.records.length;
    const small = Array.from({ length: 25 }, () => submit(sequencer, order(0, 'sell', 1000, 1)));
    await Promise.all(small);
    assert.deepEqual(
      log.records.slice(from).map(({ commands }) => commands.length),
      [10, 10, 5],
    );
    const large = Array.from({ length: 4 }, (_, i) =>
      submit(sequencer, { kind: 'set-note', name: `${i}`, text: 'x'.repeat(600) }),
    );
    await Promise.all(large);
    assert.deepEqual(
      log.records.slice(from + 3).map(({ commands }) => commands.length),
      [1, 1, 1, 1],
    );
  });

  test('is rejected while history is too far behind, and accepted when it has caught up', async () => {
    const { log, exchange, sequencer } = await open({ doneMax: 3 });
    log.isAutomatic = true;
    for (let i = 0; i < 5; i++) await submit(sequencer, order(0, 'sell', 1000, 1, { timeInForce: 'IOC' }));
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), refusedAs('history-behind'));
    exchange.forgetDone(exchange.seq);
    await submit(sequencer, order(0, 'sell', 1000, 1));
  });
});

describe('a read', () => {
  test('runs at once when nothing is in flight', async () => {
    const { exchange, sequencer } = await open();
    assert.equal(await sequencer.read(({ seq }) => seq), exchange.seq);
    await assert.rejects(
      sequencer.read(() => {
        throw new RangeError('mine');
      }),
      RangeError,
    );
  });

  test('sees only durable records, and everything that was acknowledged (promise 10)', async () => {
    const { log, sequencer } = await open();
    const count = () => sequencer.read(({ counts }) => counts.orders);
    const answer = submit(sequencer, order(0, 'sell', 1000, 100));
    await settle();
    const early = count();
    assert.equal(await standingOf(early), 'waits');
    log.sync();
    await answer;
    assert.equal(await count(), 1);
    assert.equal(await early, 1);
  });

  test('is refused when too many wait', async () => {
    const { log, sequencer } = await open({ readsMax: 2 });
    const answer = submit(sequencer, order(0, 'sell', 1000, 100));
    await settle();
    const reads = [1, 2].map(() => sequencer.read(({ seq }) => seq));
    await assert.rejects(
      sequencer.read(({ seq }) => seq),
      refusedAs('queue-full'),
    );
    log.sync();
    await Promise.all([answer, ...reads]);
  });
});

describe('a subscriber', () => {
  test('sees each durable record once, in order, before its answers', async () => {
    const { log, sequencer } = await open();
    log.isAutomatic = true;
    const told: string[] = [];
    const leave = sequencer.subscribe(({ seq, events, done }, exchange) => {
      assert.equal(exchange.seq, seq);
      told.push(`record ${seq}: ${events.length > 0} ${done.length}`);
    });
    const from = log.lastSeq;
    await submit(sequencer, order(0, 'sell', 1000, 100)).then(({ seq }) => told.push(`answer ${seq}`));
    await submit(sequencer, order(1, 'buy', 1000, 100)).then(({ seq }) => told.push(`answer ${seq}`));
    leave();
    await submit(sequencer, order(1, 'buy', 1000, 100));
    assert.deepEqual(told, [
      `record ${from + 1}: true 0`,
      `answer ${from + 1}`,
      `record ${from + 2}: true 2`,
      `answer ${from + 2}`,
    ]);
  });

  test('sees nothing before it is durable', async () => {
    const { log, sequencer } = await open();
    let seen = 0;
    sequencer.subscribe(() => seen++);
    const answer = submit(sequencer, order(0, 'sell', 1000, 100));
    await settle();
    assert.equal(seen, 0);
    log.sync();
    await answer;
    assert.equal(seen, 1);
  });

  test('cannot read a record later', async () => {
    const { log, sequencer } = await open();
    log.isAutomatic = true;
    const kept: { readonly events: readonly unknown[]; readonly done: readonly unknown[] }[] = [];
    sequencer.subscribe((published) => kept.push(published));
    await submit(sequencer, order(0, 'sell', 1000, 100));
    await submit(sequencer, order(0, 'sell', 1000, 100));
    assert.throws(() => kept[0].events, /only while it is published/);
    assert.throws(() => kept[0].done, /only while it is published/);
  });
});

describe('a failed sync', () => {
  test('stops the engine permanently and is never retried (promise 3)', async () => {
    const { log, sequencer, stops } = await open();
    const inFlight = submit(sequencer, order(0, 'sell', 1000, 1));
    await settle();
    const waiting = submit(sequencer, order(0, 'sell', 1000, 1));
    const read = sequencer.read(({ seq }) => seq);
    const { appends } = log;
    log.failSync();
    for (const refused of [inFlight, waiting, read]) await assert.rejects(refused, refusedAs('stopped'));
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), refusedAs('stopped'));
    await assert.rejects(
      sequencer.read(({ seq }) => seq),
      refusedAs('stopped'),
    );
    await settle();
    assert.equal(log.appends, appends);
    assert.equal(sequencer.state, 'stopped');
    assert.deepEqual(
      stops.map(({ name }) => name),
      ['LogBroken'],
    );
    await sequencer.close();
  });

  test('that the log reports with the next append stops it too', async () => {
    const { log, sequencer } = await open();
    log.append = () => {
      throw new LogBroken('the log is closed');
    };
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), /the log is closed/);
    assert.equal(sequencer.state, 'stopped');
  });
});

describe('a log that fails after a record was durable', () => {
  test('returns the results of that record, and stops', async () => {
    const { log, sequencer, stops } = await open();
    const answer = submit(sequencer, order(0, 'sell', 1000, 1));
    await settle();
    log.failure = new LogBroken('adding a segment failed');
    log.sync();
    assert.equal((await answer).outcome.kind, 'order');
    assert.equal(sequencer.state, 'stopped');
    assert.deepEqual(
      stops.map(({ message }) => message),
      ['adding a segment failed'],
    );
  });
});

describe('a full disk', () => {
  test('with space again is detected without a command', async () => {
    const { sequencer, log, clock, exchange } = await open();
    log.isAutomatic = true;
    log.isFull = true;
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 5)), refusedAs('disk-full'));
    await clock.pass(2500);
    assert.equal(sequencer.state, 'full');
    const { seq } = exchange;
    log.isFull = false;
    await clock.pass(1000);
    assert.deepEqual([sequencer.state, exchange.seq], ['open', seq + 1]);
    await clock.pass(10_000);
    assert.equal(exchange.seq, seq + 1, 'one record was enough');
  });

  test('rejects commands, leaves the state unchanged, serves reads, and recovers with the next command (promise 4)', async () => {
    const { log, exchange, sequencer } = await open();
    const { seq } = exchange;
    log.isFull = true;
    const refused = [1, 2].map(() => submit(sequencer, order(0, 'sell', 1000, 1)));
    for (const each of refused) await assert.rejects(each, refusedAs('disk-full'));
    assert.equal(sequencer.state, 'full');
    assert.equal(exchange.seq, seq);
    assert.equal(await sequencer.read(({ counts }) => counts.orders), 0);
    log.isFull = false;
    log.isAutomatic = true;
    assert.equal((await submit(sequencer, order(0, 'sell', 1000, 1))).seq, seq + 1);
    assert.equal(sequencer.state, 'open');
  });
});

describe('time', () => {
  const lasting = (seconds: number): Command =>
    order(0, 'sell', 1000, 100, { timeInForce: 'GTT', cancelAfterSec: seconds });
  const orders = (sequencer: Sequencer) => sequencer.read(({ counts }) => counts.orders);

  test('expires an order by a record without commands', async () => {
    const { log, clock, sequencer } = await open();
    log.isAutomatic = true;
    await submit(sequencer, lasting(10));
    const { seq } = log.records.at(-1)!;
    await clock.pass(9_990);
    assert.equal(await orders(sequencer), 1);
    assert.equal(log.lastSeq, seq);
    await clock.pass(20);
    assert.equal(await orders(sequencer), 0);
    assert.equal(log.lastSeq, seq + 1);
    assert.deepEqual(log.records.at(-1)?.commands, []);
    await clock.pass(60_000);
    assert.equal(log.lastSeq, seq + 1, 'nothing else is due');
  });

  test('executes the earlier of two due entries first', async () => {
    const { log, clock, sequencer } = await open();
    log.isAutomatic = true;
    await submit(sequencer, lasting(3600));
    await submit(sequencer, lasting(5));
    await clock.pass(5001);
    assert.equal(await orders(sequencer), 1);
    await clock.pass(3_600_000);
    assert.equal(await orders(sequencer), 0);
  });

  test('that the wall clock skips is noticed within a second', async () => {
    const { log, clock, sequencer } = await open();
    log.isAutomatic = true;
    await submit(sequencer, lasting(3600));
    clock.jump(3_600_000);
    await clock.pass(1000);
    assert.equal(await orders(sequencer), 0);
  });

  test('continues when the wall clock goes back', async () => {
    const { log, clock, sequencer } = await open();
    log.isAutomatic = true;
    await submit(sequencer, lasting(10));
    clock.jump(-86_400_000);
    // Time runs at half speed until the clock has caught up.
    await clock.pass(20_002);
    assert.equal(await orders(sequencer), 0);
    const times = log.records.map(({ time }) => time);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });

  test('is retried after a full disk', async () => {
    const { log, clock, sequencer } = await open();
    log.isAutomatic = true;
    await submit(sequencer, lasting(10));
    log.isFull = true;
    await clock.pass(12_000);
    assert.equal(await orders(sequencer), 1);
    log.isFull = false;
    await clock.pass(1001);
    assert.equal(await orders(sequencer), 0);
  });
});

describe('closing', () => {
  test('completes pending commands, rejects new ones, and leaves no timer', async () => {
    const { log, clock, sequencer } = await open();
    const lasting = order(0, 'sell', 1000, 1, { timeInForce: 'GTT', cancelAfterSec: 100 });
    const first = submit(sequencer, lasting);
    await settle();
    const second = submit(sequencer, order(0, 'sell', 1000, 1));
    const closed = sequencer.close();
    await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), refusedAs('stopped'));
    assert.equal(await standingOf(closed), 'waits');
    log.isAutomatic = true;
    log.sync();
    const answers: CommandResult[] = [await first, await second];
    await closed;
    assert.deepEqual(
      answers.map(({ outcome }) => outcome.kind),
      ['order', 'order'],
    );
    assert.equal(clock.timers, 0);
    assert.equal(sequencer.state, 'stopped');
  });
});
