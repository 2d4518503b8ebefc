/** The page on the mirror shows queries with their results: they run here against the mirror of a small market. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Client } from 'pg';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { Mirror } from '../../../mirror/src/mirror.ts';
import { PostgresStore } from '../../../mirror/src/postgres-store.ts';
import { sourceOf, writeLog } from './mirrored-log.ts';
import { smallMarket } from './small-market.ts';

const PAGE = new URL('../../../../docs/operating/mirror.md', import.meta.url);
const SHOWN = /```sql\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/g;
const QUERIES = 5;

test('the queries on the page return the results on the page', {
  skip: withoutPostgres(),
  timeout: 120_000,
}, async (context) => {
  const server = await PostgresServer.start();
  const client = new Client({ connectionString: server.url, options: '-c TimeZone=UTC' });
  await client.connect();
  context.after(async () => {
    await client.end();
    await server.close();
  });
  const dir = makeDirectory(context);
  await writeLog(dir, smallMarket());
  const store = await PostgresStore.open(server.url);
  const source = sourceOf(dir);
  await (await Mirror.open({ source, store })).catchUp();
  await Promise.all([store.close(), source.close()]);

  const shown = [...readFileSync(PAGE, 'utf8').matchAll(SHOWN)];
  assert.equal(shown.length, QUERIES);
  for (const [, query, answer] of shown) {
    assert.equal(tableOf((await client.query(query)).rows), answer.trimEnd(), query);
  }
});

/** Columns as wide as their longest value. */
function tableOf(rows: readonly Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((line) => line[at].length)));
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
