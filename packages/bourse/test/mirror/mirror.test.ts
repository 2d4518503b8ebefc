/** The log as tables in PostgreSQL: the same rows as history in SQLite, whichever process is killed meanwhile. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { Exchange } from '@bourse/core';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Mirror, type MirrorStore } from '../../../mirror/src/mirror.ts';
import { PostgresStore } from '../../../mirror/src/postgres-store.ts';
import { compare, flowRecords, sourceOf, writeLog, writeStream } from './mirrored-log.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const withoutServers = await whySkipped();
const PROGRAM = fileURLToPath(new URL('./mirror-process.ts', import.meta.url));
const { kills, records } = ofSize({ kills: 3, records: 1500 }, { kills: 15, records: 4500 });
const ROWS_MAX = 100;
/** Each is followed by a second in which the mirror waits. */
const ENDS = ofSize(3, 10);

/** Resolves to its exit code; null if it was killed. */
async function runMirror(...args: readonly (string | number)[]): Promise<number | null> {
  const child = spawn(process.execPath, [PROGRAM, ...args.map(String)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

async function checkpointOf(url: string): Promise<number> {
  const store = await PostgresStore.open(url);
  const { seq } = await store.checkpoint();
  await store.close();
  return seq;
}

describe('a mirror in PostgreSQL', { skip: withoutPostgres(), timeout: 600_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.close());

  /** `where` the log is; the history of the same records is in `dir`. */
  async function killAndCompare(
    context: TestContext,
    where: string,
    url: string,
    dir: string,
    exchange: Exchange,
  ): Promise<void> {
    const random = new Random(17);
    const ends: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const farEnough = (ends.at(-1) ?? 0) + random.below((2 * records) / kills);
      await runMirror(where, url, ROWS_MAX, farEnough, random.below(10));
      ends.push(await checkpointOf(url));
    }
    assert.equal(await runMirror(where, url, ROWS_MAX), 0);
    const compared = await compare(url, dir, exchange);
    context.diagnostic(JSON.stringify({ ends, compared }));
    // It would prove nothing if it was killed before or after everything, or if there was little to compare.
    assert.ok(new Set(ends.filter((seq) => seq > 0 && seq < exchange.seq)).size >= kills / 3, `${ends}`);
    for (const table of ['orders', 'fills', 'ledger', 'candles', 'audit', 'balances', 'money']) {
      assert.ok(compared[table] > 20, `${table}: ${compared[table]}`);
    }
    assert.ok(compared['addresses'] > 0);
  }

  test('after random kills the mirror has every row of history exactly once', async (context) => {
    const dir = makeDirectory(context);
    const exchange = await writeLog(dir, flowRecords(3, records));
    await killAndCompare(context, dir, server.url, dir, exchange);
  });

  test('the same holds when the log is a stream, with snapshots in the store', {
    skip: withoutServers,
  }, async (context) => {
    const dir = makeDirectory(context);
    const exchange = await writeLog(dir, flowRecords(5, records));
    const logServers = await startLogServers(1);
    context.after(() => logServers.close());
    const [url] = logServers.servers.urls;
    const thirds = [Math.floor(records / 3), Math.floor((2 * records) / 3)];
    const where = await writeStream(url, 'mirrored', flowRecords(5, records), thirds, dir);
    await killAndCompare(context, where, server.createDatabase('stream'), dir, exchange);
  });

  test('follows a running exchange, even across a crash of the database', async (context) => {
    const dir = makeDirectory(context);
    const other = await PostgresServer.start();
    context.after(() => other.close());
    const engine = await openDirectoryEngine(dir, { keepSegments: true });
    context.after(() => engine.close().catch(() => undefined));
    for (const command of openMarket()) await submit(engine, command);
    const warnings: string[] = [];
    const source = sourceOf(dir);
    const store = await PostgresStore.open(other.url);
    const onWarning = (sentence: string) => warnings.push(sentence);
    const mirror = await Mirror.open({ source, store, onWarning });
    const stop = new AbortController();
    const following = mirror.follow(stop.signal);
    const flow = [...orderFlow(5, 400)];
    for (const [at, command] of flow.entries()) {
      await submit(engine, command);
      if (at !== 200) continue;
      await other.crash();
      await other.resume();
    }
    await engine.historyCaughtUp();
    const { seq } = engine.health;
    while (mirror.seq < seq) await Promise.race([pause(20), following]);
    stop.abort();
    await following;
    await store.close();
    await source.close();
    const exchange = await engine.read((live) => live);
    const compared = await compare(other.url, dir, exchange);
    assert.ok(compared['fills'] > 50, JSON.stringify(compared));
    assert.ok(
      warnings.every((sentence) =>
        /^The connection to the database was lost; waiting for it\. PostgreSQL at .* does not respond/.test(
          sentence,
        ),
      ),
    );
  });

  test('after connections lost in the middle of transactions it retries, and has every row once', async (context) => {
    const dir = makeDirectory(context);
    const exchange = await writeLog(dir, flowRecords(6, 1000));
    const url = server.createDatabase('ended');
    const [store, source] = [await PostgresStore.open(url), sourceOf(dir)];
    const client = new Client(url);
    await client.connect();
    const stop = new AbortController();
    context.after(async () => {
      stop.abort();
      await Promise.all([store.close(), source.close(), client.end()]);
    });
    let [ended, isRetry] = [0, false];
    const breaking: MirrorStore = {
      checkpoint: () => store.checkpoint(),
      isLost: (error) => store.isLost(error),
      async write(...batch) {
        if (isRetry || ended === ENDS) {
          isRetry = false;
          return store.write(...batch);
        }
        isRetry = true;
        ended += 1;
        // The checkpoint can be read, but not written, which is the last thing that a transaction does.
        await client.query('BEGIN; LOCK TABLE bourse.checkpoint IN SHARE MODE');
        const writing = store.write(...batch);
        writing.catch(() => undefined);
        for (let found = 0; found === 0; await pause(3)) {
          const { rows } = await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = 'ended' AND wait_event_type = 'Lock'`);
          found = rows.length;
        }
        await client.query('ROLLBACK');
        return writing;
      },
    };
    const mirror = await Mirror.open({ source, store: breaking, rowsMax: 20 });
    await mirror.catchUp(stop.signal);
    assert.equal(ended, ENDS);
    assert.ok((await compare(url, dir, exchange))['fills'] > 50);
  });

  test('of two mirrors of one database, the second to write gets an error', async (context) => {
    const dir = makeDirectory(context);
    const url = server.createDatabase('shared');
    await writeLog(dir, flowRecords(4, 200));
    const mirrors = [];
    for (let at = 0; at < 2; at++) {
      const store = await PostgresStore.open(url);
      const source = sourceOf(dir);
      context.after(() => Promise.all([store.close(), source.close()]));
      mirrors.push(await Mirror.open({ source, store }));
    }
    await mirrors[0].catchUp();
    await assert.rejects(mirrors[1].catchUp(), /another process writes there too/);
  });
});
