/** The shell examples run unchanged and repeatedly, and no program gets a secret as an argument. */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { SHELL_EXAMPLE } from '../../src/gateway/docs/page.ts';
import { credentials, startServer, startWhole, type TestServer } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');
const SCRIPT = join(ROOT, 'examples/signed-curl.sh');
const PROGRAMS = ['openssl', 'curl', 'od', 'head', 'perl', 'date', 'grep'];

const isMissing = ['bash', 'curl', 'openssl'].some(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
);
const skip = isMissing && 'no bash, curl or openssl here';

interface Answer extends Readonly<Record<'code' | 'msg' | 'price' | 'bestAsk' | 'bestBid', string>> {
  readonly data?: Readonly<Record<'dealSize' | 'status', string>>;
}

describe('the shell examples', { skip }, () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const { apiKey, apiSecret, apiPassphrase } = credentials('bob');

  /** An environment in which every program writes down its arguments; undefined where one is not there. */
  async function watched(context: TestContext): Promise<{ env: NodeJS.ProcessEnv; args: () => string }> {
    const dir = makeDirectory(context);
    const file = join(dir, 'arguments');
    writeFileSync(file, '');
    for (const name of PROGRAMS) {
      const { stdout } = await run('sh', ['-c', `command -v ${name} || true`]);
      if (stdout === '') continue;
      writeFileSync(join(dir, name), `#!/bin/sh\necho "$@" >> ${file}\nexec ${stdout.trim()} "$@"\n`);
      chmodSync(join(dir, name), 0o755);
    }
    return {
      env: { ...process.env, PATH: `${dir}:${process.env['PATH']}` },
      args: () => readFileSync(file, 'utf8'),
    };
  }

  const examples: readonly [name: string, command: string[], env: Record<string, string>][] = [
    ['of /docs', ['sh', '-c', SHELL_EXAMPLE], { KEY: apiKey, SECRET: apiSecret, PASS: apiPassphrase }],
    [
      'examples/signed-curl.sh',
      [
        'bash',
        SCRIPT,
        'POST',
        '/api/v1/hf/orders',
        '{"symbol":"BTC-USDT","type":"limit","side":"buy","price":"30000","size":"0.001"}',
      ],
      { API_KEY: apiKey, API_SECRET: apiSecret, API_PASSPHRASE: apiPassphrase },
    ],
  ];

  for (const [name, [program, ...args], keys] of examples) {
    test(`the one ${name}`, { timeout: 120_000 }, async (context) => {
      const { env, args: seen } = await watched(context);
      const place = async (): Promise<string> => {
        const all = { ...env, ...keys, BASE: server.url, BOURSE_URL: server.url };
        const { stdout } = await run(program!, args, { env: all, timeout: 60_000 });
        const { code, data } = JSON.parse(stdout);
        assert.equal(code, '200000', stdout);
        return data.orderId;
      };
      // One after the other: two that are signed in the same millisecond would be one request.
      const ids = [await place(), await place(), await place()];
      assert.equal(new Set(ids).size, 3, 'three equal orders within a second are three');
      assert.match(seen(), /SVC|-H @-|--header @-/);
      for (const secret of [apiSecret, apiPassphrase]) assert.ok(!seen().includes(secret), seen());
      assert.doesNotMatch(seen(), /API-(SIGN|PASSPHRASE)/);
    });
  }

  test('AS names another of the sandbox’s users', async () => {
    const as = async (name: string) => {
      const env = { ...process.env, AS: name, BOURSE_URL: server.url };
      const { stdout } = await run('bash', [SCRIPT, 'GET', '/api/v1/accounts?currency=USDT'], { env });
      return (JSON.parse(stdout).data as { id: string }[])[0]!.id;
    };
    assert.equal(new Set(await Promise.all(['alice', 'bob', 'carol'].map(as))).size, 3);
    await assert.rejects(as('dave'), /AS is alice, bob or carol/);
  });

  test('the commands of the README work among the agents, on the port that was chosen', async (context) => {
    const exchange = await startWhole(makeDirectory(context), { market: 'calm' });
    context.after(() => exchange.close());
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const part = readme.slice(readme.indexOf('## Place an order'), readme.indexOf('## Connect your client'));
    const pairs = Array.from(part.matchAll(/^```sh\n(.*?)^```\n```json\n(.*?)^```/gms));
    assert.equal(pairs.length, 4);
    for (const [, command, shown] of pairs) {
      const env = { ...process.env, BOURSE_URL: exchange.connection.baseUrl };
      const { stdout } = await run('bash', ['-c', command!], { cwd: ROOT, env, timeout: 60_000 });
      const [given, expected] = [stdout, shown!].map((text) => JSON.parse(text) as Answer);
      assert.deepEqual(Object.keys(given!), Object.keys(expected!), stdout);
      for (const name of ['code', 'msg'] as const) assert.equal(given![name], expected![name], stdout);
      // The agents' prices differ in each run, but there is always enough size.
      for (const name of ['dealSize', 'status'] as const)
        assert.equal(given!.data?.[name], expected!.data?.[name], stdout);
      for (const name of ['price', 'bestAsk', 'bestBid'] as const)
        assert.equal(Number(given![name]) > 0, Number(expected![name]) > 0, stdout);
    }
  });

  test('without a path it prints its usage', async () => {
    await assert.rejects(
      run('bash', [SCRIPT, 'GET']),
      /usage: examples\/signed-curl.sh METHOD PATH \[JSON\]/,
    );
  });
});
