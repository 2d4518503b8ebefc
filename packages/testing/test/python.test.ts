// The test kit for Python, from its wheel: the same methods as ours, a real exchange, pytest fixtures, and a complete
// clean-up.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { BourseClient } from '@bourse/client';
import { hasPython, packPython, PYTHON_FOLDER } from '../../../scripts/pack/python.mjs';
import { Exchange } from '../src/exchange.ts';
import type { Connection } from '../src/types.ts';

const root = join(import.meta.dirname, '../../..');
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'bourse-python-'));
after(() => rmSync(folder, { recursive: true }));
const site = join(folder, 'site');
const temporary = join(folder, 'temporary');

function python(args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync('python3', args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: {
      ...process.env,
      NO_COLOR: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: site,
      TMPDIR: temporary,
      BOURSE_COMMAND: `'${process.execPath}' '${join(root, 'packages/bourse/bin/bourse.mjs')}'`,
    },
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** As pip does where there is pip; unpacking is all that a pure wheel needs. */
function install(wheel: string): void {
  const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    '--no-deps',
    '--no-compile',
    '--target',
    site,
    wheel,
  ];
  python(hasPip ? pip : ['-m', 'zipfile', '-e', wheel, site]);
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const methodsOf = (prototype: object): string[] =>
  Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map(snake);

/** `users` is a property in both; `clock.read` is a method of a tool. */
function ownMethods(): string[] {
  const url = 'http://127.0.0.1:1';
  const connection = {
    baseUrl: url,
    compatUrl: url,
    sandboxUrl: url,
    operatorUrl: url,
    operatorToken: '',
    users: [],
  };
  const exchange = new Exchange(connection as unknown as Connection, async () => undefined);
  const tools = Object.entries(exchange).filter(([, value]) => value?.constructor?.name.endsWith('Tool'));
  return [
    ...methodsOf(Exchange.prototype),
    ...tools.flatMap(([name, tool]) =>
      methodsOf(Object.getPrototypeOf(tool) as object).map((method) => `${name}.${method}`),
    ),
    ...methodsOf(BourseClient.prototype).map((method) => `client.${method}`),
  ].toSorted();
}

/** Without what Python adds: it has no `http` beside the client, so `call` is a method there. */
const LIST_METHODS = `
import json
from bourse_testing import Client, Exchange
url = "http://127.0.0.1:1"
connection = dict(baseUrl=url, compatUrl=url, sandboxUrl=url, operatorUrl=url, operatorToken="", users=[])
of = lambda kind: [name for name in vars(kind) if not name.startswith("_")]
tools = [(name, type(tool)) for name, tool in vars(Exchange(connection, None)).items() if type(tool).__name__.endswith("Tool")]
print(json.dumps(sorted(
    of(Exchange)
    + [f"{name}.{method}" for name, tool in tools for method in of(tool)]
    + [f"client.{method}" for method in of(Client) if method != "call"]
)))`;

const DYING = `
import os, signal
from bourse_testing import start_exchange
exchange = start_exchange()
print(exchange.base_url, flush=True)
os.kill(os.getpid(), signal.SIGKILL)`;

describe('bourse-testing for Python', {
  skip: !(hasPython() && hasPytest) && 'there is no python3 with pytest',
}, () => {
  const built = hasPython() ? packPython(join(folder, 'dist')) : [];
  const [wheel = '', sdist = ''] = built;
  mkdirSync(temporary);
  if (wheel !== '' && hasPytest) install(wheel);

  test('is built twice with equal bytes, and with the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.deepEqual(
      built.map((path) => basename(path)),
      [`bourse_testing-${version}-py3-none-any.whl`, `bourse_testing-${version}.tar.gz`],
    );
    const hashes = (paths: readonly string[]): string[] =>
      paths.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));
    assert.deepEqual(hashes(packPython(join(folder, 'again'))), hashes(built));
  });

  test('the wheel lists every file with its hash, has types, and builds again from the sdist', () => {
    const check = `
import base64, hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
rows = [line.rsplit(",", 2) for line in wheel.read(record).decode().split()]
assert sorted(row[0] for row in rows) == sorted(wheel.namelist()), rows
for path, digest, size in rows:
    data = wheel.read(path)
    wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert path == record or (digest, size) == (f"sha256={wanted}", str(len(data))), path
assert "bourse_testing/py.typed" in wheel.namelist()`;
    python(['-c', check, wheel]);
    const unpacked = join(folder, 'unpacked');
    python(['-m', 'tarfile', '-e', sdist, unpacked]);
    const [name] = readdirSync(unpacked);
    python([join(unpacked, name!, 'build_backend.py'), join(folder, 'rebuilt')]);
    assert.deepEqual(readFileSync(join(folder, 'rebuilt', basename(wheel))), readFileSync(wheel));
  });

  test('has the methods of the test kit and of the client, with the names of Python', () => {
    assert.deepEqual(JSON.parse(python(['-c', LIST_METHODS])), ownMethods());
  });

  test('pytest with its fixtures, from the wheel, against a real exchange', () => {
    cpSync(join(root, PYTHON_FOLDER, 'test_kit.py'), join(folder, 'test_kit.py'));
    const output = python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_kit.py']);
    assert.match(output, /^\d+ passed/m);
    assert.doesNotMatch(output, /skipped|failed|error/);
    assert.deepEqual(
      readdirSync(temporary).filter((entry) => entry.startsWith('bourse-testing-')),
      [],
    );
  });

  test('a test process that is killed leaves no exchange behind', async () => {
    const { stdout } = spawnSync('python3', ['-c', DYING], {
      encoding: 'utf8',
      env: {
        ...process.env,
        PYTHONPATH: site,
        TMPDIR: temporary,
        BOURSE_COMMAND: `'${process.execPath}' '${join(root, 'packages/bourse/bin/bourse.mjs')}'`,
      },
    });
    assert.match(stdout, /^http/);
    const end = Date.now() + 120_000;
    const answers = (): Promise<boolean> =>
      fetch(stdout.trim()).then(
        () => true,
        () => false,
      );
    while (await answers()) {
      assert.ok(Date.now() < end, `${stdout} still answers`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(existsSync(temporary));
  });
});
