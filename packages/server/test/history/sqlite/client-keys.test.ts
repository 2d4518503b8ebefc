/** Client ids that were chosen to have one hash, and databases of the version whose hash everybody knows. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { BY_CLIENT_KEYS, SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { TradeWriter } from '../history-world.ts';

/** The user of TradeWriter who gives client ids. */
const USER = 1;
const OPEN_VERSION = 4;
const LARGE_BUCKETS_VERSION = 5;
const LARGE_BUCKET_BITS = 18;
const SHA_VERSION = 6;
const SMALL_BUCKET_BITS = 16;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PART_CHARACTERS = 4;
/** A client id has at most 40 characters. */
const PARTS = 10;

/** FNV-1a of 32 bits: a state, and what follows. */
function openHash(state: number, text: string): number {
  let hash = state;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const START = Math.imul(0x811c9dc5 ^ USER, 0x01000193);

/** The prime spreads neighbours over all characters: near texts never collide. */
function partOf(number: number): string {
  let part = '';
  for (
    let rest = number * 7_654_321;
    part.length < PART_CHARACTERS;
    rest = Math.floor(rest / ALPHABET.length)
  ) {
    part += ALPHABET[rest % ALPHABET.length];
  }
  return part;
}

/** Two parts that lead from this state to one and the same: there are many, found after some 100,000 tries. */
function collidingParts(state: number): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number++) {
    const part = partOf(number);
    const hash = openHash(state, part);
    const other = seen.get(hash);
    if (other !== undefined) return [other, part];
    seen.set(hash, part);
  }
}

/** Each of ten parts in one of two ways, whatever the others are: 1,024 ids with one hash. */
function collidingIds(): string[] {
  let ids = [''];
  let state = START;
  for (let part = 0; part < PARTS; part++) {
    const [one, two] = collidingParts(state);
    ids = ids.flatMap((id) => [id + one, id + two]);
    state = openHash(state, one);
  }
  return ids;
}

function tradesOf(clientIds: readonly string[]): HistoryRecord[] {
  const trades = new TradeWriter();
  return [trades.opening, ...clientIds.map((id) => trades.trade(10, 1, 0n, 1000n, id))];
}

/** Makes of a database what the version wrote that hashed without a secret; its rows are all in the first bucket. */
function takeBack(path: string): void {
  const db = new DatabaseSync(path);
  db.function('open_hash', (clientId) => openHash(START, String(clientId)) >>> 0);
  db.exec(`
    UPDATE done_orders SET client_key = open_hash(client_id) WHERE client_id IS NOT NULL;
    DROP TABLE client_keys;
    PRAGMA user_version = ${OPEN_VERSION};
  `);
  db.close();
}

/** A look-up goes over the rows that have one key: so many at most. */
function rowsOfOneKeyMax(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const { most } = db
    .prepare(
      'SELECT max(rows) AS most FROM (SELECT count(*) AS rows FROM done_orders WHERE client_key NOT NULL GROUP BY client_key)',
    )
    .get() as { readonly most: number };
  db.close();
  return most;
}

function secretOf(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  const { secret } = db.prepare('SELECT secret FROM client_keys').get() as { readonly secret: string };
  db.close();
  return secret;
}

/** As versions 5 and 6 made them: the beginning of a SHA-256, in buckets of so many bits. */
function takeBackToSha(path: string, bucketBits: number): void {
  const secret = secretOf(path);
  const db = new DatabaseSync(path);
  db.function('sha_hash', (clientId) =>
    createHash('sha256').update(`${secret}${USER}:${clientId}`).digest().readUInt32BE(0),
  );
  db.exec(`
    UPDATE done_orders SET client_key = (id >> ${bucketBits}) * 4294967296 + sha_hash(client_id)
      WHERE client_key NOT NULL;
    ALTER TABLE client_keys DROP COLUMN keyed_since;
    PRAGMA user_version = ${SHA_VERSION};
  `);
  if (bucketBits === LARGE_BUCKET_BITS) {
    db.exec(`
      ALTER TABLE client_keys DROP COLUMN small_since;
      PRAGMA user_version = ${LARGE_BUCKETS_VERSION};
    `);
  }
  db.close();
}

/** A database as an earlier version wrote it; its done orders come after the first so many. */
function writeEarlier(
  path: string,
  bucketBits: number,
  orders: number,
  records: readonly HistoryRecord[],
): void {
  const write = (some: readonly HistoryRecord[]): void => {
    const writer = new SqliteHistoryWriter(path);
    writer.write(some);
    writer.close();
  };
  write(records.slice(0, 1));
  const db = new DatabaseSync(path);
  db.exec(`UPDATE checkpoint SET orders = ${orders}`);
  db.close();
  write(records);
  takeBackToSha(path, bucketBits);
}

