import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import type { EventStream } from '../../api/src/gateway/json-interface.ts';
import { WATCH_ROUTES } from '../src/control/watch-routes.ts';
import { Sandbox } from '../src/sandbox.ts';
import type { WorldOpener } from '../src/worlds/world.ts';

const TAIL = WATCH_ROUTES.find(({ id }) => id === 'tail-requests')!;

test('a sandbox ends open tails of requests, and keeps none that was closed', async (context) => {
  const opener = {} as WorldOpener;
  const sandbox = new Sandbox({ dir: makeDirectory(context), seed: 1, opener, exchangeFiles: [] });
  const world = { services: { catalogue: {} }, clock: { stop: () => undefined } };
  context.mock.getter(sandbox, 'world', () => world);
  const [open, closed] = [1, 2].map(() => {
    const given = { sandbox, query: {} } as unknown as Parameters<typeof TAIL.handle>[0];
    const { stream } = TAIL.handle(given) as EventStream;
    return { stream, push: context.mock.method(stream, 'push').mock };
  });
  closed.stream.destroy();
  await once(closed.stream, 'close');
  await sandbox.close();
  assert.deepEqual(
    open.push.calls.map((call) => call.arguments),
    [[null]],
  );
  assert.equal(closed.push.callCount(), 0);
});
