/** Nodes of one exchange, in one process, with a real log server. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { hashBytes } from '@bourse/core';
import { connect } from '@nats-io/transport-node';
import { checkKeyStore } from '@bourse/test-kit/contracts.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { appCode, EMAIL, IdentitySandbox, PASSWORD } from '@bourse/test-kit/identity.ts';
import { MailServer } from '@bourse/test-kit/identity/mail-server.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client, credentials, sign } from '@bourse/test-kit/server.ts';
import { WebSocket } from 'ws';
import { KeyStream } from '../../../cluster/src/states/key-stream.ts';
import type { BackupContents } from '../../../cluster/src/stream/stream-backup.ts';
import { loadSettings } from '../../src/config/load.ts';
import { copyCluster } from '../../src/startup/cluster-stream.ts';
import { findShared } from '../../../engine/src/io/files.ts';
import { SANDBOX_MOUNT } from '../../../sandbox/src/control/call-fields.ts';
import { CONTROL_ROUTES } from '../../../sandbox/src/control/plugin.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '100', size: '0.01' };

let servers: TestLogServers;
let count = 0;

before(async () => {
  if (!skip) servers = await startLogServers(1);
});
after(async () => {
  if (!skip) await servers.close();
});

const newNodes = (): TestNodes => new TestNodes(servers.servers.urls, `nodes-${++count}`);
const clientOf = ({ connection }: RunningExchange, name = 'alice'): Client =>
  new Client(connection.baseUrl, name);

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return;
    await wait(50);
  }
  assert.fail(`never: ${what}`);
}

test('files of log servers are readable only by their owner', { skip }, async () => {
  assert.deepEqual(await findShared(servers.dir), []);
});

describe('nodes of a cluster', { skip }, () => {
  test('all nodes are one exchange: orders and reads through any node, equal digests, and a leader that can be chosen', async () => {
    const nodes = newNodes();
    try {
      const all = [await nodes.start('n1')];
      all.push(...(await Promise.all(['n2', 'n3'].map((name) => nodes.start(name)))));
      for (const [at, node] of all.entries()) {
        const placed = await clientOf(node).post(ORDERS, { ...ORDER, clientOid: `oid-${at}` });
        assert.equal(placed.status, 200, placed.text);
        const { orderId } = placed.json.data as { orderId: string };
        const own = await clientOf(node).get(`${ORDERS}/${orderId}?symbol=BTC-USDT`);
        assert.equal((own.json.data as { clientOid: string }).clientOid, `oid-${at}`);
        const seq = placed.headers.get('x-bourse-seq')!;
        assert.match(seq, /^[0-9]+$/);
        for (const other of all) {
          const path = `${ORDERS}/${orderId}?symbol=BTC-USDT`;
          const seen = await clientOf(other).send('GET', path, undefined, { 'x-bourse-seq': seq });
          assert.equal((seen.json.data as { id: string }).id, orderId);
        }
      }
      const ahead = await clientOf(all[0]).send('GET', '/api/v1/timestamp', undefined, {
        'x-bourse-seq': '999999999',
      });
      assert.equal(ahead.json.code === '200000', false, ahead.text);
      const wrong = await clientOf(all[0]).send('GET', '/api/v1/timestamp', undefined, {
        'x-bourse-seq': 'many',
      });
      assert.match(wrong.text, /x-bourse-seq must be a number/);

      assert.equal(
        (await askOperator(all[1], '/v1/cluster/leader', { name: 'n3', reason: 'test' })).status,
        200,
      );
      const { body } = await askOperator(all[0], '/v1/cluster');
      assert.equal(body['leader'], 'n3');
      const unknown = await askOperator(all[0], '/v1/cluster/leader', { name: 'n9', reason: 'test' });
      assert.deepEqual(
        [unknown.status, unknown.body['msg']],
        [404, "Unknown node 'n9'. Expected one of: n1, n2, n3."],
      );
      assert.equal((await clientOf(all[0]).post(ORDERS, { ...ORDER, clientOid: 'after' })).status, 200);
      await eventually('all nodes say the same', async () => {
        const rows = (await askOperator(all[0], '/v1/cluster')).body['nodes'] as Record<string, unknown>[];
        const [{ seq, digest }] = rows;
        return (
          rows.length === 3 &&
          digest !== '' &&
          rows.every((row) => row['seq'] === seq && row['digest'] === digest)
        );
      });
    } finally {
      await nodes.close();
    }
  });

  test('a feed token is valid at every node, and a request sent to one node cannot be replayed at another', async () => {
    const nodes = newNodes();
    try {
      const [first, second] = [await nodes.start('n1'), await nodes.start('n2')];
      const { json } = await clientOf(first).post('/api/v1/bullet-private');
      const { token } = json.data as { token: string };
      const socket = new WebSocket(`${second.connection.baseUrl.replace('http', 'ws')}/feed?token=${token}`);
      const [welcome] = (await once(socket, 'message')) as [Buffer];
      assert.equal((JSON.parse(welcome.toString()) as { type: string }).type, 'welcome');
      socket.terminate();

      const body = JSON.stringify({ ...ORDER, clientOid: 'once' });
      const headers = {
        ...sign(credentials('alice'), 'POST', ORDERS, body),
        'content-type': 'application/json',
      };
      const send = async ({ connection }: RunningExchange): Promise<string> =>
        (await fetch(connection.baseUrl + ORDERS, { method: 'POST', headers, body })).text();
      assert.match(await send(first), /"code":"200000"/);
      assert.doesNotMatch(await send(second), /"code":"200000"/);
    } finally {
      await nodes.close();
    }
  });

  test('a sandbox run as a cluster has no control API: every path of it gets 404 with the reason', async () => {
    const nodes = newNodes();
    try {
      const { connection } = await nodes.start('n1');
      assert.equal(connection.sandboxUrl, undefined);
      for (const { method, path } of CONTROL_ROUTES) {
        const reply = await fetch(connection.baseUrl + SANDBOX_MOUNT + path, {
          method,
          headers: { authorization: `Bearer ${connection.operatorToken}` },
        });
        assert.equal(reply.status, 404, `${method} ${path}`);
        assert.match(await reply.text(), /Unknown path \/sandbox\/v1/);
      }
    } finally {
      await nodes.close();
    }
  });

  test('the log servers pass the contract of key stores, and leave no trace of a removed key', async () => {
    const connection = await connect({ servers: servers.servers.urls });
    const open = () => KeyStream.open(connection, 'keys', 1);
    await checkKeyStore(await open(), open);
    await connection.close();
    const holds = (text: string): boolean => spawnSync('grep', ['-rqaF', text, servers.dir]).status === 0;
    assert.deepEqual([holds('key-of-p-1'), holds('key-of-p-2')], [true, false], 'overwritten on the disk');
  });

  test('people sign in at any node, a code works once at all of them, and guesses are counted together', async (context) => {
    const mails = new MailServer();
    const smtpUrl = `smtp://127.0.0.1:${await mails.listen()}`;
    const nodes = newNodes();
    try {
      const flags = { smtpUrl, trustedProxies: '127.0.0.1' };
      const all = [await nodes.start('n1', flags)];
      all.push(...(await Promise.all(['n2', 'n3'].map((name) => nodes.start(name, flags)))));
      const [one, two, three] = all.map((node) => new IdentitySandbox(node)) as [
        IdentitySandbox,
        IdentitySandbox,
        IdentitySandbox,
      ];
      const asked = await one.post('/sign-up', { email: EMAIL, password: PASSWORD });
      assert.equal(asked.status, 202, JSON.stringify(asked.json));
      const token = await mails.tokenOf('verify', EMAIL);
      const me = (await two.post('/verify', { token })).json;
      const again = await three.post('/verify', { token });
      assert.deepEqual([again.status, again.json.code], [400, 'token']);
      // Immediately, at a node that may not have the record yet.
      const { json } = await three.get('/session', me);
      assert.equal(json.person.email, EMAIL);
      const { secret } = (await one.post('/totp', {}, me)).json;
      const confirmed = await two.post('/totp/confirm', { code: appCode(secret, Date.now()) }, me);
      assert.equal(confirmed.status, 200, JSON.stringify(confirmed.json));
      const [recoveryCode] = confirmed.json.recoveryCodes;
      const said = await Promise.all([one, two, three].map((node) => node.signIn({ recoveryCode })));
      assert.deepEqual(said.map(({ status }) => status).toSorted(), [201, 401, 401]);

      // Guesses from one strange address: four are free, wherever they are made.
      const guess = (node: IdentitySandbox) =>
        node.send(
          'POST',
          '/sessions',
          { email: EMAIL, password: 'a wrong password' },
          { 'x-forwarded-for': '203.0.113.9' },
        );
      let guesses = 0;
      await eventually('a guess has to wait', async () => {
        const { status } = await guess([one, two, three][guesses++ % 3]!);
        return status === 429;
      });
      context.diagnostic(`${guesses} guesses`);
      await eventually('each node tells of failures at others', async () => {
        const { json: rows } = await one.get('/activity', me);
        const kinds = (rows as unknown as { kind: string }[]).map(({ kind }) => kind);
        return kinds.filter((kind) => kind === 'sign-in-failed').length >= 5;
      });
      const seen = async (node: IdentitySandbox): Promise<number> => {
        const { json: rows } = await node.get('/sessions', said.find(({ status }) => status === 201)!.json);
        return (rows as unknown as { id: string; lastSeen: number }[]).find(({ id }) => id === me.session.id)!
          .lastSeen;
      };
      const earlier = await seen(three);
      await wait(5);
      assert.equal((await one.get('/session', me)).status, 200);
      await eventually('a use is known at all nodes', async () => (await seen(three)) > earlier);

      // Ten mails an hour to one address, across all nodes. A later mail of the same node shows that none is still
      // queued.
      let victims = 0;
      await eventually('a node knows what another has sent', async () => {
        const email = `victim-${victims++}@example.test`;
        for (let at = 0; at < 10; at++) await one.post('/sign-up', { email, password: PASSWORD });
        await wait(100 * victims);
        for (const to of [email, `after-${email}`])
          await two.post('/sign-up', { email: to, password: PASSWORD });
        await mails.tokenOf('verify', `after-${email}`);
        const sentTo = (to: string) => mails.received.filter((mail) => mail.to === to).length;
        await eventually('all ten are there', async () => sentTo(email) >= 10);
        return sentTo(email) === 10;
      });

      const id = json.person.id;
      const keys = await connect({ servers: servers.servers.urls });
      const store = await KeyStream.open(keys, `nodes-${count}`, 1);
      assert.ok(await store.find(id));
      const totp = appCode(secret, Date.now() + 30_000);
      assert.equal((await two.post('/step-up', { totp }, me)).status, 200);
      const closed = await three.post('/close', {}, me);
      assert.equal(closed.status, 204, JSON.stringify(closed.json));
      assert.equal(await store.find(id), null, 'the key is erased before the answer');
      await keys.close();
      assert.equal((await one.get('/session', me)).json.code, 'no-session');
    } finally {
      await nodes.close();
      await mails.close();
    }
  });

  test('a rate limit holds across all nodes, within a tenth', async () => {
    const nodes = newNodes();
    try {
      const limits = { quotas: '{"spot":400}', poolWindowMs: '60000' };
      const all = [
        await nodes.start('n1', limits),
        await nodes.start('n2', limits),
        await nodes.start('n3', limits),
      ];
      let spent = 0;
      await Promise.all(
        all.map(async (node) => {
          const client = clientOf(node, 'bob');
          for (let i = 0; i < 300; i++) {
            const { status, headers } = await client.get(`${ORDERS}/active?symbol=BTC-USDT`);
            if (status === 200) spent += 2;
            else if (status === 429) return;
            else assert.fail(String(status));
            // Nodes are notified at once, so they know nearly everything. If a busy machine delays the messages, wait
            // for them.
            const known = 400 - Number(headers.get('gw-ratelimit-remaining'));
            if (spent - known > 20) await wait(250);
          }
        }),
      );
      assert.ok(spent >= 360 && spent <= 440, `${spent} of 400`);
    } finally {
      await nodes.close();
    }
  });

  test('all nodes take a snapshot after the same record, with the same hash', async () => {
    const nodes = newNodes();
    const few = { snapshotRecords: '10' };
    try {
      const all: RunningExchange[] = [];
      for (const name of ['n1', 'n2', 'n3']) all.push(await nodes.start(name, few));
      const snapshotsOf = (name: string): Map<string, string> =>
        new Map(nodes.files(name, 'snapshots').map(({ path, bytes }) => [basename(path), hashBytes(bytes)]));
      let orders = 0;
      await eventually('three have the same two', async () => {
        await clientOf(all[0]).post(ORDERS, { ...ORDER, clientOid: `more-${++orders}`, timeInForce: 'IOC' });
        const [one, two, three] = ['n1', 'n2', 'n3'].map(snapshotsOf);
        return one.size === 2 && isDeepStrictEqual(one, two) && isDeepStrictEqual(one, three);
      });
      for (const { engine } of all) assert.equal(engine.stopReason, null);
    } finally {
      await nodes.close();
    }
  });

  test('a new node starts from a snapshot with its history when older records were removed', async (context) => {
    const nodes = newNodes();
    const backups = makeDirectory(context);
    const logCopy = join(backups, 'newest');
    const few = { snapshotRecords: '30', logCopy };
    const stream = `nodes-${count}`;
    /** Takes as long as any other backup, while commands continue. */
    const backUp = async (name: string, copied = stream): Promise<void> => {
      const flags = { cluster: servers.servers.urls.join(','), clusterStream: copied, node: 'backup' };
      await copyCluster('backup', loadSettings({ flags, env: {} }).settings, join(backups, name));
      rmSync(logCopy, { force: true });
      symlinkSync(join(backups, name), logCopy);
    };
    const lines: string[] = [];
    const isSaid = (pattern: RegExp) => lines.some((line) => pattern.test(line));
    try {
      const first = await nodes.start('n1', few, (line) => void lines.push(line));
      const { json } = await clientOf(first).post(ORDERS, { ...ORDER, clientOid: 'old', timeInForce: 'IOC' });
      const { orderId } = json.data as { orderId: string };
      const connection = await connect({ servers: servers.servers.urls });
      const firstSeq = async (): Promise<number> => {
        const info = await connection.request(`$JS.API.STREAM.INFO.${stream}`, '{}');
        return info.json<{ state: { first_seq: number } }>().state.first_seq;
      };
      // Snapshots go to the store at their own pace: more orders do not make it quicker.
      let more = 0;
      const until = (what: string, isSo: () => Promise<boolean>) =>
        eventually(what, async () => {
          for (let i = 0; i < 20; i++) {
            await clientOf(first).post(ORDERS, { ...ORDER, clientOid: `more-${more++}`, timeInForce: 'IOC' });
          }
          return isSo();
        });
      await until('it says that there is no backup', async () =>
        isSaid(/newest has no whole backup: backup\.json is missing\. No record of the log is removed/),
      );
      await backUp('damaged');
      const path = join(logCopy, `${stream}.stream`);
      const bytes = readFileSync(path);
      bytes[bytes.length - 100]! ^= 1;
      writeFileSync(path, bytes);
      await until('it says that it is damaged', async () =>
        isSaid(/\.stream is damaged: it does not match its hash\. .*No record of the log is removed/),
      );
      const other = newNodes();
      await (await other.start('n1')).close();
      await backUp('of-another', `nodes-${count}`);
      await until('it says that it is another cluster’s', async () =>
        isSaid(/is a backup of the stream 'nodes-/),
      );
      const contents = join(logCopy, 'backup.json');
      writeFileSync(contents, readFileSync(contents, 'utf8').replaceAll(`nodes-${count}`, stream));
      await until('nor by its name', async () =>
        isSaid(/is a backup of another cluster with a stream of this name\. No record/),
      );
      await other.close();
      assert.equal(await firstSeq(), 1, 'nothing was in a backup, so nothing is given up');
      await backUp('good');
      const copied = (JSON.parse(readFileSync(contents, 'utf8')) as BackupContents).copies;
      const { lastMessage } = copied.find(({ name }) => name === stream)!;
      await until('records are given up', async () => (await firstSeq()) > 1);
      assert.ok((await firstSeq()) <= lastMessage + 1, 'and only those that are in the backup');
      await connection.close();
      const second = await nodes.start('n2', few);
      const found = await clientOf(second).get(`${ORDERS}/${orderId}?symbol=BTC-USDT`);
      assert.equal((found.json.data as { clientOid: string }).clientOid, 'old');
      const again = await clientOf(second).post(ORDERS, { ...ORDER, clientOid: 'old' });
      assert.equal(again.json.code === '200000', false);
      await nodes.stop('n1');
      await eventually('the new node leads', async () => {
        const { body } = await askOperator(second, '/v1/cluster');
        return body['leader'] === 'n2';
      });
      assert.equal((await clientOf(second).post(ORDERS, { ...ORDER, clientOid: 'new' })).status, 200);
      // It returns after more records were removed in its absence.
      const back = await nodes.start('n1', few);
      assert.equal((await clientOf(back).post(ORDERS, { ...ORDER, clientOid: 'back' })).status, 200);
    } finally {
      await nodes.close();
    }
  });
});
