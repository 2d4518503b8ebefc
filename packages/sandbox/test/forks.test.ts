import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Forks } from '../src/worlds/forks.ts';
import type { World, WorldOpener, WorldSnapshots } from '../src/worlds/world.ts';

test('one fork that fails to close does not keep the others from closing', async (context) => {
  const dir = makeDirectory(context);
  const closed: string[] = [];
  const opener = {
    fork: ({ id }: { readonly id: string }) =>
      Promise.resolve({
        connection: {},
        close(): Promise<void> {
          closed.push(id);
          return id === 'f3' ? Promise.resolve() : Promise.reject(new Error(`${id} does not close`));
        },
      }),
  } as unknown as WorldOpener;
  const world = {
    copyTo(target: string) {
      mkdirSync(target, { recursive: true });
      return Promise.resolve({ seq: 1, state: {} });
    },
  } as unknown as World;
  const forks = new Forks(dir, opener, {} as WorldSnapshots);
  for (let i = 0; i < 3; i++) await forks.add(world, {});
  await assert.rejects(forks.close(), { message: 'f1 does not close' });
  assert.deepEqual(closed, ['f1', 'f2', 'f3']);
  assert.ok(!existsSync(`${dir}/f3`));
});
