/** A connection to PostgreSQL, and its errors as messages that say what would be right. */

import { pause } from '@bourse/engine';
import { Client } from 'pg';

/** The mirror cannot continue; the message says why, and what to do. */
export class MirrorRefused extends Error {
  override readonly name: string = 'MirrorRefused';
}

/** No server responds at the address. */
export class MirrorUnreachable extends MirrorRefused {
  override readonly name = 'MirrorUnreachable';
}

const LOST = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  // The name of a server that is restarted may not resolve for a moment.
  'ENOTFOUND',
  'EAI_AGAIN',
  // Too many connections.
  '53300',
  // Shut down by the operator, crashed, or still starting.
  '57P01',
  '57P02',
  '57P03',
];

/** Errors for which the driver gives no code. */
const LOST_WITHOUT_CODE = [
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout expired',
];
const NO_PASSWORD = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether it may become available again soon. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // The socket file of a server that does not run; any other missing file is one that the address names.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect';
  if (code !== '') return LOST.includes(code);
  return error instanceof Error && LOST_WITHOUT_CODE.includes(error.message);
}

/** `url` is shown without its password. */
export function translate(error: unknown, url: string): unknown {
  if (error instanceof MirrorRefused || !(error instanceof Error)) return error;
  const { host, user, database } = partsOf(url);
  const hasNoPassword = error.message === NO_PASSWORD;
  const said = hasNoPassword ? 'it requires a password, but none was given' : error.message;
  switch (hasNoPassword ? '28P01' : codeOf(error)) {
    case '28P01':
    case '28000':
      return new MirrorRefused(
        `PostgreSQL at ${host} rejected ${user} (${said}). Give the right name and password in the address, or the ` +
          'password in PGPASSWORD.',
      );
    case '3D000':
      return new MirrorRefused(
        `PostgreSQL at ${host} has no database ${database}. Create it with: createdb ${database}`,
      );
    case '42501':
      return new MirrorRefused(
        `${user} may not create or change the schema "bourse" in the database ${database} (${said}). Grant it CREATE on the ` +
          'database, or run the mirror as the owner of the schema.',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new MirrorUnreachable(`Unknown host ${host}. Check the address of the database.`);
    default:
  }
  if (!isConnectionLost(error)) return error;
  return new MirrorUnreachable(
    `PostgreSQL at ${host} does not respond (${said}). Check that it runs and listens at that address.`,
  );
}

/** Not the address of a database; it is not shown, because it may contain a password. */
export class MirrorAddressWrong extends MirrorRefused {
  override readonly name = 'MirrorAddressWrong';

  constructor(what: string) {
    super(`${what} Expected a URL such as postgres://bourse@127.0.0.1:5432/bourse`);
  }
}

/** Throws MirrorAddressWrong. */
export function checkDatabaseUrl(url: string): void {
  if (!URL.canParse(url)) throw new MirrorAddressWrong('This is not the address of a database.');
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new MirrorAddressWrong(`${protocol} is not a protocol of PostgreSQL.`);
  }
  if (pathname.length < 2) throw new MirrorAddressWrong('The address has no database name.');
}

function partsOf(url: string): { host: string; user: string; database: string } {
  const { host: address, username, pathname, searchParams } = new URL(url);
  // The directory of a unix socket is a parameter.
  const host = searchParams.get('host') ?? address;
  return { host, user: username === '' ? 'you' : `user ${username}`, database: pathname.slice(1) };
}

/** The rows returned by a statement; none for several statements in one text. */
export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const CONNECT_MS = 10_000;
/** How long closing waits for the server. */
const CLOSE_MS = 5000;
/** Without keep-alive, a lost server would go unnoticed while nothing is written. */
const KEEP_ALIVE_MS = 60_000;

/**
 * One connection to PostgreSQL. If it is lost, pending calls fail, and the next call reconnects. A transaction stays on its
 * connection, so that it is never partially executed.
 */
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

  /** Executes `work` in one transaction. */
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
