import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Exchange, type LogRecord } from '@bourse/core';
import { Digest } from '../src/digest.ts';
import { Diverged, type FollowerLimits, NoRoom, openFollower, type Target } from '../src/follower.ts';
import { Snapshots } from '../src/snapshots.ts';
import { nodeDisk } from '../src/io/disk.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { HistoryFull } from '../src/history/history.ts';
import { RecordedHistory } from '@bourse/test-kit/memory-history.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';

const RECORDS: readonly LogRecord[] = [
  { seq: 1, time: 1000, commands: openMarket() },
  ...[...orderFlow(5, 300)].map((command, i) => ({ seq: i + 2, time: 1001 + i, commands: [command] })),
];
const LAST = RECORDS.length;

/** The live side's digest of the records after `from`. */
function targetOf(from: number, seq: number, records = RECORDS, logBytes = 0): Target {
  const exchange = new Exchange();
  const digest = new Digest();
  for (const record of records.slice(0, seq)) {
    const applied = exchange.apply(record);
    if (record.seq > from) digest.add(record.seq, applied);
  }
  return { from, seq, digest: digest.text, logBytes };
}

async function open(
  context: TestContext,
  limits: Partial<FollowerLimits> = {},
  history = new RecordedHistory(),
) {
  const snapshots = new Snapshots(nodeDisk, `${makeDirectory(context)}/snapshots`);
  const log = new MemoryLog(RECORDS);
  const follower = await openFollower({ log, history, snapshots, limits });
  return { snapshots, log, history, follower };
}

