/** Nodes and log servers that are set up differently: real servers and nodes. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { loadSettings } from '../../src/config/load.ts';
import {
  ClusterSetup,
  differingIn,
  makeFingerprints,
  fingerprintsOf,
} from '../../src/startup/cluster-setup.ts';

const skip = await whySkipped();
const KEY = Buffer.alloc(32, 7);
const TOKEN = 'a-token-of-24-characters';
const settingsOf = (flags: Readonly<Record<string, string>> = {}) =>
  loadSettings({ flags, env: {} }).settings;
const printsWith = (flags: Readonly<Record<string, string>>, operatorToken = TOKEN): string =>
  fingerprintsOf({ settings: settingsOf(flags), operatorToken, operatorReadToken: '' }, KEY);

test('settings that nodes should share are compared by name, and settings of one machine are not', () => {
  const own = printsWith({});
  assert.deepEqual(
    differingIn(own, printsWith({ port: '1', data: '/x', logLevel: 'debug', publicUrl: 'http://x' })),
    [],
  );
  assert.deepEqual(
    differingIn(own, printsWith({ sessionMaxMs: '900000000', quotas: '{"spot":1}', logCopy: 'copy' })),
    ['quotas', 'sessionMaxMs'],
  );
  assert.deepEqual(differingIn(own, printsWith({}, `${TOKEN}-2`)), ['operatorToken']);
  assert.ok(!own.includes(TOKEN));
  // From versions with other settings, and values that are not a fingerprint.
  assert.deepEqual(differingIn(own, 'colour:12345678 __proto__:1 rubbish'), []);
});

test('a node whose token is not known yet does not count as different', () => {
  const shared = { settings: settingsOf(), operatorToken: '', operatorReadToken: '' };
  const fingerprints = makeFingerprints(shared, KEY);
  assert.deepEqual([fingerprints(), differingIn(fingerprints(), printsWith({}))], ['', []]);
  shared.operatorToken = TOKEN;
  assert.equal(fingerprints(), printsWith({}));
  shared.settings = settingsOf({ sessionMaxMs: '900000000' });
  assert.deepEqual(differingIn(fingerprints(), printsWith({})), ['sessionMaxMs']);
});

test('a difference is logged once, and again when it changes', async () => {
  const told: string[] = [];
  let isSynced = false;
  const setup = new ClusterSetup({
    fingerprints: () => printsWith({}),
    askServers: async () => [{ name: 'log-2', isSynced, messageBytesMax: 1000 }],
    messageBytesMin: 2000,
    onWarning: (sentence) => told.push(sentence),
  });
  const other = { name: 'n2', settings: printsWith({ sessionMaxMs: '900000000' }) };
  const FIRST = [
    "settings of n2 differ from this node's: sessionMaxMs",
    'log server log-2 acknowledges before it syncs: set sync_interval to always',
  ];
  await setup.look([other]);
  await setup.look([other]);
  assert.deepEqual([told, setup.sentences], [FIRST, FIRST]);
  isSynced = true;
  for (let looks = 0; looks < 60; looks++) await setup.look([{ ...other, settings: printsWith({}) }]);
  const SMALL = 'log server log-2 takes messages of 1000 bytes: set max_payload to 2000 or more';
  assert.deepEqual([told, setup.sentences], [[...FIRST, SMALL], [SMALL]]);
});

describe('a cluster', { skip, timeout: 300_000 }, () => {
  test('reports which settings of nodes differ, and which server acknowledges before it syncs', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-setup-'));
    const servers = await startLogServers(1, { showsSettings: true, syncInterval: '2m' });
    const nodes = new TestNodes(servers.servers.urls, 'setup');
    try {
      const first = await nodes.start('n1');
      const config = join(dir, 'token');
      writeFileSync(config, TOKEN, { mode: 0o600 });
      await nodes.start('n2', { sessionMaxMs: '900000000', operatorTokenFile: config });
      const WANTED =
        "degraded: settings of n2 differ from this node's: operatorToken, sessionMaxMs; " +
        'log server log-1 acknowledges before it syncs: set sync_interval to always';
      for (let tries = 0; ; tries++) {
        const { body } = await askOperator(first, '/v1/cluster');
        if (body['degraded'] === WANTED) break;
        assert.ok(tries < 600, `never: ${String(body['degraded'])}`);
        await wait(100);
      }
      const metrics = await (await fetch(new URL('/metrics', first.connection.baseUrl))).text();
      assert.match(metrics, /^bourse_cluster_differing 2$/m);
    } finally {
      await nodes.close();
      await servers.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
