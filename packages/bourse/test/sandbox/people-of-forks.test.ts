/** People can sign in to a fork as in its origin at that record, except those erased since. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { EMAIL, IdentitySandbox } from '@bourse/test-kit/identity.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import { makeLog } from '../../../api/src/gateway/http/log.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { startExchange } from '../../src/startup/start.ts';
import { forkDirectory } from '../../src/tools/stopped-directory.ts';

const ERASED = 'grace@example.test';
const LATER = 'emmy@example.test';

interface Origin {
  readonly sandbox: IdentitySandbox;
  readonly lines: string[];
  /** A record after two people signed up, before one of them was erased and a third one signed up. */
  readonly seq: number;
}

async function start(dir: string, lines: string[]): Promise<IdentitySandbox> {
  const settings = settingsOf({ data: dir, port: '0', market: 'quiet', clock: 'manual' });
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  return new IdentitySandbox(await startExchange(settings, { log }));
}

async function originIn(dir: string): Promise<Origin> {
  const lines: string[] = [];
  const sandbox = await start(dir, lines);
  await sandbox.signUp();
  const grace = await sandbox.signUp(ERASED);
  const { seq } = await sandbox.control<{ seq: number }>('GET', '/');
  assert.equal((await sandbox.post('/close', {}, grace)).status, 204);
  await sandbox.signUp(LATER);
  return { sandbox, lines, seq };
}

async function assertPeople(fork: IdentitySandbox): Promise<void> {
  for (const [email, status] of [
    [EMAIL, 201],
    [ERASED, 401],
    [LATER, 401],
  ] as const) {
    assert.equal((await fork.signIn({ email }, fork.freshAddress())).status, status, email);
  }
}

const originFor = async (context: TestContext): Promise<Origin> => {
  const origin = await originIn(makeDirectory(context));
  context.after(() => origin.sandbox.close());
  return origin;
};

test('a fork of a record has the keys of its people, and warns of those who were erased since', async (context) => {
  const { sandbox, lines, seq } = await originFor(context);
  const connection = await sandbox.control<RunningExchange['connection']>('POST', '/forks', { from: seq });
  await assertPeople(new IdentitySandbox({ connection } as RunningExchange));
  assert.equal(
    lines.filter((line) => line.includes('lacks the keys of 1 people')).length,
    1,
    lines.join('\n'),
  );
});

test('a snapshot of a fork without the key of an erased person can be restored', async (context) => {
  const { sandbox, seq } = await originFor(context);
  const connection = await sandbox.control<RunningExchange['connection']>('POST', '/forks', { from: seq });
  const fork = new IdentitySandbox({ connection } as RunningExchange);
  const { id } = await fork.control<{ id: string }>('POST', '/snapshots');
  await fork.control('POST', `/snapshots/${id}/restore`);
  await assertPeople(fork);
});

test('bourse fork copies the keys of people, and the fork warns of those who were erased since', async (context) => {
  const dir = makeDirectory(context);
  const { sandbox, seq } = await originIn(dir);
  await sandbox.close();
  const target = `${makeDirectory(context)}/forked`;
  await forkDirectory(dir, seq, target);
  const lines: string[] = [];
  const fork = await start(target, lines);
  await assertPeople(fork);
  await fork.close();
  assert.equal(
    lines.filter((line) => line.includes('lacks the keys of 1 people')).length,
    1,
    lines.join('\n'),
  );
});
