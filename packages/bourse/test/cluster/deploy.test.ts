/**
 * The programs that use the files of deploy/ accept them, if they are installed, and the files name only existing
 * settings.
 */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { findNatsServer } from '../../../../scripts/cluster/nats-server.ts';
import { operatorListenAddress } from '../../src/config/operator-listen.ts';
import { SECRET_FILE_NAMES, SETTING_NAMES } from '../../src/config/settings.ts';
import { envOf } from '../../src/config/words.ts';

const skip = await whySkipped();
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const inDeploy = (name: string): string => join(root, 'deploy', name);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const UNITS = ['bourse-node.service', 'nats-server.service'];

describe('deploy/', () => {
  test('compose publishes only the port of the proxy, none for operators, and its targets exist in the image file', () => {
    const text = readFileSync(inDeploy('compose.yaml'), 'utf8');
    assert.deepEqual(text.match(/ports:.*/g), ['ports: ["8080:8080"]']);
    assert.ok(text.indexOf('ports:') > text.indexOf('  proxy:'));
    assert.doesNotMatch(text, /BOURSE_OPERATOR_(REMOTE|LISTEN|PUBLIC_URL)/);
    const targets = [...text.matchAll(/target: ([a-z]+)/g)].map(([, target]) => target);
    const built = [...readFileSync(inDeploy('images.containerfile'), 'utf8').matchAll(/ AS ([a-z]+)$/gm)];
    assert.deepEqual(
      targets,
      built.map(([, target]) => target),
    );
    assert.equal(text.match(/healthcheck:/g)?.length, targets.length, 'each kind of service has one');
  });

  test('the command for operators in the compose file reaches the operators’ listener of a node', async (context) => {
    const text = readFileSync(inDeploy('compose.yaml'), 'utf8');
    const [, command] = /exec node-1 ([^`\n]+)/.exec(text)!;
    const [token] = /(?<=BOURSE_OPERATOR_TOKEN_FILE: ).+/.exec(text)!;
    const { port } = operatorListenAddress({ venue: true, port: 8080, operatorListen: '' }) as {
      port: number;
    };
    const dir = makeDirectory(context);
    writeFileSync(join(dir, 'token'), 'a-token\n');
    const asked: string[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push(`${url} ${headers.authorization}`);
      response.end('{"leader":"n1","nodes":[],"logServers":[]}');
    }).listen(0, '127.0.0.1');
    context.after(() => server.close());
    await once(server, 'listening');
    const here = command
      .replaceAll(token, join(dir, 'token'))
      .replaceAll(`:${port}`, `:${(server.address() as AddressInfo).port}`);
    // The Node that runs this, as the container has one on its path.
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
    const run = promisify(execFile)('sh', ['-c', here], { cwd: root, env: { PATH } });
    assert.match((await run).stdout, /^n1 leads\.$/m);
    assert.deepEqual(asked, ['/operator/v1/cluster Bearer a-token']);
  });

  test('systemd accepts the units', { skip }, async (context) => {
    if (!hasSystemd) return context.diagnostic('there is no systemd here to ask');
    const dir = makeDirectory(context);
    const binary = await findNatsServer();
    const paths = UNITS.map((name) => {
      const path = join(dir, basename(name));
      const unit = readFileSync(inDeploy(name), 'utf8');
      writeFileSync(path, unit.replaceAll('/usr/sbin/nats-server', binary).replaceAll('/opt/bourse', root));
      return path;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('every setting that they name exists', () => {
    const known = new Set([...SETTING_NAMES, ...SECRET_FILE_NAMES].map(envOf));
    for (const name of ['compose.yaml', 'make-credentials.sh', ...UNITS]) {
      const named = readFileSync(inDeploy(name), 'utf8').match(/BOURSE_[A-Z_]+/g) ?? [];
      assert.deepEqual(
        named.filter((each) => !known.has(each)),
        [],
        name,
      );
    }
  });
});
