import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Exchange, type LogRecord } from '@bourse/core';
import { LogDamaged, LogGone } from '../src/log/command-log.ts';
import { Digest } from '../src/digest.ts';
import { type RecoveryProgress, recover } from '../src/recovery.ts';
import { NO_HASH, RecordWriter } from '../src/log/record.ts';
import { Snapshots } from '../src/snapshots.ts';
import { nodeDisk } from '../src/io/disk.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';

const RECORDS: readonly LogRecord[] = [
  { seq: 1, time: 1000, commands: openMarket() },
  ...[...orderFlow(3, 400)].map((command, i) => ({ seq: i + 2, time: 1001 + i, commands: [command] })),
];

function replay(records: readonly LogRecord[], from = new Exchange()): Exchange {
  for (const record of records) from.apply(record);
  return from;
}

describe('recovery', () => {
  const log = new MemoryLog(RECORDS);
  const clock = new ManualClock();
  const expected = replay(RECORDS).hash();

  test('from the log alone gives the state of the log', async (context) => {
    const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
    const { exchange, snapshotSeq, commands } = await recover({ snapshots, log, clock, checkpoint: 0 });
    assert.equal(exchange.hash(), expected);
    assert.equal(snapshotSeq, 0);
    assert.equal(
      commands,
      RECORDS.reduce((sum, record) => sum + record.commands.length, 0),
    );
  });

  test('from any snapshot gives the same state (promise 5)', async (context) => {
    for (const at of [1, 2, 100, 257, RECORDS.length]) {
      const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
      await snapshots.write(replay(RECORDS.slice(0, at)));
      const { exchange, snapshotSeq } = await recover({ snapshots, log, clock, checkpoint: at });
      assert.deepEqual([snapshotSeq, exchange.hash()], [at, expected]);
    }
  });

  test('keeps the done orders that history does not have, and no others', async (context) => {
    const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
    const checkpoint = 200;
    const { exchange } = await recover({ snapshots, log, clock, checkpoint });
    const plain = new Exchange();
    let found = 0;
    for (const record of RECORDS) {
      plain.apply(record);
      for (const done of plain.doneOrders()) {
        const kept = exchange.doneOrder(done.order);
        assert.deepEqual(kept, record.seq > checkpoint ? done : null, `order ${done.order} of ${record.seq}`);
        if (kept) found++;
      }
    }
    assert.ok(found > 20);
  });

  test('computes the same digest as the live exchange', async (context) => {
    const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
    const digest = new Digest();
    await recover({ snapshots, log, clock, checkpoint: 0, digest });
    const live = new Digest();
    const exchange = new Exchange();
    for (const record of RECORDS) live.add(record.seq, exchange.apply(record));
    assert.equal(digest.text, live.text);
  });

  test('reports progress if it takes longer than a second', async (context) => {
    const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
    const slow = new ManualClock();
    const shown: RecoveryProgress[] = [];
    const creeping = {
      lastSeq: log.lastSeq,
      bytesRead: 0,
      close: () => log.close(),
      async *read(from: number, through: number) {
        for await (const record of log.read(from, through)) {
          slow.monotonic += 10;
          yield record;
        }
      },
    };
    await recover({
      snapshots,
      log: creeping,
      clock: slow,
      checkpoint: 0,
      onProgress: (each) => shown.push(each),
    });
    assert.ok(shown.length >= 2 && shown.length <= 4, `${shown.length}`);
    assert.ok(shown.every(({ recordsTotal }) => recordsTotal === RECORDS.length));
    assert.ok(shown[0].records < shown[1].records);
  });

  test('returns the bytes of the log after the snapshot', async (context) => {
    const writer = new RecordWriter();
    for (const at of [0, 200]) {
      const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
      if (at > 0) await snapshots.write(replay(RECORDS.slice(0, at)));
      const { logBytes } = await recover({ snapshots, log, clock, checkpoint: 0 });
      const bytes = RECORDS.slice(at).reduce((sum, record) => sum + writer.write(record, NO_HASH).length, 0);
      assert.equal(logBytes, bytes);
    }
  });

  test('warns about a damaged snapshot before it reads the log, which may be missing', async (context) => {
    const dir = makeDirectory(context);
    const snapshots = new Snapshots(nodeDisk, dir);
    for (const at of [100, 200]) await snapshots.write(replay(RECORDS.slice(0, at)));
    const paths = readdirSync(dir).map((name) => `${dir}/${name}`);
    const said: string[] = [];
    const gone = {
      lastSeq: log.lastSeq,
      bytesRead: 0,
      close: () => log.close(),
      read(from: number): AsyncIterable<LogRecord> {
        said.push(`read from ${from}`);
        throw new LogGone(`Record ${from} is not there.`);
      },
    };
    const attempt = () =>
      recover({ snapshots, log: gone, clock, checkpoint: 0, onWarning: (sentence) => said.push(sentence) });
    await assert.rejects(attempt(), {
      name: 'LogGone',
      message:
        `Record 201 is not there. A start needs it, because the newest intact snapshot in ${dir} ends with ` +
        'record 200. Restore the snapshots that belong to this log, or the missing ' +
        'segments of the log, from a backup.',
    });
    for (const path of paths) truncateSync(path, 1000);
    said.length = 0;
    await assert.rejects(attempt(), {
      name: 'LogGone',
      message: new RegExp(
        `Record 1 is not there\\. A start needs it, because there is no intact snapshot in ${dir}\\.`,
      ),
    });
    assert.deepEqual(said, [
      `${paths[1]} is damaged; the next older one is used, and the file may be removed`,
      `${paths[0]} is damaged; there is no older one, so the log is replayed from its first record`,
      'read from 1',
    ]);
  });

  test('rejects a log that ends before the snapshot, with a message', async (context) => {
    const snapshots = new Snapshots(nodeDisk, makeDirectory(context));
    await snapshots.write(replay(RECORDS));
    const short = new MemoryLog(RECORDS.slice(0, 100));
    await assert.rejects(recover({ snapshots, log: short, clock, checkpoint: 0 }), (error) => {
      assert.ok(error instanceof LogDamaged);
      assert.match(error.message, /of record 401, but the log ends with record 100/);
      return true;
    });
  });
});
