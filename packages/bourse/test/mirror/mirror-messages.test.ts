/** The error messages of a mirror, each with what to do. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { LogRecord } from '@bourse/core';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { logDirectory } from '../../../engine/src/file-storage.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';
import { segmentName, segmentsAmong } from '../../../engine/src/log/segment.ts';
import { MIGRATIONS } from '../../../mirror/src/migrations.ts';
import { Mirror } from '../../../mirror/src/mirror.ts';
import { checkDatabaseUrl } from '../../../mirror/src/postgres-connection.ts';
import { PostgresStore } from '../../../mirror/src/postgres-store.ts';
import { historyPath } from '../../src/startup/data-directory.ts';
import { flowRecords, sourceOf, writeLog, writeStream } from './mirrored-log.ts';

const withoutServers = await whySkipped();
const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

interface Ended {
  readonly code: number;
  readonly said: string;
}

async function bourse(args: readonly string[]): Promise<Ended> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...args]);
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, said: stderr };
  }
}

/** Two flows may have the same times; two exchanges do not. */
function* later(records: Iterable<LogRecord>, ms: number): Generator<LogRecord> {
  for (const record of records) yield { ...record, time: record.time + ms };
}

test('an invalid address is rejected before any attempt to connect', async () => {
  const like = /Expected a URL such as postgres:\/\/bourse@127\.0\.0\.1:5432\/bourse$/;
  for (const [url, what] of [
    ['nonsense', /^This is not the address of a database\./],
    ['mysql://a/b', /^mysql: is not a protocol of PostgreSQL\./],
    ['postgres://127.0.0.1', /^The address has no database name\./],
  ] as const) {
    const said = { name: 'MirrorAddressWrong', message: what };
    assert.throws(() => checkDatabaseUrl(url), said);
    assert.throws(() => checkDatabaseUrl(url), { message: like });
  }
  checkDatabaseUrl('postgresql://127.0.0.1/bourse');
  const { code, said } = await bourse(['mirror', 'postgres://me:hidden@', '--once']);
  assert.equal(code, 2);
  assert.ok(!said.includes('hidden'), 'no password is shown');
});

test('a server that does not respond', async () => {
  await assert.rejects(PostgresStore.open('postgres://a@127.0.0.1:1/b'), {
    name: 'MirrorUnreachable',
    message: /^PostgreSQL at 127\.0\.0\.1:1 does not respond .* Check that it runs/,
  });
});

