/** Messages of the command line: help, hints, times, progress. */

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { loadCallFields } from '../../../sandbox/src/control/call-fields.ts';
import { showStatus, withProgress, wrapText } from '../../src/cli/output.ts';
import { SANDBOX_CALLS } from '../../src/cli/sandbox.ts';
import { SETTING_NAMES, schemaOf } from '../../src/config/settings.ts';
import { flagOf } from '../../src/config/words.ts';
import { openFor } from './exchange.ts';
import { run } from './process.ts';

/** The width of help without a terminal. */
const WIDTH = 80;
const SOURCES = fileURLToPath(new URL('../../src/cli', import.meta.url));
const optionsIn = (help: string): string[] =>
  Array.from(help.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm), ([, flag]) => flag!);

describe('help', () => {
  test('of start has ten options and fits on a screen; --help-all has every setting', async () => {
    const { out } = await run(['start', '--help']);
    assert.deepEqual(
      optionsIn(out)
        .filter((flag) => !flag.startsWith('--help'))
        .toSorted(),
      [
        '--clock',
        '--config',
        '--config-out',
        '--data',
        '--json',
        '--market',
        '--port',
        '--quiet',
        '--seed',
        '--venue',
      ],
    );
    assert.ok(out.split('\n').length <= 60, out);
    const all = optionsIn((await run(['start', '--help-all'])).out);
    const missing = SETTING_NAMES.filter((name) => !schemaOf(name).secret && !all.includes(flagOf(name)));
    assert.deepEqual(missing, []);
  });

  test('fits the width of the terminal, without breaking examples', async () => {
    for (const args of [['start'], ['people'], ['sandbox', 'faults', 'add'], ['log', 'dump']]) {
      const { out } = await run([...args, '--help']);
      const long = out.split('\n').filter((line) => line.length > WIDTH);
      assert.deepEqual(long, [], args.join(' '));
    }
    // A child for each of the 180 commands would take too long; examples are lines of the sources.
    const examples = readdirSync(SOURCES).flatMap((file) =>
      readFileSync(join(SOURCES, file), 'utf8')
        .split('\n')
        .filter((line) => /^ {2}(bourse |[A-Z_]+=.*bourse|\{"| ")/.test(line)),
    );
    assert.ok(examples.length > 50, `${examples.length} examples`);
    assert.deepEqual(
      examples.filter((line) => line.replaceAll('\\\\', '\\').length > WIDTH),
      [],
    );
    assert.equal(wrapText('one two three\n  four five six', 7), 'one two\nthree\n  four five six');
    const table = wrapText(`  name  ${'one two three four five'}`, 24);
    assert.equal(table, '  name  one two three\n        four five');
  });

  test('of a sandbox call names its fields, and that of a fault every effect', async () => {
    const { calls, effects } = await loadCallFields();
    /** Without the breaks of its second column. */
    const helpOf = async (...words: string[]) =>
      (await run(['sandbox', ...words, '--help'])).out.replaceAll(/\n {8,}/g, ' ');
    const out = await helpOf('faults', 'add');
    for (const [kind, fields] of effects) {
      const line = out.split('\n').find((each) => each.startsWith(`  ${kind} `) || each === `  ${kind}`);
      assert.ok(line !== undefined, kind);
      for (const { name } of fields) assert.ok(line.includes(`${name}=`), `${kind}: ${name}`);
    }
    for (const words of ['market set', 'expect', 'clock set']) {
      const help = await helpOf(...words.split(' '));
      const { id } = SANDBOX_CALLS.get(words)!;
      for (const { name, values } of calls.get(id)!) {
        assert.ok(help.includes(`  ${name} `), `${words}: ${name}`);
        assert.ok(help.includes(values.join(', ')), `${words}: ${values}`);
      }
    }
  });
});

test('--json prints one line for every command', async (t) => {
  const { connection } = await openFor(t);
  const url = ['--url', connection.baseUrl];
  for (const args of [
    ['config', '--json'],
    ['users', 'list', '--json', ...url],
    ['users', 'balances', 'alice', '--json', ...url],
    ['completion', 'bash', '--json'],
  ]) {
    const { code, out, err } = await run(args);
    assert.equal(code, 0, err);
    assert.equal(out.indexOf('\n'), out.length - 1, args.join(' '));
    JSON.parse(out);
  }
});

test('every command reports a misspelt variable and suggests the right one', async () => {
  const { code, err } = await run(['config', '--json'], { BOURSE_MARKT: 'quiet' });
  assert.deepEqual([code, err], [0, 'BOURSE_MARKT: no such setting, ignored; did you mean BOURSE_MARKET?\n']);
});

test('a start on a port in use leaves nothing behind', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dir = makeDirectory(t);
  const { code, err } = await run(['start', '--port', String(port), '--data', `${dir}/new/data`]);
  assert.equal(code, 2);
  assert.match(err, /is in use by another program/);
  assert.ok(!existsSync(`${dir}/new`), 'the data directory is still there');
});

test('a server at the address that is not an exchange is reported in plain words', async (t) => {
  const server = createHttpServer((_, response) => response.writeHead(404).end('<html>')).listen(0);
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const other = await run(['users', 'list', '--url', `http://127.0.0.1:${port}`]);
  assert.match(other.err, /is not a Bourse exchange.*Check the address/);
  const nobody = await run(['users', 'list', '--url', 'http://127.0.0.1:9']);
  assert.match(
    nobody.err,
    /^No response from http:\/\/127\.0\.0\.1:9: nothing listens there\. Is the exchange running\?/,
  );
});

describe('progress', () => {
  const streamOf = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, written, write: (text: string) => written.push(text) };
  };

  test('is shown at a terminal from the first second on, and erased at the end', async () => {
    const stream = streamOf(true);
    const { promise, resolve } = Promise.withResolvers<number>();
    let now = 1e9;
    const due: (() => void)[] = [];
    const clock = {
      elapsed: () => now,
      after: (_: number, action: () => void) => (due.push(action), () => undefined),
    };
    const done = withProgress('copying', promise, stream, clock);
    assert.deepEqual(stream.written, []);
    now += 1000;
    due.pop()!();
    assert.deepEqual(stream.written, ['\r\x1b[Kcopying: 1 s']);
    resolve(7);
    assert.equal(await done, 7);
    assert.equal(stream.written.at(-1), '\r\x1b[K');
  });

  test('is not shown to programs, which get only the messages of the work itself', async () => {
    const stream = streamOf(false);
    assert.equal(await withProgress('copying', Promise.resolve(7), stream), 7);
    showStatus('recovering: 5 %', stream);
    assert.deepEqual(stream.written, ['recovering: 5 %\n']);
  });
});
