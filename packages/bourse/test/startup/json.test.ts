/** Every command takes --json, and then prints one JSON value. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { open } from './exchange.ts';
import { run } from './process.ts';

/** The words that may follow each command, from the script that completes them. */
async function wordsByCommand(): Promise<Map<string, string[]>> {
  const { out } = await run(['completion', 'bash']);
  return new Map(
    Array.from(out.matchAll(/^ +'([^']*)'\) words='([^']*)' ;;$/gm), ([, path, words]) => [
      path,
      words.split(' '),
    ]),
  );
}

test('every command has the --json option', async () => {
  const commands = await wordsByCommand();
  const last = [...commands].filter(([, words]) => words.every((word) => word.startsWith('--')));
  assert.ok(last.length > 15, `${last.length} commands`);
  assert.deepEqual(
    last.filter(([, words]) => !words.includes('--json')).map(([path]) => path),
    [],
  );
});

describe('one JSON value is printed', () => {
  test('by the commands that need no service', async (t) => {
    const data = makeDirectory(t);
    await (await open({ data })).close();
    const commands = [
      ['config'],
      ['config', '--markdown'],
      ['completion', 'zsh'],
      ['ledger', 'check', data],
      ['snapshot', data],
      ['log', 'verify', data],
      ['log', 'dump', data],
      ['log', 'dump', data, '--order', '999999'],
      ['export', data, 'trades'],
      ['export', data, 'orders'],
    ];
    for (const args of commands) {
      const { code, out, err } = await run([...args, '--json']);
      assert.equal(code, 0, `${args.join(' ')}: ${err}`);
      assert.equal(typeof JSON.parse(out), 'object', args.join(' '));
    }
  });

  test('log dump: the same commands as one a line', async (t) => {
    const data = makeDirectory(t);
    await (await open({ data })).close();
    const { out } = await run(['log', 'dump', data]);
    const lines = out.trim().split('\n');
    assert.ok(lines.length > 10);
    assert.deepEqual(
      JSON.parse((await run(['log', 'dump', data, '--json'])).out),
      lines.map((line) => JSON.parse(line) as unknown),
    );
  });
});
