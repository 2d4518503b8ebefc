/** The files of deploy/ are taken by the programs they are for, as far as those are here, and name settings that there are. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { findNatsServer } from '../../../../scripts/cluster/nats-server.ts';
import { SECRET_FILE_NAMES, SETTING_NAMES } from '../../src/config/settings.ts';
import { envOf } from '../../src/config/words.ts';

const skip = await whySkipped();
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const inDeploy = (name: string): string => join(root, 'deploy', name);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const UNITS = ['bourse-node.service', 'nats-server.service'];

describe('deploy/', () => {
  test('compose publishes one port, the proxy’s, none of operators, and builds what its images have', () => {
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

  test('systemd takes the units', { skip }, async (context) => {
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

  test('every setting that they name is one', () => {
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
