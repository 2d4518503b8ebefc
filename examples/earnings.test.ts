// Every example that starts its own sandbox ends without an error and prints its earnings.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Connection, connect } from '@bourse/testing';

const root = join(import.meta.dirname, '..');
const bourse = join(root, 'packages/bourse/bin/bourse.mjs');

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: root, timeout: 300_000, maxBuffer: 2 ** 28, env: { ...process.env, ...env } };
  return (await promisify(execFile)(command, args, options)).stdout;
}
const example = (name: string, ...args: string[]) => run(process.execPath, [join('examples', name), ...args]);

/** Minutes of the committed day (trades-of-a-day.csv) that are simulated again and compared. */
const MINUTES_COMPARED = 2;
const EARNED = String.raw`fees \d+\.\d\d USDT, earned -?\d+\.\d\d USDT`;

test('the market maker trades, and prints its earnings after its report', async () => {
  const output = await example('maker-bot.ts', 'wild', '0.02');
  assert.match(output, new RegExp(`^}\\n[1-9]\\d* fills, ${EARNED}$`, 'm'));
});

test('the grid bot trades, and prints its earnings', async () => {
  assert.match(await example('grid-bot.ts', 'wild', '0.02'), new RegExp(`^[1-9]\\d* fills, ${EARNED}$`, 'm'));
});

test('the arbitrageur finds a profitable round, and prints its earnings', async () => {
  // Simulated time and a fixed seed: the same rounds on every run.
  const output = await example('arbitrage-bot.ts', 'wild', '0.02', '3');
  assert.match(output, new RegExp(`^[1-9]\\d* rounds, [1-9]\\d* fills, ${EARNED}$`, 'm'));
});

test('the Python bot trades, and prints its earnings', {
  skip: spawnSync('python3', ['--version']).status !== 0 && 'python3 is not installed',
}, async () => {
  const output = await run('python3', ['examples/bot-python.py', 'wild', '0.02'], {
    PYTHONPATH: join(root, 'packages/testing/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    BOURSE_COMMAND: `'${process.execPath}' '${bourse}'`,
  });
  assert.match(output, new RegExp(`^[1-9]\\d* fills, ${EARNED}$`, 'm'));
});

test('the game economy: scarce ore becomes dearer than wood, and no coin is created', async () => {
  const output = await example('game-economy.ts');
  const [, wood, ore] = /^day 7: wood ([\d.]+), ore ([\d.]+) coins$/m.exec(output) ?? [];
  assert.ok(Number(ore) > Number(wood), output);
  const earned = Array.from(output.matchAll(/earned (-?[\d.]+) coins/g), ([, coins]) => Number(coins));
  assert.equal(earned.length, 4, output);
  // Trades move coins between the players; only fees leave.
  const sum = earned.reduce((all, coins) => all + coins, 0);
  assert.ok(sum <= 0 && sum > -5, `${sum}`);
});

test('three stylised facts of a day, each far from a random order', async () => {
  const output = await example('stylised-facts.ts');
  const figure = (name: string): number[] => {
    const [line = ''] = new RegExp(`^${name}: .*$`, 'm').exec(output) ?? [];
    return Array.from(line.matchAll(/-?\d+\.\d+/g), ([text]) => Number(text));
  };
  const [kurtosis = 0] = figure('fat tails');
  const [direction = 1, directionByChance = 0] = figure('no memory of direction');
  const [size = 0, sizeByChance = 1] = figure('memory of size');
  // A normal distribution has 0 with a standard error of 0.13 over 1439 returns.
  assert.ok(kurtosis > 1, output);
  assert.ok(Math.abs(direction) < 2 * directionByChance, output);
  assert.ok(size > 3 * sizeByChance, output);
});

test('the committed day of the stylised facts begins as its seed gives it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-facts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const data = join(folder, 'data');
  const options = ['--port', '0', '--clock', 'manual', '--seed', '3', '--data', data, '--json'];
  const child = spawn(process.execPath, [bourse, 'start', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  await connect(JSON.parse(line) as Connection).clock.advance(MINUTES_COMPARED * 60_000 - 1);
  child.kill('SIGTERM');
  await ended;
  const exported = await run(process.execPath, [bourse, 'export', data, 'trades', '--symbol', 'BTC-USDT']);
  const lines = lastOfEachMinute(exported);
  const file = readFileSync(join(root, 'examples/trades-of-a-day.csv'), 'utf8');
  assert.equal(lines.length, MINUTES_COMPARED + 1);
  assert.equal(file.split('\n').slice(0, lines.length).join('\n'), lines.join('\n'));
});

/** Including the header line. */
function lastOfEachMinute(exported: string): string[] {
  const [head = '', ...rows] = exported.trim().split('\n');
  const at = head.split(',').indexOf('timestamp');
  const last = new Map(rows.map((row) => [Math.floor(Number(row.split(',')[at]) / 6e7), row]));
  return [head, ...last.values()];
}
