/** A restart of the database: the mirror waits for it, and ends cleanly if it is stopped meanwhile. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { Mirror } from '../src/mirror.ts';
import { isConnectionLost } from '../src/postgres-connection.ts';
import { PostgresStore } from '../src/postgres-store.ts';
import { MemorySource } from './memory-source.ts';

const OPTIONS = { skip: withoutPostgres(), timeout: 60_000 };

test('a server that cannot be found at the moment may come back', () => {
  const fail = (code: string, syscall: string): Error =>
    Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) assert.ok(isConnectionLost(fail(code, 'getaddrinfo')), code);
  assert.ok(isConnectionLost(fail('ENOENT', 'connect')), 'the file of a unix socket');
  assert.ok(!isConnectionLost(fail('ENOENT', 'open')), 'a certificate that the address names');
  assert.ok(isConnectionLost(fail('53300', '')), 'too many connections');
});

interface Waiting {
  readonly server: PostgresServer;
  readonly mirror: Mirror;
  readonly stop: AbortController;
  readonly following: Promise<void>;
}

/** A mirror that has one of two records, and waits for its database. */
async function untilItWaits(
  context: TestContext,
  urlOf: (server: PostgresServer) => string,
): Promise<Waiting> {
  const server = await PostgresServer.start();
  context.after(() => server.close());
  const source = new MemorySource([openMarket()]);
  const store = await PostgresStore.open(urlOf(server));
  context.after(() => store.close());
  const { promise: warned, resolve: onWarning } = Promise.withResolvers<string>();
  const mirror = await Mirror.open({ source, store, onWarning });
  await mirror.catchUp();
  await server.crash();
  source.append([order(0, 'sell', 10_000, 100)]);
  const stop = new AbortController();
  const following = mirror.follow(stop.signal);
  const warning = await Promise.race([warned, following]);
  assert.match(String(warning), /^The connection to the database was lost.*; waiting for it\./);
  return { server, mirror, stop, following };
}

for (const [name, urlOf] of [
  ['TCP', ({ url }: PostgresServer) => url],
  ['a unix socket', ({ socketUrl }: PostgresServer) => socketUrl],
] as const) {
  test(`a restart of a database over ${name}: the mirror continues`, OPTIONS, async (context) => {
    const { server, mirror, stop, following } = await untilItWaits(context, urlOf);
    // At least one attempt finds no server.
    await Promise.race([pause(1500), following]);
    await server.resume();
    while (mirror.seq < 2) await Promise.race([pause(20), following]);
    stop.abort();
    await following;
  });
}

test(
  'a mirror that is stopped while it waits for the database ends without an error',
  OPTIONS,
  async (context) => {
    const { mirror, stop, following } = await untilItWaits(context, ({ url }) => url);
    stop.abort();
    await following;
    assert.equal(mirror.seq, 1);
  },
);
