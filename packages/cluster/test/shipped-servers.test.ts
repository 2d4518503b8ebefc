/**
 * The log servers as shipped in `deploy/`, with the credentials of its script: three real ones, each on its own
 * loopback address. Nobody gets in without credentials, on any port; with them a cluster works.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { connect, type ConnectionOptions } from '@nats-io/transport-node';
import { freePorts, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { findNatsServer } from '../../../scripts/cluster/nats-server.ts';
import { askServerSettings } from '../src/stream/server-state.ts';
import { connectTo } from '../src/stream/nats-link.ts';

const skip =
  process.platform === 'linux' ? await whySkipped() : 'only Linux has more than one loopback address';
const inDeploy = (name: string): string => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
const [CLIENTS, ROUTES, MONITORING] = [4222, 6222, 8222];
const NAMES = ['log-1', 'log-2', 'log-3'];
const READY_MS_MAX = 30_000;
const ANSWER_MS = 1500;
/** Their own network, so that they do not reach the servers of concurrent tests. */
const network = `127.${1 + (Math.floor(process.pid / 250) % 250)}.${process.pid % 250}`;
const HOSTS = NAMES.map((_, at) => `${network}.${at + 1}`);

let dir: string;
let binary: string;
const processes: ChildProcess[] = [];

const inDir = (...names: string[]): string => join(dir, ...names);

before(async (context) => {
  if (skip) return;
  dir = makeDirectory(context as Parameters<typeof makeDirectory>[0]);
  binary = await findNatsServer();
  const named = NAMES.map((name, at) => `${name}=${HOSTS[at]}`);
  execFileSync(inDeploy('make-credentials.sh'), [dir, ...named]);
  const shipped = readFileSync(inDeploy('nats-server.conf'), 'utf8');
  for (const [at, name] of NAMES.entries()) {
    const text = shipped
      .replaceAll('0.0.0.0', HOSTS[at])
      .replaceAll('/etc/nats', inDir(name))
      .replaceAll('/var/lib/nats', inDir(name, 'store'));
    writeFileSync(inDir(name, 'nats-server.conf'), text);
    start(name, ['--config', inDir(name, 'nats-server.conf')]);
  }
  process.once('exit', () => processes.forEach((each) => each.kill('SIGKILL')));
  for (const host of HOSTS) await listening(host, CLIENTS);
});
after(async () => {
  for (const each of processes) {
    const ended = each.exitCode === null ? once(each, 'exit') : null;
    each.kill('SIGKILL');
    await ended;
  }
});

function start(name: string, args: readonly string[]): void {
  const output = openSync(inDir(`${name}.log`), 'a');
  const env = { ...process.env, SERVER_NAME: name };
  processes.push(spawn(binary, args, { env, stdio: ['ignore', output, output] }));
}

async function listening(host: string, port: number): Promise<void> {
  for (let waited = 0; !(await isListening(host, port)); waited += 50) {
    if (waited > READY_MS_MAX) throw new Error(readFileSync(inDir('log-1.log'), 'utf8'));
    await wait(50);
  }
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** The response of a server to these bytes, without TLS; `refused` if it does not listen there. */
function answerOf(host: string, port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connectTcp(port, host, () => socket.write(bytes));
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (data) => (answer += data));
    socket.on('error', (error) => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') answer = 'refused';
    });
    socket.on('close', () => resolve(answer));
  });
}

/** As a client of NATS that does not check certificates: whether it gets in, and why not. */
async function clientAt(host: string, options: ConnectionOptions): Promise<string> {
  try {
    const connection = await connect({
      servers: `${host}:${CLIENTS}`,
      reconnect: false,
      timeout: 5000,
      ...options,
    });
    await connection.flush();
    await connection.close();
    return 'in';
  } catch (error) {
    return (error as Error).message;
  }
}

const ANY = { tls: { rejectUnauthorized: false } } as ConnectionOptions;

