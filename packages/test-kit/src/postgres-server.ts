/**
 * A PostgreSQL server for a test, on a free port and in a temporary directory: from Debian's package, or from the path. If
 * there is none, the suite is skipped with a message; with BOURSE_CI_REQUIRES_ALL=1 that is a failure.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const DEBIAN = '/usr/lib/postgresql';
/** Some machines have only a part of them on the path. */
const PROGRAMS = ['initdb', 'postgres', 'pg_isready', 'createdb'];
const USER = 'bourse';
const START_MS_MAX = 60_000;
/** PostgreSQL refuses to run as root; the package brings this user. */
const SYSTEM_USER = 'postgres';

/** The directory of its programs; null if there is none. */
function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => `${DEBIAN}/${version}/bin`),
  ];
  return places.find((place) => PROGRAMS.every((program) => existsSync(join(place, program)))) ?? null;
}

/** The reason for skipping a suite that needs PostgreSQL; false if it runs. */
export function withoutPostgres(): string | false {
  if (findPostgres() !== null) return false;
  const why = 'there is no PostgreSQL on this machine (Debian: apt-get install postgresql)';
  if (process.env['BOURSE_CI_REQUIRES_ALL'] === '1') throw new Error(`${why}, and everything is required`);
  return why;
}

export class PostgresServer {
  readonly password = 'a-password';
  readonly port: number;
  readonly #bin: string;
  readonly #dir: string;
  readonly #as: { readonly uid?: number; readonly gid?: number };
  #child: ChildProcess | null = null;

  private constructor(bin: string, dir: string, port: number, as: { uid?: number; gid?: number }) {
    this.#bin = bin;
    this.#dir = dir;
    this.port = port;
    this.#as = as;
  }

  /** Resolves when it is ready, with an empty database `bourse`. */
  static async start(): Promise<PostgresServer> {
    const bin = findPostgres();
    if (bin === null) throw new Error('there is no PostgreSQL on this machine');
    const dir = mkdtempSync(join(tmpdir(), 'bourse-postgres-'));
    const as = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
    if (as.uid !== undefined) chownSync(dir, as.uid, as.gid);
    const server = new PostgresServer(bin, dir, await freePort(), as);
    const passwords = join(dir, 'password');
    writeFileSync(passwords, server.password);
    if (as.uid !== undefined) chownSync(passwords, as.uid, as.gid);
    server.#run('initdb', [
      '-D',
      `${dir}/data`,
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwords}`,
      '-N',
    ]);
    try {
      await server.resume();
      server.createDatabase(USER);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** Its address. */
  createDatabase(name: string): string {
    this.#run('createdb', ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER, name]);
    return this.urlOf({ database: name });
  }

  urlOf({ user = USER, password = this.password, database = USER } = {}): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  get url(): string {
    return this.urlOf();
  }

  /** The same database over its unix socket. */
  get socketUrl(): string {
    return `postgres:///${USER}?host=${this.#dir}&port=${this.port}&user=${USER}&password=${this.password}`;
  }

  /** Starts it again after `crash`. */
  async resume(): Promise<void> {
    const { port } = this;
    const settings = ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-k', this.#dir];
    const child = spawn(
      join(this.#bin, 'postgres'),
      ['-D', `${this.#dir}/data`, '-p', String(port), ...settings],
      {
        ...this.#as,
        cwd: this.#dir,
        stdio: 'ignore',
      },
    );
    this.#child = child;
    const end = performance.now() + START_MS_MAX;
    while (performance.now() < end) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      try {
        this.#run('pg_isready', ['-h', '127.0.0.1', '-p', String(port), '-q']);
        return;
      } catch {
        await pause(50);
      }
    }
    throw new Error('PostgreSQL is not ready');
  }

  /** Simulates a power failure. */
  async crash(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    // Immediate shutdown: disconnects everybody and writes nothing.
    child.kill('SIGQUIT');
    await gone;
  }

  async close(): Promise<void> {
    await this.crash();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[]): string {
    return execFileSync(join(this.#bin, program), args, {
      ...this.#as,
      cwd: this.#dir,
      env: { ...process.env, PGPASSWORD: this.password },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

const idOf = (flag: string): number => Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
