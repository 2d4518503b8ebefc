import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Answer, send } from './client.ts';
import { add, units } from './money.ts';

const main = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const readyMsMax = 180_000;
const stopMsMax = 60_000;

/** The file that the server writes with `--config-out` once it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly compatUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly users: readonly User[];
}

export interface User {
  readonly name: string;
  readonly userId: string;
  readonly parent: string | null;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly string[];
}

/** A server as a user starts it: a separate process, known only by its addresses. */
export interface Service {
  readonly ready: Ready;
  readonly dataDir: string;
  user(name: string): User;
  operator(method: string, path: string, body?: unknown): Promise<Answer>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function startService(
  dataDir: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const readyDir = mkdtempSync(join(tmpdir(), 'bourse-ready-'));
  const configOut = join(readyDir, 'ready.json');
  const child = spawn(
    process.execPath,
    [
      main,
      'start',
      '--port',
      '0',
      '--market',
      'quiet',
      '--data',
      dataDir,
      '--config-out',
      configOut,
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));

  const ready = await untilReady(child, configOut, said).finally(() =>
    rmSync(readyDir, { recursive: true, force: true }),
  );
  return {
    ready,
    dataDir,
    user(name) {
      const found = ready.users.find((user) => user.name === name);
      assert.ok(found, `the sandbox has a user ${name}`);
      return found;
    },
    operator(method, path, body) {
      const text = body === undefined ? '' : JSON.stringify(body);
      return send(ready.operatorUrl, method, path, text, {
        authorization: `Bearer ${ready.operatorToken}`,
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
      });
    },
    stop: (signal = 'SIGTERM') => stop(child, signal),
  };
}

async function untilReady(child: ChildProcess, configOut: string, said: string[]): Promise<Ready> {
  for (const end = Date.now() + readyMsMax; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server ended before it was ready:\n${said.join('')}`);
    }
    try {
      return JSON.parse(readFileSync(configOut, 'utf8')) as Ready;
    } catch {
      // Not there yet, or half written.
    }
  }
  child.kill('SIGKILL');
  throw new Error(`The server was not ready after ${readyMsMax} ms:\n${said.join('')}`);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const deadline = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await ended;
  clearTimeout(deadline);
}

/** One server for the whole test file, stopped and removed at its end. */
export function sharedService(env: Readonly<Record<string, string>> = {}): () => Service {
  let service: Service | undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'bourse-interface-'));
  before(async () => {
    service = await startService(dataDir, [], env);
  });
  after(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => {
    assert.ok(service, 'the server runs');
    return service;
  };
}

/** The last test of a file: no unit of money was created, lost or counted twice. */
export function ledgerStandsAtTheEnd(
  service: () => Service,
  accounts: (user: User) => Promise<unknown[]>,
): void {
  test('in the end the ledger sums to 0 and every balance is available plus holds', async () => {
    const check = await service().operator('GET', '/v1/ledger/check');
    assert.equal(check.status, 200, check.text);
    const sums = Object.entries(check.body as Record<string, string>);
    assert.ok(sums.length >= 3, check.text);
    for (const [currency, sum] of sums) assert.equal(sum, '0', `sum of ${currency}`);
    for (const name of ['alice', 'bob', 'carol', 'alice-sub']) {
      const rows = (await accounts(service().user(name))) as Record<string, string>[];
      assert.ok(rows.length > 0, `${name} has accounts`);
      for (const row of rows) {
        const said = `${name} ${row.type} ${row.currency}`;
        assert.equal(units(row.balance), units(add(row.available, row.holds)), said);
        assert.ok(units(row.available) >= 0n && units(row.holds) >= 0n, said);
      }
    }
  });
}
