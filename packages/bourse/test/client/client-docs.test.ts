/** Runs the code of docs/client.md: its blocks one after another, and the bots whose output it shows. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { startWhole } from '@bourse/test-kit/server.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const RUN_MS_MAX = 120_000;
const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
const blocks = (kind: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'gms')), ([, text]) => text!);

async function run(file: string, url: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: root,
    timeout: RUN_MS_MAX,
    env: { ...process.env, BOURSE_URL: url },
  });
  return stdout;
}

describe('the page of the client', () => {
  let dir: string;
  let exchange: RunningExchange;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'bourse-client-docs-'));
    // Readers of the page run `npm start`, which has a market.
    exchange = await startWhole(join(dir, 'data'), { market: 'calm' });
  });
  const restartQuietly = async () => {
    await exchange.close();
    exchange = await startWhole(join(dir, 'quiet'), { market: 'quiet' });
  };
  afterEach(async () => {
    await exchange.close();
    rmSync(dir, { recursive: true, force: true });
  });

  for (const name of ['bot-client', 'bot-order-entry']) {
    test(`examples/${name}.ts prints what the page shows, even on a second run`, async () => {
      if (name === 'bot-client') {
        const amongAgents = run(join(root, `examples/${name}.ts`), exchange.connection.baseUrl);
        await assert.rejects(amongAgents, /npm start -- --market quiet/);
        await restartQuietly();
      }
      const [shown] = blocks(`text ${name}`);
      for (const _ of ['first', 'second']) {
        assert.equal(await run(join(root, `examples/${name}.ts`), exchange.connection.baseUrl), shown);
      }
    });
  }

  test('examples/bot-ccxt.mjs trades with the agents and prints what it earned', async () => {
    const lines = (await run(join(root, 'examples/bot-ccxt.mjs'), exchange.connection.baseUrl, '20'))
      .trim()
      .split('\n');
    assert.equal(lines[0], 'quoting BTC/USDT for 20 s');
    const number = String.raw`-?\d+(\.\d+)?`;
    const last = new RegExp(
      `^(\\d+) fills; position ${number} BTC at ${number}; fees ${number} USDT; earned ${number} USDT$`,
    );
    assert.match(lines.at(-1)!, last);
    // Their number depends on the agents; each is printed as it arrives.
    assert.equal(Number(last.exec(lines.at(-1)!)![1]), lines.length - 2);
  });

  test('examples/market-data.ts prints trades with the best prices, as the page of the feed shows', async () => {
    const file = join(root, 'examples/market-data.ts');
    const lines = (await run(file, exchange.connection.baseUrl, 'BTC-USDT', '3')).trim().split('\n');
    assert.equal(lines.length, 3);
    for (const line of lines) {
      assert.match(line, /^[\d-]+T[\d:.]+Z (buy|sell) [\d.]+ at [\d.]+, best [\d.]+ \/ [\d.]+$/);
    }
  });

  for (const path of ['docs/first-bot.md', 'docs/ccxt.md']) {
    test(`the blocks of ${path} run, one after another`, async () => {
      const text = readFileSync(join(root, path), 'utf8');
      const written = Array.from(text.matchAll(/^```js\n(.*?)^```/gms), ([, block]) => block!);
      // Beside the examples, because it imports ccxt by its name.
      const file = join(root, 'examples', `.page-${process.pid}.mjs`);
      writeFileSync(file, written.join('\n'));
      try {
        const lines = (await run(file, exchange.connection.baseUrl)).trim().split('\n');
        assert.ok(lines.length >= 2, lines.join('\n'));
      } finally {
        rmSync(file);
      }
    });
  }

  test('its blocks run, one after another', async () => {
    const written = blocks('ts');
    assert.ok(written.length >= 6);
    const name = '@bourse/client';
    // A file outside the repository does not find the package by its name.
    const text = written
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', exchange.connection.baseUrl)
      .replaceAll(`'${name}'`, `'${join(root, 'packages/client/src/index.ts')}'`);
    const file = join(dir, 'page.ts');
    writeFileSync(file, text);
    const lines = (await run(file, exchange.connection.baseUrl)).trim().split('\n');
    assert.deepEqual(lines.slice(0, 3), ['true 20000', 'open', '400100 Price increment invalid.']);
    assert.equal(lines.at(-1), 'open 4000');
  });
});
