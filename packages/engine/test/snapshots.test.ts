import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { Exchange, hashBytes, SNAPSHOT_MAGIC, SNAPSHOT_VERSION } from '@bourse/core';
import { Snapshots, SnapshotTooNew } from '../src/snapshots.ts';
import { type Disk, nodeDisk } from '../src/io/disk.ts';
import { overriding } from '../src/exchange-port.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';

function exchangeAt(seq: number): Exchange {
  const exchange = new Exchange();
  exchange.apply({ seq: 1, time: 1000, commands: openMarket() });
  const flow = orderFlow(1, seq);
  while (exchange.seq < seq) {
    const next = flow.next();
    exchange.apply({
      seq: exchange.seq + 1,
      time: 1000 + exchange.seq,
      commands: next.done ? [] : [next.value],
    });
  }
  return exchange;
}

async function withSnapshots(context: TestContext, ...seqs: number[]) {
  const dir = `${makeDirectory(context)}/snapshots`;
  const snapshots = new Snapshots(nodeDisk, dir);
  for (const seq of seqs) await snapshots.write(exchangeAt(seq));
  const path = (seq: number) => `${dir}/${String(seq).padStart(20, '0')}.snapshot`;
  return { dir, snapshots, path };
}

describe('snapshots', () => {
  test('without one, the exchange is empty', async (context) => {
    const { snapshots } = await withSnapshots(context);
    const { exchange, seq, damaged } = await snapshots.restore();
    assert.deepEqual([exchange.seq, seq, damaged], [0, 0, []]);
  });

  test('the newest is restored', async (context) => {
    const { snapshots } = await withSnapshots(context, 10);
    const info = await snapshots.write(exchangeAt(20));
    const { exchange, seq } = await snapshots.restore();
    assert.equal(seq, 20);
    assert.equal(exchange.hash(), exchangeAt(20).hash());
    assert.equal(info.hash, exchange.hash());
    assert.equal((await snapshots.restore(19)).seq, 10);
    assert.equal((await snapshots.restore(9)).seq, 0);
  });

  test('two are kept, and no temporary file', async (context) => {
    const { dir, snapshots } = await withSnapshots(context, 5, 10);
    assert.equal(await snapshots.oldestKept(), 5);
    writeFileSync(`${dir}/00000000000000000012.snapshot.tmp`, 'half');
    assert.equal((await snapshots.restore()).seq, 10);
    await snapshots.write(exchangeAt(15));
    assert.deepEqual(await snapshots.list(), [10, 15]);
    assert.equal(readdirSync(dir).length, 2);
    assert.equal(await snapshots.oldestKept(), 10);
  });

  test('a damaged one does not count: the older intact one stays until there are two again', async (context) => {
    const { snapshots, path } = await withSnapshots(context, 5, 10);
    truncateSync(path(10), 100);
    assert.equal((await snapshots.restore()).seq, 5);
    assert.equal(await snapshots.oldestKept(), 0);
    await snapshots.write(exchangeAt(15));
    assert.deepEqual(await snapshots.list(), [5, 10, 15]);
    assert.equal(await snapshots.oldestKept(), 5);
    await snapshots.write(exchangeAt(20));
    assert.deepEqual(await snapshots.list(), [15, 20]);
  });

  test('one that fails, or has no space, leaves nothing behind, and the previous one stays', async (context) => {
    const { dir, snapshots } = await withSnapshots(context, 5);
    for (const code of ['ENOSPC', 'EIO']) {
      const disk: Disk = {
        ...nodeDisk,
        async open(path, mode) {
          const sync = () => Promise.reject(Object.assign(new Error(code), { code }));
          return overriding(await nodeDisk.open(path, mode), { sync });
        },
      };
      await assert.rejects(new Snapshots(disk, dir).write(exchangeAt(10)), { code });
      assert.deepEqual(readdirSync(dir), ['00000000000000000005.snapshot']);
    }
    assert.equal((await snapshots.restore()).seq, 5);
  });

  test('with only one, every record is still needed', async (context) => {
    const { snapshots } = await withSnapshots(context, 5);
    assert.equal(await snapshots.oldestKept(), 0);
  });

  const damages: Record<string, (path: string, older: string) => void> = {
    'a flipped bit': (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] ^= 4;
      writeFileSync(path, bytes);
    },
    'a flipped bit in the version': (path) => {
      const bytes = readFileSync(path);
      bytes[SNAPSHOT_MAGIC.length] ^= 64;
      writeFileSync(path, bytes);
    },
    'a cut end': (path) => truncateSync(path, 1000),
    'an empty file': (path) => truncateSync(path, 0),
    'something else': (path) => writeFileSync(path, 'x'.repeat(5000)),
    'a file of another sequence': (path, older) => copyFileSync(older, path),
  };
  for (const [what, damage] of Object.entries(damages)) {
    test(`after damage (${what}) the next older is used, with a warning (promise 2)`, async (context) => {
      const { snapshots, path } = await withSnapshots(context, 10, 20);
      damage(path(20), path(10));
      const { exchange, seq, damaged } = await snapshots.restore();
      assert.equal(seq, 10);
      assert.equal(exchange.hash(), exchangeAt(10).hash());
      assert.equal(damaged.length, 1);
      assert.ok(damaged[0].includes(path(20)));
    });
  }

  test('one of a newer version is rejected with a message', async (context) => {
    const { snapshots, path } = await withSnapshots(context, 10, 20);
    const bytes = readFileSync(path(20));
    bytes.writeInt32LE(SNAPSHOT_VERSION + 1, SNAPSHOT_MAGIC.length);
    const body = bytes.subarray(0, bytes.length - 32);
    writeFileSync(path(20), Buffer.concat([body, Buffer.from(hashBytes(body), 'latin1')]));
    await assert.rejects(snapshots.restore(), (error) => {
      assert.ok(error instanceof SnapshotTooNew);
      assert.match(error.message, /a newer version wrote it/);
      return true;
    });
  });
});
