/** Client ids that were chosen to have one hash, and keys over many buckets. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { BY_CLIENT_KEYS } from '../../../src/history/sqlite/done-order-reader.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { TradeWriter } from '../history-world.ts';

/** The user of TradeWriter who gives client ids. */
const USER = 1;
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

/** A look-up goes over the rows that have one key: so many at most. */
function rowsOfOneKeyMax(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const { most } = db
    .prepare('SELECT max(rows) AS most FROM (SELECT count(*) AS rows FROM client_ids GROUP BY key)')
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
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${BY_CLIENT_KEYS}`).all('[1]', 1);
      db.close();
      const steps = plan.map(({ detail }) => String(detail));
      assert.ok(
        steps.some((step) => /SEARCH client_ids USING PRIMARY KEY \(key=\? AND id>\?\)/.test(step)),
        steps.join('; '),
      );
      assert.ok(!steps.some((step) => step.startsWith('SCAN client_ids')), steps.join('; '));
    }),
  );
});
