/**
 * A log written by the first version. Every later version must read it, with the same outcomes and events.
 *
 * When `bytes` or `commands` differ, old logs are read differently, which is never right. When `said`
 * differs, behaviour changed without a versioned rule. When only `state` differs, what a snapshot holds changed: then
 * SNAPSHOT_VERSION must be raised.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Exchange, SNAPSHOT_VERSION } from '@bourse/core';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { segmentName } from '../../src/log/segment.ts';
import { withoutUnset } from '@bourse/test-kit/contracts.ts';

const GOLDEN = {
  bytes: 'b6f0a857381eb684fddcc32de1d576c6',
  commands: '565f8dda60d050173d133caa99acfe73',
  said: 'eb920de0efeba114cc0eeb788f639e10',
  state: '9067d165992a97513cd10c0b2b7c21ae',
  snapshotVersion: 1,
};

const hashOf = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 32);
const tell = (value: unknown) =>
  JSON.stringify(withoutUnset(value), (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));

test('the golden log has the same commands, outcomes, events and state as in earlier versions', async () => {
  const bytes = await readFile(new URL('./golden/format-1.segment', import.meta.url));
  const disk = new LossyDisk(new Random(1));
  await disk.makeDirectory('log');
  (await disk.open(`log/${segmentName(1)}`, 'create')).write(0, bytes);
  const log = await FileLog.open({ disk, dir: 'log' });
  const exchange = new Exchange();
  const commands: string[] = [];
  const said: string[] = [];
  for await (const record of log.read(1, log.lastSeq)) {
    commands.push(tell(record));
    const { outcomes, events } = exchange.apply(record);
    said.push(tell(outcomes.decode()), tell(events.decode()));
  }
  assert.equal(log.cutBytes, 0);
  assert.equal(commands.length, 120);
  const found = {
    bytes: hashOf(bytes),
    commands: hashOf(commands.join('\n')),
    said: hashOf(said.join('\n')),
    state: exchange.hash(),
    snapshotVersion: SNAPSHOT_VERSION,
  };
  assert.deepEqual(found, GOLDEN);
});
