/** A connection that is lost, wherever it is: every call gets its answer or an error, and the next one connects anew. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { isConnectionLost, PostgresConnection } from '../src/postgres-connection.ts';
import { PostgresStore } from '../src/postgres-store.ts';

const END_IT = 'SELECT pg_terminate_backend($1)';

/** Another program listens at the address. */
async function listen(context: TestContext, onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `postgres://a@127.0.0.1:${(server.address() as AddressInfo).port}/b`;
}

test('a server that never responds is given up', { timeout: 20_000 }, async (context) => {
  const sockets: Socket[] = [];
  const url = await listen(context, (socket) => sockets.push(socket));
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  const connection = new PostgresConnection(url, 100);
  await assert.rejects(connection.query('SELECT 1'), isConnectionLost);
  await connection.close();
});

test('a server that closes the connection at once is reported as not responding', {
  timeout: 20_000,
}, async (context) => {
  const url = await listen(context, (socket) => socket.destroy());
  await assert.rejects(PostgresStore.open(url), {
    name: 'MirrorUnreachable',
    message: /does not respond \(.+\)\. Check that it runs/,
  });
});

describe('with a database', { skip: withoutPostgres(), timeout: 60_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.close());

  function open(context: TestContext): PostgresConnection {
    const connection = new PostgresConnection(server.url);
    context.after(() => connection.close());
    return connection;
  }

  async function pidOf(connection: PostgresConnection): Promise<unknown> {
    const [{ pid }] = await connection.query('SELECT pg_backend_pid() AS pid');
    return pid;
  }

  test('ended while a statement runs: that fails, and the next call has another connection', async (context) => {
    const [connection, other] = [open(context), open(context)];
    const pid = await pidOf(connection);
    const asleep = assert.rejects(connection.query('SELECT pg_sleep(60)'), isConnectionLost);
    await other.query(END_IT, [pid]);
    await asleep;
    assert.notEqual(await pidOf(connection), pid);
  });

  test('ended while nothing runs: at most one call fails', async (context) => {
    const [connection, other] = [open(context), open(context)];
    const pid = await pidOf(connection);
    await other.query(END_IT, [pid]);
    await connection.query('SELECT 1').catch((error) => assert.ok(isConnectionLost(error), String(error)));
    assert.notEqual(await pidOf(connection), pid);
  });

  test('ended between two statements of a transaction: nothing of it stays', async (context) => {
    const [connection, other] = [open(context), open(context)];
    await connection.query('CREATE TABLE halves (half integer)');
    const halves = async (onHalf: () => Promise<unknown>) =>
      connection.transaction(async (query) => {
        await query('INSERT INTO halves VALUES (1)');
        await onHalf();
        await query('INSERT INTO halves VALUES (2)');
      });
    const pid = await pidOf(connection);
    await assert.rejects(
      halves(() => other.query(END_IT, [pid])),
      isConnectionLost,
    );
    assert.deepEqual(await connection.query('SELECT half FROM halves'), []);
    await halves(() => Promise.resolve());
    assert.deepEqual(await connection.query('SELECT half FROM halves'), [{ half: 1 }, { half: 2 }]);
  });

  test('a transaction that throws is undone, and its connection stays', async (context) => {
    const connection = open(context);
    await connection.query('CREATE TABLE undone (number integer)');
    const pid = await pidOf(connection);
    const thrown = new Error('no');
    const failing = connection.transaction(async (query) => {
      await query('INSERT INTO undone VALUES (1)');
      throw thrown;
    });
    await assert.rejects(failing, thrown);
    await assert.rejects(
      connection.transaction(async (query) => void (await query('SELECT nonsense'))),
      { code: '42703' },
    );
    assert.deepEqual(await connection.query('SELECT * FROM undone'), []);
    assert.equal(await pidOf(connection), pid);
  });

  test('closed while a statement runs: that fails, and no call connects again', async () => {
    const connection = new PostgresConnection(server.url);
    await connection.query('SELECT 1');
    const asleep = assert.rejects(connection.query('SELECT pg_sleep(60)'), /^Error: Connection terminated$/);
    // One event loop iteration later the statement is in flight.
    await turn();
    await connection.close();
    await asleep;
    await assert.rejects(connection.query('SELECT 1'), /The connection to the database was closed\./);
  });

  test('a server that asks for a password, without one', async () => {
    await assert.rejects(PostgresStore.open(server.urlOf({ password: '' })), {
      name: 'MirrorRefused',
      message: /rejected user bourse \(it requires a password, but none was given\)\..* in PGPASSWORD\./,
    });
  });
});