describe('the log servers of deploy/', { skip }, () => {
  test('reject clients without TLS, a user and a password', async () => {
    for (const host of HOSTS) {
      const plain = await answerOf(host, CLIENTS, 'CONNECT {"verbose":true}\r\nPING\r\n');
      assert.doesNotMatch(plain, /\+OK|PONG/);
      assert.match(await clientAt(host, ANY), /authorization/i);
      assert.match(await clientAt(host, { ...ANY, user: 'bourse', pass: 'guessed' }), /authorization/i);
      assert.notEqual(await clientAt(host, { tls: null }), 'in');
    }
  });

  test('reject routes without a certificate of their CA', async () => {
    await Promise.all(
      HOSTS.map(async (host) => {
        const plain = await answerOf(
          host,
          ROUTES,
          'CONNECT {"verbose":true,"name":"x","cluster":"bourse"}\r\nPING\r\n',
        );
        assert.doesNotMatch(plain, /\+OK|PONG/);
        assert.doesNotMatch(await overTls(host, ROUTES, 'PING\r\n'), /PONG/);
      }),
    );
  });

  for (const hasCertificate of [false, true]) {
    const what = hasCertificate ? 'a certificate and no password' : 'nothing';
    test(`a foreign server with ${what} does not join them`, async () => {
      const [clients, routes] = await freePorts(2);
      const own = inDir('log-1');
      const pem = (name: string): string => `"${own}/${name}.pem"`;
      const files = `cert_file: ${pem('cert')}, key_file: ${pem('key')}, ca_file: ${pem('ca')}`;
      const tls = hasCertificate ? `tls { ${files} }` : '';
      const url = `nats-route://${HOSTS[0]}:${ROUTES}`;
      const name = `rogue-${clients}`;
      const file = inDir(`${name}.conf`);
      writeFileSync(
        file,
        `server_name: ${name}\nlisten: 127.0.0.1:${clients}\ncluster { name: bourse, listen: 127.0.0.1:${routes}, ${tls}\nroutes: ["${url}"] }`,
      );
      start(name, ['--config', file]);
      await listening('127.0.0.1', clients);
      const rogue = await connect({ servers: `127.0.0.1:${clients}` });
      // It lists streams, the first step of an attacker who wants to create money.
      for (let tries = 0; tries < 5; tries++) {
        await assert.rejects(rogue.request('$JS.API.INFO', '', { timeout: 500 }));
        await wait(100);
      }
      await rogue.close();
      assert.match(readFileSync(inDir('log-1.log'), 'utf8'), /TLS|Authentication|Authorization/i);
    });
  }

  test('listen for clients and routes only: there is no monitoring', async () => {
    for (const [at, host] of HOSTS.entries()) {
      assert.equal(await answerOf(host, MONITORING, 'GET /varz HTTP/1.0\r\n\r\n'), 'refused');
      const log = readFileSync(inDir(`${NAMES[at]}.log`), 'utf8');
      const listeners = [...log.matchAll(/Listening for ([a-z]+ connections|.*monitor.*) on/g)].map(
        ([, what]) => what,
      );
      assert.deepEqual(listeners.toSorted(), ['client connections', 'route connections'], log);
    }
  });

  test('a node without their CA does not trust them, and reports it', async () => {
    const { BOURSE_CLUSTER: url } = credentials();
    const servers = url.split(',').map((each) => (each.includes('://') ? each : `tls://${each}`));
    await assert.rejects(
      connectTo({ servers, stream: 'bourse' }, 'n1'),
      /cannot be trusted .*--cluster-ca-file/,
    );
  });

  test('with the credentials of the script, a node can read the configuration of each server', async () => {
    const { BOURSE_CLUSTER: url } = credentials();
    const servers = url.split(',').map((each) => (each.includes('://') ? each : `tls://${each}`));
    const connection = await connectTo({ servers, stream: 'bourse', caFile: inDir('ca.pem') }, 'n1');
    try {
      const isSynced = true;
      const messageBytesMax = 8 << 20;
      const expected = NAMES.map((name) => ({ name, isSynced, messageBytesMax }));
      for (let tries = 0; tries < 30; tries++) {
        const seen = await askServerSettings(connection);
        if (seen.length === NAMES.length) return assert.deepEqual(seen, expected);
      }
      assert.fail('not all of them answer');
    } finally {
      await connection.close();
    }
  });

  test('with the credentials of the script, a cluster works', async () => {
    const { BOURSE_CLUSTER: url } = credentials();
    const nodes = new TestNodes(url.split(','), 'bourse');
    try {
      const flags = { clusterCaFile: inDir('ca.pem') };
      const all = [await nodes.start('n1', flags), await nodes.start('n2', flags)];
      const order = {
        symbol: 'BTC-USDT',
        side: 'buy',
        type: 'limit',
        price: '100',
        size: '0.01',
        clientOid: 'x',
      };
      const placed = await new Client(all[1].connection.baseUrl, 'alice').post('/api/v1/hf/orders', order);
      assert.equal(placed.status, 200, placed.text);
      for (const node of all) {
        const { body } = await askOperator(node, '/v1/cluster');
        assert.equal((body['logServers'] as unknown[]).length, 3);
        assert.equal((body['nodes'] as unknown[]).length, 2);
        assert.equal(body['degraded'], null);
      }
    } finally {
      await nodes.close();
    }
  });
});

function credentials(): { BOURSE_CLUSTER: string } {
  const [, BOURSE_CLUSTER] = /^BOURSE_CLUSTER=(.*)$/m.exec(readFileSync(inDir('cluster.env'), 'utf8'))!;
  return { BOURSE_CLUSTER };
}

/** The response over TLS to a client without a certificate. NATS sends a line before TLS begins. */
function overTls(host: string, port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connectTcp(port, host);
    socket.once('data', () => {
      const secure = connectTls({ socket, rejectUnauthorized: false }, () => secure.write(bytes));
      secure.on('data', (data) => (answer += data));
      secure.on('error', (error) => (answer += ` ${error.message}`));
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
