/**
 * The mirror's tables in PostgreSQL. A batch is one transaction that includes the checkpoint: after a crash of either side
 * the tables have complete records up to the checkpoint and nothing of any later one.
 */

import { type Counts, NO_COUNTS } from '@bourse/engine';
import type { BatchRows } from './mirror-batch.ts';
import type { Row } from './money-rows.ts';
import { MIGRATIONS } from './migrations.ts';
import {
  MirrorRefused,
  MirrorUnreachable,
  PostgresConnection,
  type Query,
  translate,
} from './postgres-connection.ts';

export interface MirrorPosition {
  readonly seq: number;
  /** The time of that record; null before the first. */
  readonly time: string | null;
  readonly counts: Counts;
}

/** Advisory lock for migrations and writes: two mirrors of one schema wait for each other, and the second sees the changes. */
const LOCK = 0x626f7572;
/** Rows per statement. */
const PIECE = 5000;

const KEYS = {
  orders: ['order_id'],
  balances: ['user_id', 'account', 'currency'],
  candles: ['symbol', 'interval', 'start'],
  addresses: ['user_id', 'currency', 'chain'],
  deposits: ['deposit_id'],
  questionnaires: ['questionnaire_id'],
  withdrawals: ['withdrawal_id'],
} as const;

const JOIN_CANDLES = `ON CONFLICT (symbol, interval, start) DO UPDATE SET
  close = excluded.close,
  high = greatest(candles.high, excluded.high),
  low = least(candles.low, excluded.low),
  volume = candles.volume + excluded.volume,
  turnover = candles.turnover + excluded.turnover`;

export class PostgresStore {
  readonly #connection: PostgresConnection;
  readonly #url: string;

  private constructor(connection: PostgresConnection, url: string) {
    this.#connection = connection;
    this.#url = url;
  }

  /** Connects and migrates the schema. Throws MirrorRefused. */
  static async open(url: string): Promise<PostgresStore> {
    const connection = new PostgresConnection(url);
    try {
      await migrate(connection);
      return new PostgresStore(connection, url);
    } catch (error) {
      await connection.close();
      throw translate(error, url);
    }
  }

  /** Throws MirrorRefused. */
  async checkpoint(): Promise<MirrorPosition> {
    const [row] = await this.#translated(this.#connection.query('SELECT * FROM bourse.checkpoint'));
    return readCheckpoint(row);
  }

  /** `before` must match the stored checkpoint: otherwise another mirror writes here too. Throws MirrorRefused. */
  async write(before: MirrorPosition, after: MirrorPosition, rows: BatchRows): Promise<void> {
    const writing = this.#connection.transaction(async (query) => {
      const [row] = await query('SELECT * FROM bourse.checkpoint FOR UPDATE');
      const { seq } = readCheckpoint(row);
      if (seq !== before.seq) {
        throw new MirrorRefused(
          `The mirror has records up to ${seq}, but this process wrote them up to ${before.seq}: another process ` +
            'writes there too. Run only one of them, or give this one a separate database.',
        );
      }
      for (const [table, all] of rows.whole) {
        await query(`DELETE FROM bourse.${table}`);
        await insert(query, table, all);
      }
      if (rows.removedSymbols.length > 0) {
        await query('DELETE FROM bourse.candles WHERE symbol = ANY($1)', [rows.removedSymbols]);
      }
      for (const [table, added] of rows.added) await insert(query, table, added);
      for (const [table, put] of rows.put) await insert(query, table, put, replacing(KEYS[table], put));
      await insert(query, 'candles', rows.joined, JOIN_CANDLES);
      const { orders, fills, ledger, audit } = after.counts;
      await query(
        'UPDATE bourse.checkpoint SET seq = $1, time = $2, orders = $3, fills = $4, ledger = $5, audit = $6',
        [after.seq, after.time, orders, fills, ledger, audit],
      );
    });
    await this.#translated(writing);
  }

  /** Whether to retry when the database is back. */
  isLost(error: unknown): boolean {
    return error instanceof MirrorUnreachable;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #translated<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      throw translate(error, this.#url);
    }
  }
}

async function migrate(connection: PostgresConnection): Promise<void> {
  await connection.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await query(`CREATE SCHEMA IF NOT EXISTS bourse;
      CREATE TABLE IF NOT EXISTS bourse.migrations (
        version integer PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`);
    const [found] = await query('SELECT coalesce(max(version), 0) AS version FROM bourse.migrations');
    const version = Number(found['version']);
    if (version > MIGRATIONS.length) {
      throw new MirrorRefused(
        `The schema "bourse" of the database has version ${version}, but this program supports versions up to ` +
          `${MIGRATIONS.length}: a newer Bourse created it. Use that version, or give this one a separate database. Nothing was changed.`,
      );
    }
    for (let next = version + 1; next <= MIGRATIONS.length; next++) {
      await query(MIGRATIONS[next - 1]);
      await query('INSERT INTO bourse.migrations (version) VALUES ($1)', [next]);
    }
  });
}

function readCheckpoint(row: Record<string, unknown> | undefined): MirrorPosition {
  if (row === undefined) {
    throw new MirrorRefused(
      'The table bourse.checkpoint is empty, so the position of the other tables is unknown. Remove the schema "bourse", ' +
        'and the mirror is rebuilt.',
    );
  }
  const { seq, time, orders, fills, ledger, audit } = { ...NO_COUNTS, ...row } as Record<string, unknown>;
  const counts = {
    orders: Number(orders),
    fills: Number(fills),
    ledger: Number(ledger),
    audit: Number(audit),
  };
  return {
    seq: Number(seq),
    time: time instanceof Date ? time.toISOString() : null,
    counts,
  };
}

/** Sends the rows as one JSON value, which PostgreSQL converts to the table's types. */
async function insert(query: Query, table: string, rows: readonly Row[], conflict = ''): Promise<void> {
  for (let at = 0; at < rows.length; at += PIECE) {
    const json = JSON.stringify(rows.slice(at, at + PIECE), readable);
    await query(
      `INSERT INTO bourse.${table} SELECT * FROM json_populate_recordset(NULL::bourse.${table}, $1::text::json) ${conflict}`,
      [json],
    );
  }
}

function replacing(keys: readonly string[], [first]: readonly Row[]): string {
  // created_at never changes, and only the first row knows it.
  const others = Object.keys(first ?? {}).filter((name) => name !== 'created_at' && !keys.includes(name));
  return `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

/** PostgreSQL's text allows no NUL and no lone surrogate, and JSON no bigint. A rejected command may have any. */
function readable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}
