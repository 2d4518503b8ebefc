import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { Exchange, hashBytes, type LogRecord, SNAPSHOT_MAGIC, SNAPSHOT_VERSION } from '@bourse/core';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const SEGMENT_BYTES = 4096;

/** A closed directory with several segments, and its content. */
async function filled(context: TestContext, keepSnapshots: boolean) {
  const dir = makeDirectory(context);
  const history = new MemoryHistory();
  const open = (warnings: string[] = []) =>
    openTestEngine(dir, history, {
      segmentBytes: SEGMENT_BYTES,
      keepSegments: true,
      onWarning: (sentence) => warnings.push(sentence),
    });
  const engine = await open();
  for (const command of [...openMarket(), ...orderFlow(8, 200)]) await submit(engine, command);
  const hash = await engine.read((exchange) => exchange.hash());
  const { seq } = engine.health;
  await engine.close();
  if (!keepSnapshots) rmSync(`${dir}/snapshots`, { recursive: true });
  const segments = readdirSync(`${dir}/log`).map((name) => `${dir}/log/${name}`);
  assert.ok(segments.length >= 4);
  const start = async () => {
    const warnings: string[] = [];
    const again = await open(warnings);
    const found = { seq: again.health.seq, hash: await again.read((exchange) => exchange.hash()), warnings };
    await again.close();
    return found;
  };
  return { dir, segments, seq, hash, start };
}

function change(path: string, at: (length: number) => number, by = 1): void {
  const bytes = readFileSync(path);
  bytes[at(bytes.length)] ^= by;
  writeFileSync(path, bytes);
}

describe('a start', () => {
  test('cuts off a torn tail and recovers the state before it (promise 2)', async (context) => {
    const { segments, start, seq, hash } = await filled(context, false);
    appendFileSync(segments.at(-1)!, Buffer.from([90, 0, 0, 0, 1, 0, 7]));
    const { warnings, ...found } = await start();
    assert.deepEqual(found, { seq, hash });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /the record after \d+ was being written .* its 7 bytes were cut off/);
  });

  test('rejects a flipped bit in the middle, naming file, byte and record', async (context) => {
    const { segments, start } = await filled(context, false);
    change(segments[1], (length) => length >> 1);
    await assert.rejects(start(), (error: Error) => {
      assert.equal(error.name, 'LogDamaged');
      assert.ok(error.message.includes(segments[1]));
      assert.match(error.message, /byte \d+, record \d+/);
      return true;
    });
  });

  test('rejects a log with a missing segment, naming it', async (context) => {
    const { segments, start } = await filled(context, false);
    rmSync(segments[2]);
    await assert.rejects(start(), (error: Error) => {
      assert.equal(error.name, 'LogDamaged');
      assert.match(error.message, /\d{20}\.log is missing/);
      return true;
    });
  });

  test('rejects a log without its beginning if no snapshot replaces it', async (context) => {
    const { segments, start } = await filled(context, false);
    rmSync(segments[0]);
    await assert.rejects(start(), { name: 'LogGone' });
  });

  test('rejects a log that ends before history and the snapshot', async (context) => {
    const { segments, start } = await filled(context, true);
    rmSync(segments.at(-1)!);
    rmSync(segments.at(-2)!);
    await assert.rejects(start(), (error: Error) => {
      assert.equal(error.name, 'LogDamaged');
      assert.match(
        error.message,
        /record \d+: it is missing, but history or a snapshot has everything up to record \d+\./,
      );
      return true;
    });
  });

  test('replays the log if the snapshot is damaged, with a warning', async (context) => {
    const { dir, start, seq, hash } = await filled(context, true);
    const [name] = readdirSync(`${dir}/snapshots`);
    change(`${dir}/snapshots/${name}`, (length) => length >> 1);
    const found = await start();
    assert.deepEqual([found.seq, found.hash], [seq, hash]);
    assert.equal(found.warnings.length, 1);
    assert.match(
      found.warnings[0],
      /is damaged; there is no older one, so the log is replayed from its first/,
    );
  });

  test('without history writes it on the way, so that memory has a bounded number of done orders', async (context) => {
    const { dir, seq, hash } = await filled(context, false);
    const history = new MemoryHistory();
    const doneMax = 10;
    let mostKept = 0;
    const { apply } = Exchange.prototype;
    context.mock.method(Exchange.prototype, 'apply', function (this: Exchange, record: LogRecord) {
      const applied = apply.call(this, record);
      mostKept = Math.max(mostKept, this.doneCount);
      return applied;
    });
    const engine = await openTestEngine(dir, history, { segmentBytes: SEGMENT_BYTES, limits: { doneMax } });
    assert.deepEqual([engine.start.snapshotSeq, engine.start.seq], [0, seq]);
    assert.ok(mostKept > 0 && mostKept <= doneMax + 5, `${mostKept} are kept`);
    assert.equal(await engine.read((exchange) => exchange.hash()), hash);
    await engine.historyCaughtUp();
    await engine.close();
    assert.ok(history.doneOrders.length > 10 * doneMax);
  });

  test('refuses a snapshot of a newer version', async (context) => {
    const { dir, start } = await filled(context, true);
    const path = `${dir}/snapshots/${readdirSync(`${dir}/snapshots`)[0]}`;
    const bytes = readFileSync(path);
    bytes.writeInt32LE(SNAPSHOT_VERSION + 1, SNAPSHOT_MAGIC.length);
    const body = bytes.subarray(0, bytes.length - 32);
    writeFileSync(path, Buffer.concat([body, Buffer.from(hashBytes(body), 'latin1')]));
    await assert.rejects(start(), { name: 'SnapshotTooNew' });
  });

  test('that fails leaves the directory unlocked and unchanged', async (context) => {
    const { segments, start, seq, hash } = await filled(context, false);
    change(segments[1], (length) => length >> 1);
    await assert.rejects(start());
    change(segments[1], (length) => length >> 1);
    assert.deepEqual(await start(), { seq, hash, warnings: [] });
  });
});
