/** A database of history that is damaged, or of two times, is found at the start: written anew, or refused. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import type { Engine } from '../../../../engine/src/engine.ts';
import { HistoryDamaged } from '../../../../engine/src/history/history.ts';
import { nodeDisk } from '../../../../engine/src/io/disk.ts';
import { leaveHistory, makeHistorySound } from '../../../src/startup/data-directory.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const PAGE_BYTES = 4096;

/** The pages to damage, one after the other, by the number of pages. */
const PAGES_TO_DAMAGE: readonly ((pages: number) => number)[] = [
  () => 0,
  () => 3,
  (pages) => Math.floor(pages / 2),
  (pages) => pages - 1,
];

const trade = (engine: Engine, seed: number, count: number) =>
  Promise.all(Array.from(orderFlow(seed, count), (command) => submit(engine, command)));

async function open(dir: string, keepSegments = true) {
  const alarms: string[] = [];
  const engine = await openDirectoryEngine(
    dir,
    { keepSegments, segmentBytes: 5000, onAlarm: (sentence) => alarms.push(sentence) },
    { snapshotRecords: 1 },
  );
  return { engine, alarms };
}

/** A stopped directory, and the lists of its history. */
async function traded(context: TestContext, keepSegments = true, rounds = 6) {
  const dir = makeDirectory(context);
  const { engine } = await open(dir, keepSegments);
  await Promise.all(openMarket().map((command) => submit(engine, command)));
  for (let seed = 1; seed <= rounds; seed++) {
    await trade(engine, seed, 120);
    await engine.historyCaughtUp();
  }
  const lists = listsOf(engine);
  await engine.close();
  return { dir, path: `${dir}/history.db`, lists };
}

const listsOf = ({ history }: Engine): unknown[] =>
  [0, 1].flatMap((user) => [
    history.orders({ user, limit: 10_000 }),
    history.fills({ user, limit: 10_000 }),
    history.ledger({ user, limit: 10_000 }),
  ]);

function flip(path: string, page: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, page * PAGE_BYTES, page * PAGE_BYTES + 64);
  writeFileSync(path, bytes);
}

describe('a damaged history', () => {
  test('is moved aside and rebuilt if the log has its first record', async (context) => {
    const { dir, path, lists } = await traded(context);
    for (const choose of PAGES_TO_DAMAGE) {
      // Counted in each round: written anew in other batches, the same rows may take one page more or less.
      const pages = statSync(path).size / PAGE_BYTES;
      const page = choose(pages);
      flip(path, page);
      const { engine, alarms } = await open(dir);
      await engine.historyCaughtUp();
      assert.equal(alarms.length, 1, `page ${page} of ${pages}`);
      assert.match(alarms[0], /history\.db cannot be used \(.*\)\. It was moved to .*\.damaged.* rebuilt/s);
      assert.deepEqual(listsOf(engine), lists);
      await engine.close();
    }
    assert.equal(readdirSync(dir).filter((name) => /^history\.db\.damaged(-\d)?$/.test(name)).length, 4);
    const { engine, alarms } = await open(dir);
    assert.deepEqual([alarms, listsOf(engine)], [[], lists]);
    await engine.close();
  });

  test('stops the start with an error message if the log no longer has its first record', async (context) => {
    const { dir, path } = await traded(context, false);
    assert.ok(!existsSync(`${dir}/log/${'1'.padStart(20, '0')}.log`), 'the first segment is given up');
    const before = readFileSync(path);
    flip(path, 3);
    await assert.rejects(open(dir, false), (error) => {
      assert.ok(error instanceof HistoryDamaged);
      assert.match(
        error.message,
        /cannot be used \(.*\), and it cannot be rebuilt, because the log does not reach back/s,
      );
      return true;
    });
    writeFileSync(path, before);
    const { engine, alarms } = await open(dir, false);
    assert.deepEqual(alarms, []);
    await engine.close();
  });

  test('from an earlier day beside a newer write-ahead log is detected and rebuilt', async (context) => {
    const { dir, path } = await traded(context);
    copyFileSync(path, `${dir}/old`);
    const { engine } = await open(dir);
    for (let seed = 20; seed < 24; seed++) {
      await trade(engine, seed, 200);
      await engine.historyCaughtUp();
    }
    copyFileSync(`${path}-wal`, `${dir}/newer-wal`);
    await trade(engine, 30, 200);
    await engine.historyCaughtUp();
    const lists = listsOf(engine);
    await engine.close();
    const late = readFileSync(`${dir}/newer-wal`);
    // The newer write-ahead log after a checkpoint has already copied its beginning.
    copyFileSync(`${dir}/old`, path);
    writeFileSync(`${path}-wal`, late);
    rmSync(`${path}-shm`, { force: true });
    const { engine: again } = await open(dir);
    await again.historyCaughtUp();
    assert.deepEqual(listsOf(again), lists);
    await again.close();
  });

  test('that is intact after an unclean stop is left unchanged', async (context) => {
    const { dir, path } = await traded(context);
    const { engine } = await open(dir);
    await trade(engine, 40, 200);
    await engine.historyCaughtUp();
    for (const part of ['', '-wal']) copyFileSync(path + part, `${dir}/kept${part}`);
    const lists = listsOf(engine);
    await engine.close();
    for (const part of ['', '-wal']) copyFileSync(`${dir}/kept${part}`, path + part);
    const { engine: again, alarms } = await open(dir);
    assert.deepEqual([alarms, listsOf(again)], [[], lists]);
    await again.close();
  });
});

describe('a history larger than the size that is always checked', () => {
  test('is checked unless it is unchanged since the last clean stop', async (context) => {
    const { dir, path } = await traded(context);
    const alarms: string[] = [];
    const look = () =>
      makeHistorySound({
        disk: nodeDisk,
        dir,
        path,
        isLogComplete: false,
        alwaysBytes: 1000,
        onAlarm: (sentence) => alarms.push(sentence),
      });
    await look();
    assert.ok(!existsSync(`${path}-stamp`), 'from the start on it is not as it was left');
    await leaveHistory(path);
    await look();
    flip(path, 3);
    await assert.rejects(look(), HistoryDamaged, 'nobody has left it so');
    // As if nothing had been changed, as far as one can see from outside.
    await leaveHistory(path);
    await look();
    await assert.rejects(look(), HistoryDamaged, 'the stamp counts once');
    await leaveHistory(path);
    writeFileSync(`${path}-wal`, 'something');
    await assert.rejects(look(), HistoryDamaged, 'there is a log of pages');
  });
});

describe('a history that was copied beside a log', () => {
  test('from another exchange is not continued', async (context) => {
    const [own, other] = [await traded(context, true, 4), await traded(context, true, 1)];
    for (const part of ['', '-stamp']) copyFileSync(other.path + part, own.path + part);
    const { engine, alarms } = await open(own.dir);
    await engine.historyCaughtUp();
    const lists = listsOf(engine);
    await engine.close();
    assert.match(alarms.join(), /it belongs to another exchange: fills has record \d+ at .*rebuilt/);
    assert.deepEqual(lists, own.lists);
  });

  test('from an earlier day of the same log is continued', async (context) => {
    const { dir, path, lists } = await traded(context, true, 1);
    copyFileSync(path, `${path}.copy`);
    const first = await open(dir);
    await trade(first.engine, 7, 120);
    await first.engine.close();
    copyFileSync(`${path}.copy`, path);
    const { engine, alarms } = await open(dir);
    await engine.historyCaughtUp();
    assert.deepEqual(alarms, []);
    assert.notDeepEqual(listsOf(engine), lists);
    await engine.close();
  });
});