describe('client ids in history', () => {
  const inFolder = (work: (path: string, folder: string) => void) => () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-client-keys-'));
    try {
      work(join(folder, 'history.db'), folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  const withHistory = (
    path: string,
    work: (history: SqliteHistoryReader, writer: SqliteHistoryWriter) => void,
  ) => {
    const writer = new SqliteHistoryWriter(path);
    const reader = new SqliteHistoryReader(path);
    try {
      work(reader, writer);
    } finally {
      reader.close();
      writer.close();
    }
  };

  it(
    'ids that were chosen to have one hash have keys of their own, and each is found',
    inFolder((path) => {
      const ids = collidingIds();
      assert.equal(new Set(ids).size, 2 ** PARTS);
      assert.equal(new Set(ids.map((id) => openHash(START, id))).size, 1);
      withHistory(path, (reader, writer) => {
        writer.write(tradesOf(ids));
        // By chance two of them may meet.
        assert.ok(rowsOfOneKeyMax(path) <= 2, `${rowsOfOneKeyMax(path)} rows have one key`);
        for (const id of [ids[0], ids[500], ids[1023]]) {
          assert.equal(reader.orderByClientId(USER, id)?.clientId, id);
        }
        assert.equal(reader.orderByClientId(USER, 'none'), null);
      });
    }),
  );

  it(
    'each database has a secret of its own, which stays when it is opened again',
    inFolder((path, folder) => {
      const other = join(folder, 'other.db');
      for (const each of [path, other]) withHistory(each, (_, writer) => writer.write(tradesOf(['id'])));
      const secret = secretOf(path);
      assert.match(secret, /^[0-9A-F]{32}$/);
      assert.notEqual(secretOf(other), secret);
      withHistory(path, (reader) => assert.equal(reader.orderByClientId(USER, 'id')?.clientId, 'id'));
      assert.equal(secretOf(path), secret);
    }),
  );

  it(
    'what was written without a secret is found beside what is written with it, the latest first',
    inFolder((path) => {
      const records = tradesOf(['old', 'both', 'both', 'new']);
      withHistory(path, (_, writer) => writer.write(records.slice(0, 3)));
      takeBack(path);
      withHistory(path, (reader, writer) => {
        const earlier = reader.orderByClientId(USER, 'both');
        assert.equal(earlier?.seq, records[2].seq);
        writer.write(records);
        const found = (id: string, from?: number) => reader.orderByClientId(USER, id, from)?.seq;
        assert.equal(found('old'), records[1].seq);
        assert.equal(found('both'), records[3].seq);
        assert.equal(found('new'), records[4].seq);
        assert.equal(found('old', records[1].time), records[1].seq);
        assert.equal(found('old', records[2].time), undefined);
        assert.equal(found('new', records[2].time), records[4].seq);
        assert.equal(found('none'), undefined);
      });
    }),
  );

  for (const bucketBits of [SMALL_BUCKET_BITS, LARGE_BUCKET_BITS]) {
    it(
      `what was written by SHA-256 into buckets of ${bucketBits} bits is found beside what is written now, the latest first`,
      inFolder((path) => {
        const records = tradesOf(['old', 'both', 'both', 'new']);
        // Beyond the first bucket of either size, in different ones.
        writeEarlier(path, bucketBits, 7 * 2 ** LARGE_BUCKET_BITS, records.slice(0, 3));
        withHistory(path, (reader, writer) => {
          assert.equal(reader.orderByClientId(USER, 'both')?.seq, records[2].seq);
          writer.write(records);
          const found = (id: string, from?: number) => reader.orderByClientId(USER, id, from)?.seq;
          assert.equal(found('old'), records[1].seq);
          assert.equal(found('both'), records[3].seq);
          assert.equal(found('new'), records[4].seq);
          assert.equal(found('old', records[2].time), undefined);
          assert.equal(found('none'), undefined);
        });
      }),
    );
  }

  it(
    'a look-up over many buckets finds the latest, in whichever of them it is',
    inFolder((path) => {
      const records = tradesOf(['both', 'both', 'last']);
      const apart = 200 * 2 ** 16;
      withHistory(path, (_, writer) => writer.write(records.slice(0, 2)));
      const db = new DatabaseSync(path);
      db.exec(`UPDATE checkpoint SET orders = ${apart}`);
      db.close();
      withHistory(path, (reader, writer) => {
        assert.equal(reader.orderByClientId(USER, 'both')?.seq, records[1].seq);
        writer.write(records);
        assert.equal(reader.orderByClientId(USER, 'both')?.seq, records[2].seq);
        assert.equal(reader.orderByClientId(USER, 'last')?.seq, records[3].seq);
        assert.equal(reader.orderByClientId(USER, 'none'), null);
      });
    }),
  );

  it(
    'many keys are looked for by the index',
    inFolder((path) => {
      withHistory(path, (_, writer) => writer.write(tradesOf(['id'])));
      const db = new DatabaseSync(path, { readOnly: true });
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${BY_CLIENT_KEYS}`).all('[1]', 1, 'id', USER);
      db.close();
      const steps = plan.map(({ detail }) => String(detail));
      assert.ok(
        steps.some((step) => /SEARCH done_orders USING INDEX done_orders_by_client/.test(step)),
        steps.join('; '),
      );
      assert.ok(!steps.some((step) => step.startsWith('SCAN done_orders')), steps.join('; '));
    }),
  );
});
