/**
 * One connection to PostgreSQL. If it is lost, pending calls fail, and the next call reconnects. A transaction stays on its
 * connection, so that it is never partially executed.
 */

import { Client } from 'pg';
import { pause } from '@bourse/engine';
import { isConnectionLost } from './postgres-errors.ts';

/** The rows returned by a statement; none for several statements in one text. */
export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const CONNECT_MS = 10_000;
/** How long closing waits for the server. */
const CLOSE_MS = 5000;
/** Without keep-alive, a lost server would go unnoticed while nothing is written. */
const KEEP_ALIVE_MS = 60_000;

export class PostgresConnection {
  readonly #url: string;
  readonly #connectMs: number;
  #client: Client | null = null;
  #isClosed = false;

  /** Connects with the first call. */
  constructor(url: string, connectMs = CONNECT_MS) {
    this.#url = url;
    this.#connectMs = connectMs;
  }

  /** One call at a time. */
  async query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return this.#ask(await this.#connected(), text, values);
  }

  /** All or nothing of what `work` executes. */
  async transaction(work: (query: Query) => Promise<void>): Promise<void> {
    const client = await this.#connected();
    const query: Query = (text, values) => this.#ask(client, text, values);
    try {
      await query('BEGIN');
      await work(query);
      await query('COMMIT');
    } catch (error) {
      // PostgreSQL itself rolls back the transaction of a lost connection.
      if (this.#client === client) await query('ROLLBACK').catch(() => this.#drop(client));
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    if (client === null) return;
    this.#client = null;
    const ended = new AbortController();
    await Promise.race([client.end(), pause(CLOSE_MS, ended.signal)]);
    ended.abort();
    this.#drop(client);
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    if (this.#isClosed) throw closed();
    const client = new Client({
      connectionString: connectionString(this.#url),
      connectionTimeoutMillis: this.#connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    try {
      await client.connect();
      if (this.#isClosed) throw closed();
    } catch (error) {
      this.#drop(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #ask(client: Client, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    try {
      const { rows } = await client.query(text, values);
      return rows ?? [];
    } catch (error) {
      if (isConnectionLost(error)) this.#drop(client);
      throw error;
    }
  }

  /** Pending calls on it fail. */
  #drop(client: Client): void {
    if (this.#client === client) this.#client = null;
    client.connection.stream.destroy();
  }
}

const closed = (): Error => new Error('The connection to the database was closed.');

/** Interprets sslmode in the address as PostgreSQL's own programs do. */
function connectionString(url: string): string {
  const address = new URL(url);
  address.searchParams.set('uselibpqcompat', 'true');
  return address.href;
}