describe('the follower', () => {
  test('writes every record to history once, in order, in bounded pieces', async (context) => {
    const { follower, history } = await open(context, { recordsMax: 40 });
    const steps: number[] = [];
    const progress = await follower.follow(targetOf(0, LAST), (seq) => steps.push(seq));
    assert.equal(progress.seq, LAST);
    assert.deepEqual(
      history.records.map(({ seq }) => seq),
      RECORDS.map(({ seq }) => seq),
    );
    assert.equal(history.writes, Math.ceil(LAST / 40));
    assert.deepEqual(steps, [40, 80, 120, 160, 200, 240, 280, LAST]);
    assert.ok(history.doneOrders.length > 50);
  });

  test('ends a piece early when its records produce many rows', async (context) => {
    const { follower, history } = await open(context, { recordsMax: LAST, rowsMax: 8 });
    const ends: number[] = [];
    await follower.follow(targetOf(0, LAST), (seq) => ends.push(seq));
    const rows = (from: number, through: number) =>
      history.records
        .filter(({ seq }) => seq > from && seq <= through)
        .reduce((sum, record) => sum + record.rowCount, 0);
    for (const [at, end] of ends.entries()) {
      const from = at === 0 ? 0 : ends[at - 1];
      const isFull = rows(from, end) >= 8 || end === LAST;
      assert.ok(isFull && rows(from, end - 1) < 8, `the piece ${from + 1} to ${end}`);
    }
    assert.ok(ends.length > 10);
    assert.equal(history.writes, ends.length);
  });

  test('continues after the last record of history, and writes nothing twice', async (context) => {
    const history = new RecordedHistory();
    const first = await open(context, {}, history);
    await first.follower.follow(targetOf(0, 150));
    const second = await open(context, {}, history);
    await second.follower.follow(targetOf(0, LAST));
    assert.deepEqual(
      history.records.map(({ seq }) => seq),
      RECORDS.map(({ seq }) => seq),
    );
  });

  test('begins with the newest snapshot that history has reached', async (context) => {
    const history = new RecordedHistory();
    const { follower, snapshots, log } = await open(context, {}, history);
    await follower.follow(targetOf(0, 100));
    await follower.snapshot();
    await follower.follow(targetOf(100, 200));
    await follower.snapshot();
    history.checkpoint = 150;
    const again = await openFollower({ log, history, snapshots });
    assert.equal(again.seq, 100);
  });

  test('takes a snapshot after enough records, and reports which are kept', async (context) => {
    const { follower, snapshots } = await open(context, { snapshotRecords: 100 });
    const none = await follower.follow(targetOf(0, 99));
    assert.deepEqual([none.snapshot, none.oldestSnapshot], [null, 0]);
    const one = await follower.follow(targetOf(99, 100));
    assert.deepEqual([one.snapshot?.seq, one.oldestSnapshot], [100, 0]);
    const two = await follower.follow(targetOf(100, 230));
    assert.deepEqual([two.snapshot?.seq, two.oldestSnapshot], [230, 100]);
    assert.deepEqual(await snapshots.list(), [100, 230]);
  });

  test('takes a snapshot when the log has grown enough', async (context) => {
    const { follower } = await open(context, { snapshotBytes: 1000 });
    assert.equal((await follower.follow(targetOf(0, 50, RECORDS, 999))).snapshot, null);
    assert.equal((await follower.follow(targetOf(50, 60, RECORDS, 1000))).snapshot?.seq, 60);
    assert.equal((await follower.follow(targetOf(60, 70, RECORDS, 1999))).snapshot, null);
    assert.equal((await follower.follow(targetOf(70, 80, RECORDS, 2001))).snapshot?.seq, 80);
  });

  test('reports the oldest kept snapshot, and 0 if history has reached none of them', async (context) => {
    const history = new RecordedHistory();
    const { follower, snapshots, log } = await open(context, {}, history);
    for (const [from, seq] of [
      [0, 100],
      [100, 200],
    ] as const) {
      await follower.follow(targetOf(from, seq));
      await follower.snapshot();
    }
    const oldest = async (checkpoint: number) => {
      history.checkpoint = checkpoint;
      const again = await openFollower({ log, history, snapshots });
      return (await again.follow({ from: -1, seq: again.seq, digest: '', logBytes: 0 })).oldestSnapshot;
    };
    assert.equal(await oldest(200), 100);
    assert.equal(await oldest(150), 100);
    assert.equal(await oldest(50), 0, 'both may be damaged: a start may need the whole log');
  });

  test('continues without space for a snapshot, and reports it', async (context) => {
    const { follower, snapshots, history } = await open(context, { snapshotRecords: 100 });
    const write = snapshots.write.bind(snapshots);
    snapshots.write = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    const { seq, snapshot, isSnapshotMissed } = await follower.follow(targetOf(0, 120));
    assert.deepEqual([seq, snapshot, isSnapshotMissed, history.checkpoint], [120, null, true, 120]);
    await assert.rejects(follower.snapshot(), NoRoom);
    snapshots.write = write;
    const waits = await follower.follow({ ...targetOf(120, 130), isSnapshotPutOff: true });
    assert.deepEqual([waits.snapshot, waits.isSnapshotMissed], [null, false]);
    assert.equal((await follower.follow(targetOf(130, 131))).snapshot?.seq, 131);
  });

  test('reports that there is no space for a copy', async (context) => {
    const { follower, snapshots, history } = await open(context);
    await follower.follow(targetOf(0, 20));
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    snapshots.writeCopy = () => Promise.reject(full);
    Object.assign(history, { copyTo: () => Promise.resolve() });
    await assert.rejects(follower.copyTo('copy'), { name: 'NoRoom', code: 'ENOSPC' });
  });

  test('takes no snapshot before history has all its records', async (context) => {
    const { follower, history, snapshots } = await open(context, { snapshotRecords: 10 });
    history.isFull = true;
    await assert.rejects(follower.follow(targetOf(0, 100)), NoRoom);
    assert.deepEqual(await snapshots.list(), []);
    history.isFull = false;
    const { snapshot } = await follower.follow(targetOf(0, 100));
    assert.equal(snapshot?.seq, 100);
    assert.deepEqual(
      history.records.map(({ seq }) => seq),
      RECORDS.slice(0, 100).map(({ seq }) => seq),
    );
  });

  test('stops for lack of space even if it only prunes, and may be called again', async (context) => {
    const { follower, history } = await open(context);
    history.prune = () => {
      throw new HistoryFull('no space left on the disk for history');
    };
    await assert.rejects(follower.follow(targetOf(0, 100)), NoRoom);
    history.prune = () => false;
    assert.equal((await follower.follow(targetOf(0, 100))).seq, 100);
  });

  test('notices a difference at the next comparison', async (context) => {
    const { follower } = await open(context);
    await follower.follow(targetOf(0, 100));
    const other = RECORDS.map((record) =>
      record.seq === 150 ? { ...record, commands: [order(0, 'sell', 1110, 7)] } : record,
    );
    await follower.follow(targetOf(100, 149, other));
    await assert.rejects(follower.follow(targetOf(149, 200, other)), (error) => {
      assert.ok(error instanceof Diverged);
      assert.match(error.message, /records 150 to 200/);
      return true;
    });
  });

  test('notices a difference in a rejection, which has no event', async (context) => {
    const { follower } = await open(context);
    const refused = [order(0, 'sell', 1001, 7)];
    const other = RECORDS.map((record) => (record.seq === 90 ? { ...record, commands: refused } : record));
    const same = RECORDS.map((record) => (record.seq === 90 ? { ...record, commands: [] } : record));
    assert.notEqual(targetOf(89, 90, other).digest, targetOf(89, 90, same).digest);
    await assert.rejects(follower.follow(targetOf(0, 90, other)), Diverged);
  });

  test('compares digests unless the live one begins before its own', async (context) => {
    const history = new RecordedHistory();
    const { follower, snapshots, log } = await open(context, {}, history);
    await follower.follow(targetOf(0, 100));
    await follower.snapshot();
    // Live began with an older snapshot than the follower: its digest is over more.
    const ahead = await openFollower({ log, history, snapshots });
    await ahead.follow({ from: 50, seq: 150, digest: 'of other records', logBytes: 0 });
    // And here with a newer one.
    const behind = await open(context, {}, new RecordedHistory());
    await behind.follower.follow(targetOf(100, 150));
    await assert.rejects(behind.follower.follow({ ...targetOf(150, 200), digest: 'wrong' }), Diverged);
  });

  test('reaches the same state as the live exchange', async (context) => {
    const { follower } = await open(context);
    await follower.follow(targetOf(0, LAST));
    const live = new Exchange();
    for (const record of RECORDS) live.apply(record);
    assert.equal(await follower.hash(), live.hash());
  });
});
