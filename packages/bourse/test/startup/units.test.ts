/** The systemd units for one machine: systemd knows their lines, and the services that they start run. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { Client } from 'pg';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const UNITS = ['bourse.service', 'bourse-mirror.service'];
/** Everything that the units say; a slip in a name would be ignored by systemd. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'After', 'Wants'],
  Service: [
    'User',
    'StateDirectory',
    'StateDirectoryMode',
    'LoadCredential',
    'EnvironmentFile',
    'Environment',
    'WorkingDirectory',
    'ExecReload',
    'ExecStart',
    'Restart',
    'RestartSec',
    'TimeoutStopSec',
    'NoNewPrivileges',
    'ProtectSystem',
    'ProtectHome',
    'PrivateTmp',
  ],
  Install: ['WantedBy'],
};

const FIRST_TOKEN = '0123456789abcdef'.repeat(4);
const SECOND_TOKEN = 'fedcba9876543210'.repeat(4);

const textOf = (unit: string): string => readFileSync(join(root, 'deploy', unit), 'utf8');

function valueOf(unit: string, name: string): string {
  const line = textOf(unit)
    .split('\n')
    .find((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1) ?? assert.fail(`${unit} has no ${name}`);
}

for (const unit of UNITS) {
  test(`${unit} has only lines that systemd knows`, () => {
    let section = '';
    for (const line of textOf(unit).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
      if (line.startsWith('[')) continue;
      const [name = ''] = line.split('=');
      assert.ok(KNOWN[section]?.includes(name), `[${section}] ${line}`);
    }
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy', unit)], {
      encoding: 'utf8',
    });
    if (error) return;
    const faults = stderr
      .split('\n')
      .filter((each) => each.includes(unit) && !/not executable|No such file/.test(each));
    assert.deepEqual(faults, [], `status ${status}`);
  });
}

/** The line as systemd would run it, with the installation and directories of this machine. */
function run(
  context: TestContext,
  unit: string,
  env: Readonly<Record<string, string>>,
  more: readonly string[] = [],
) {
  const [program = '', ...args] = valueOf(unit, 'ExecStart')
    .replaceAll('/var/lib/bourse', env['STATE_DIRECTORY'] ?? '')
    .replaceAll('/etc/bourse', env['CREDENTIALS_DIRECTORY'] ?? '')
    .split(' ')
    .map((word) => word.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? ''));
  assert.ok(program.startsWith(`${valueOf(unit, 'WorkingDirectory')}/`));
  const installed = join(root, program.slice(valueOf(unit, 'WorkingDirectory').length));
  const child = spawn(installed, [...args, ...more], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  return { child, printed: () => printed, exit: once(child, 'exit') as Promise<[number | null]> };
}

const TRIES = 3000;

/** Within a minute. */
async function until<T>(look: () => Promise<T | null>, why: () => string): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(why());
}

/** Runs it until it is ready and `meanwhile`, which gets the operators' address and the main process, has completed. */
async function runVenue(
  context: TestContext,
  data: string,
  meanwhile: (operatorUrl: string, pid: number, credentials: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const credentials = makeDirectory(context);
  // The token is not a systemd credential: that would stay the one of the start, whatever the file contains at a
  // reload.
  assert.match(textOf('bourse.service'), /^LoadCredential=secret-key:/m);
  assert.doesNotMatch(textOf('bourse.service'), /^LoadCredential=operator-token:/m);
  for (const name of ['secret-key', 'operator-token'])
    writeFileSync(join(credentials, name), FIRST_TOKEN, { mode: 0o600 });
  const connection = join(credentials, 'connection.json');
  const env = {
    STATE_DIRECTORY: data,
    CREDENTIALS_DIRECTORY: credentials,
    BOURSE_PORT: '0',
    BOURSE_OPERATOR_LISTEN: '0',
  };
  const venue = run(context, 'bourse.service', env, ['--config-out', connection]);
  const text = await until(async () => {
    if (venue.child.exitCode !== null) assert.fail(venue.printed());
    return readIfThere(connection) || null;
  }, venue.printed);
  const { baseUrl, operatorUrl } = JSON.parse(text) as { baseUrl: string; operatorUrl: string };
  assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
  await meanwhile(operatorUrl, venue.child.pid!, credentials);
  venue.child.kill('SIGTERM');
  assert.deepEqual((await venue.exit)[0], 0, venue.printed());
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('the venue of the systemd unit starts, becomes ready and stops', async (context) => {
  const data = join(makeDirectory(context), 'data');
  mkdirSync(data, { mode: 0o700 });
  await runVenue(context, data);
});

/** There may be no systemd here: its line is run as systemd runs it, without a shell. */
test('the reload command of the unit makes the venue use a new operator token', async (context) => {
  const data = join(makeDirectory(context), 'data');
  mkdirSync(data, { mode: 0o700 });
  await runVenue(context, data, async (operatorUrl, pid, credentials) => {
    const statusWith = async (token: string): Promise<number> =>
      (await fetch(`${operatorUrl}/v1/status`, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual([await statusWith(FIRST_TOKEN), await statusWith(SECOND_TOKEN)], [200, 401]);
    writeFileSync(join(credentials, 'operator-token'), SECOND_TOKEN);
    const [program = '', ...args] = valueOf('bourse.service', 'ExecReload')
      .split(' ')
      .map((word) => (word === '$MAINPID' ? String(pid) : word));
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    await until(
      async () => ((await statusWith(SECOND_TOKEN)) === 200 ? true : null),
      () => 'the new token is never taken',
    );
    assert.equal(await statusWith(FIRST_TOKEN), 401);
  });
  const node = readFileSync(join(root, 'deploy', 'bourse-node.service'), 'utf8');
  assert.ok(
    node.includes(`\nExecReload=${valueOf('bourse.service', 'ExecReload')}\n`),
    'a node is reloaded alike',
  );
});

test('the mirror of the systemd unit mirrors a venue', { skip: withoutPostgres() }, async (context) => {
  const data = join(makeDirectory(context), 'data');
  mkdirSync(data, { mode: 0o700 });
  await runVenue(context, data);
  const server = await PostgresServer.start();
  context.after(() => server.close());
  const url = server.createDatabase('units');
  const { exit, printed } = run(
    context,
    'bourse-mirror.service',
    { STATE_DIRECTORY: data, BOURSE_MIRROR_URL: url },
    ['--once'],
  );
  assert.equal((await exit)[0], 0, printed());
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT seq FROM bourse.checkpoint');
  await client.end();
  assert.equal(rows.length, 1);
});