describe('with a database', { skip: withoutPostgres(), timeout: 300_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.close());

  const openMirror = async (dir: string, url: string): Promise<Mirror> => {
    const source = sourceOf(dir);
    const store = await PostgresStore.open(url);
    after(() => Promise.all([store.close(), source.close()]));
    return Mirror.open({ source, store });
  };

  test('the command mirrors once and reports it, and a failure has an exit code', async (context) => {
    const dir = makeDirectory(context);
    await writeLog(dir, flowRecords(2, 100));
    const url = server.createDatabase('command');
    assert.deepEqual(await bourse(['mirror', url, '--data', dir, '--once', '--json']), {
      code: 0,
      said: '{"seq":100}\n',
    });
    const again = await bourse(['mirror', url, '--data', dir, '--once']);
    assert.deepEqual(again, { code: 0, said: 'mirrored up to record 100\n' });
    const wrong = await bourse(['mirror', server.urlOf({ password: 'wrong' }), '--data', dir, '--once']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.said, /rejected user bourse .* or the password in PGPASSWORD/);
    assert.ok(!wrong.said.includes('wrong@'), 'no password is shown');
    const nowhere = await bourse(['mirror', url, '--data', `${dir}/nothing`, '--once']);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.said, /is not a data directory of Bourse/);
  });

  test('the command mirrors a stream, and reports faults of the stream', {
    skip: withoutServers,
  }, async (context) => {
    const logServers = await startLogServers(1);
    context.after(() => logServers.close());
    const [cluster] = logServers.servers.urls;
    const dir = makeDirectory(context);
    await writeLog(dir, flowRecords(2, 100));
    await writeStream(cluster, 'mirrored', flowRecords(2, 100), [60], dir);
    const url = server.createDatabase('streamed');
    const args = ['mirror', url, '--once', '--cluster', cluster];
    assert.deepEqual(await bourse([...args, '--cluster-stream', 'mirrored', '--json']), {
      code: 0,
      said: '{"seq":100}\n',
    });
    const nothing = await bourse([...args, '--cluster-stream', 'nothing']);
    assert.equal(nothing.code, 3);
    assert.match(nothing.said, /have no stream 'nothing': no node was ever started with it/);
    const nobody = await bourse(['mirror', url, '--once', '--cluster', 'nats://127.0.0.1:1']);
    assert.equal(nobody.code, 3);
    assert.match(nobody.said, /None of the log servers 127\.0\.0\.1:1 responds/);
    const both = await bourse([...args, '--data', dir]);
    assert.deepEqual([both.code, /Give either a data directory/.test(both.said)], [2, true]);
  });

  test('no such database', async () => {
    await assert.rejects(
      PostgresStore.open(server.urlOf({ database: 'nothing' })),
      /has no database nothing\. Create it with: createdb nothing/,
    );
  });

  test('a schema of a newer version is left unchanged', async () => {
    const url = server.createDatabase('newer');
    await (await PostgresStore.open(url)).close();
    const client = new Client(url);
    await client.connect();
    await client.query('INSERT INTO bourse.migrations (version) VALUES ($1)', [MIGRATIONS.length + 1]);
    await client.end();
    await assert.rejects(PostgresStore.open(url), {
      name: 'MirrorRefused',
      message: /has version 2, but this program supports versions up to 1: a newer Bourse created it\./,
    });
  });

  test('a log that begins after the last record of the mirror', async (context) => {
    const dir = makeDirectory(context);
    await writeLog(dir, flowRecords(2, 300), 4096);
    const log = logDirectory(dir);
    const [first] = segmentsAmong(await nodeDisk.list(log));
    rmSync(`${log}/${segmentName(first)}`);
    const [next] = segmentsAmong(await nodeDisk.list(log));
    await assert.rejects(
      openMirror(dir, server.createDatabase('gone')),
      new RegExp(
        `^MirrorRefused: The mirror is empty, but the log begins with record ${next}: the records in between`,
      ),
    );
  });

  test('a log that ends before the last record of the mirror', async (context) => {
    const [long, short] = [makeDirectory(context), makeDirectory(context)];
    await writeLog(long, flowRecords(2, 50));
    await writeLog(short, flowRecords(2, 20));
    const url = server.createDatabase('further');
    await (await openMirror(long, url)).catchUp();
    await assert.rejects(openMirror(short, url), /has records up to 50, but the log ends with 20/);
  });

  test('a log that lost only a record that the mirror does not have yet', async (context) => {
    const dir = makeDirectory(context);
    await writeLog(dir, flowRecords(2, 50));
    const url = server.createDatabase('unsynced');
    await (await openMirror(dir, url)).catchUp();
    // Record 51 was not synced before a power failure, and history is not rebuilt yet: only the mirror knows that 50 was.
    rmSync(historyPath(dir));
    const mirror = await openMirror(dir, url);
    await mirror.catchUp();
    assert.equal(mirror.seq, 50);
  });

  test('a log of another exchange of the same length is rejected, and nothing of it is copied', async (context) => {
    const [own, other] = [makeDirectory(context), makeDirectory(context)];
    await writeLog(own, flowRecords(2, 50));
    await writeLog(other, later(flowRecords(5, 80), 1));
    const url = server.createDatabase('foreign');
    await (await openMirror(own, url)).catchUp();
    await assert.rejects(openMirror(other, url), {
      name: 'MirrorRefused',
      message:
        /^Record 50 has the time .* in the log, but .* in the mirror: this is the mirror of a different log/,
    });
    assert.equal((await openMirror(own, url)).seq, 50);
  });
});
