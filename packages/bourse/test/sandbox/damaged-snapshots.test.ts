/**
 * Damaged, truncated or swapped files of a sandbox, and a full disk: each gets an error message, and nothing changes.
 */

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openSandbox, sandboxFor } from './exchange.ts';

const GIFT = { user: 'alice', currency: 'USDT', amount: '5' };

type Damage = (dir: string, other: string) => void;

function flipHalfway(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 0x55;
  writeFileSync(path, bytes);
}

const firstSegment = (dir: string): string => {
  const log = join(dir, 'data/log');
  return join(log, readdirSync(log).toSorted()[0]);
};

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a description that was cut': (dir) => writeFileSync(join(dir, 'snapshot.json'), '{"id":'),
  'a description that says nothing': (dir) => writeFileSync(join(dir, 'snapshot.json'), 'null'),
  'a description without a state': (dir) => writeFileSync(join(dir, 'snapshot.json'), '{"id":"s1"}'),
  'the description of another one': (dir, other) =>
    copyFileSync(join(other, 'snapshot.json'), join(dir, 'snapshot.json')),
  'a log that was damaged': (dir) => flipHalfway(firstSegment(dir)),
  'a log without a segment': (dir) => rmSync(firstSegment(dir)),
  'no data': (dir) => rmSync(join(dir, 'data'), { recursive: true }),
};

test('a damaged snapshot is rejected with the reason, and can be deleted', async (context) => {
  const sandbox = await sandboxFor(context);
  const take = async (name: string) =>
    (await sandbox.call<{ id: string }>('POST', '/snapshots', { name })).id;
  const dirOf = (id: string): string => join(sandbox.dir, 'sandbox/snapshots', id);
  const sound = await take('sound');
  const { seq } = await sandbox
    .call<{ seq: number }>('POST', '/faucet', GIFT)
    .then(() => sandbox.call('GET', '/'));
  for (const [name, damage] of Object.entries(DAMAGES)) {
    const id = await take(name);
    damage(dirOf(id), dirOf(sound));
    for (const [path, body] of [
      [`/snapshots/${id}/restore`, {}],
      ['/forks', { from: id }],
    ] as const) {
      const { status, body: answer } = await sandbox.ask('POST', path, body);
      const { code, msg } = answer as { code: string; msg: string };
      assert.deepEqual([status, code], [409, 'snapshot-damaged'], `${name}: ${msg}`);
      assert.ok(msg.startsWith(`Snapshot ${id} is damaged and was not changed. `), msg);
      assert.doesNotMatch(msg, /sandbox\/(?:worlds|forks)/, 'a copy that is not there any more');
    }
    assert.equal((await sandbox.call<{ seq: number }>('GET', '/')).seq, seq, name);
    const listed = await sandbox.call<{ id: string }[]>('GET', '/snapshots');
    assert.ok(listed.some((each) => each.id === sound));
    await sandbox.call('DELETE', `/snapshots/${id}`);
  }
  assert.deepEqual(await sandbox.call('GET', '/forks'), []);
  assert.ok((await sandbox.call<{ seq: number }>('POST', `/snapshots/${sound}/restore`)).seq < seq);
});

test('a fork of a damaged snapshot that is given by name reports its id and its files', async (context) => {
  const sandbox = await sandboxFor(context);
  const { id } = await sandbox.call<{ id: string }>('POST', '/snapshots', { name: 'before-lunch' });
  const dir = join(sandbox.dir, 'sandbox/snapshots', id);
  flipHalfway(firstSegment(dir));
  const { status, body } = await sandbox.ask('POST', '/forks', { from: 'before-lunch' });
  const { msg } = body as { msg: string };
  assert.equal(status, 409, msg);
  assert.ok(msg.startsWith(`Snapshot ${id} is damaged and was not changed. `), msg);
  assert.ok(msg.includes(join(dir, 'data')), msg);
});

test('a sandbox starts even with a damaged clock.json', async (context) => {
  const dir = makeDirectory(context);
  const first = await openSandbox(dir);
  await first.call('POST', '/clock/advance', { ms: 60_000 });
  await first.call('POST', '/faucet', GIFT);
  const { clock } = await first.call<{ clock: { time: number } }>('GET', '/');
  await first.close();
  for (const text of ['', '{"ti', 'null', '{"time":"now"}', '{"time":1e300}', '{"time":-1}']) {
    writeFileSync(join(dir, 'clock.json'), text);
    const again = await openSandbox(dir);
    const now = await again.call<{ clock: { time: number } }>('GET', '/');
    await again.close();
    assert.equal(now.clock.time, clock.time, text);
  }
});

test('a full disk is reported, and the clock continues as before', async (context) => {
  const sandbox = await sandboxFor(context);
  const before = await sandbox.call<{ clock: object }>('GET', '/');
  // Writing to /dev/full fails as on a full disk. The name of the unfinished file is random, so no link can be put there.
  const { open } = files;
  const full = context.mock.method(files, 'open', (path: string, flags: string, mode: number) =>
    path.includes('clock.json.') ? open('/dev/full', 'w') : open(path, flags, mode),
  );
  syncBuiltinESMExports();
  const { status, body } = await sandbox.ask('POST', '/clock', { mode: 'scaled', speed: 10 });
  full.mock.restore();
  syncBuiltinESMExports();
  assert.equal(full.mock.callCount(), 1);
  assert.equal(status, 503);
  assert.match(JSON.stringify(body), /disk-full.*The change of the clock needs more space on the disk/);
  assert.deepEqual((await sandbox.call<{ clock: object }>('GET', '/')).clock, before.clock);
  await sandbox.call('POST', '/clock', { mode: 'scaled', speed: 10 });
});

test('names of snapshots and assertions are one line that a terminal can show', async (context) => {
  const sandbox = await sandboxFor(context);
  for (const name of ['a\nb', '\u001b[31mred', '\u202eabc', '']) {
    assert.equal((await sandbox.ask('POST', '/snapshots', { name })).status, 400, JSON.stringify(name));
    const always = { openOrdersMax: 1 };
    assert.equal((await sandbox.ask('POST', '/assertions', { name, always })).status, 400);
  }
});
