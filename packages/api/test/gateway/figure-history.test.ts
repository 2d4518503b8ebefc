// The history of the exchange's figures: sampled, kept for a day and across a restart, with a gap for downtime.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { Metrics } from '../../src/gateway/http/metrics.ts';
import { FigureHistory } from '../../src/gateway/operator/figure-history.ts';
import { quantileMs } from '../../src/gateway/operator/figure-history.ts';

const MINUTE = 60_000;
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const newPath = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-figures-'));
  dirs.push(dir);
  return join(dir, 'figures.json');
};

interface Run {
  readonly history: FigureHistory;
  readonly metrics: Metrics;
  readonly warnings: string[];
}

/** Without a path nothing is stored. */
async function start(clock: ManualClock, path?: string): Promise<Run> {
  const metrics = new Metrics(clock);
  const warnings: string[] = [];
  const warn = (sentence: string): unknown => warnings.push(sentence);
  const history = new FigureHistory({ metrics, clock, warn, ...(path !== undefined && { path }) });
  await history.loaded;
  return { history, metrics, warnings };
}

test('rates are computed over the time between two samples', async () => {
  const clock = new ManualClock();
  const { history, metrics } = await start(clock, newPath());
  let seq = 100;
  metrics.gauge('bourse_log_seq', 'records', () => seq);
  const meter = metrics.meter('place-order', '/api');
  await clock.pass(2_000);
  assert.equal(history.samples('recent').length, 1);
  for (let at = 0; at < 30; at++) meter.count(200, 3);
  metrics.meter('list-orders', '/api').count(200, 900);
  seq = 140;
  await clock.pass(MINUTE);
  const sample = history.samples('day').at(-1)!;
  assert.equal(sample.orders, 0.5);
  assert.ok(sample.p50! > 2.5 && sample.p50! <= 5, String(sample.p50));
  assert.ok(sample.memory! > 1e6);
  const quiet = history.samples('recent').at(-1)!;
  assert.deepEqual([quiet.orders, quiet.p99], [0, null]);
  await history.close();
});

test('figures are kept for one day', async () => {
  const clock = new ManualClock();
  const { history } = await start(clock);
  for (let minute = 0; minute < 1_500; minute++) {
    clock.jump(MINUTE);
    clock.leap(2_000);
  }
  const day = history.samples('day');
  assert.equal(day.length, 1_440);
  assert.equal(history.samples('recent').length, 150);
  assert.equal(day.at(-1)!.time, clock.now());
  await history.close();
});

test('figures of the last day survive a restart, with a gap for the downtime; older ones are dropped', async () => {
  const path = newPath();
  const clock = new ManualClock();
  const before = await start(clock, path);
  await clock.pass(10 * MINUTE);
  const kept = before.history.samples('day');
  assert.equal(kept.length, 10);
  await before.history.close();
  assert.equal(clock.timers, 0);
  clock.jump(60 * MINUTE);
  const after = await start(clock, path);
  assert.deepEqual(after.history.samples('day'), kept);
  await clock.pass(MINUTE);
  const [last, next] = after.history.samples('day').slice(-2);
  assert.equal(next!.time! - last!.time!, 61 * MINUTE);
  await after.history.close();
  clock.jump(23 * 60 * MINUTE);
  const later = await start(clock, path);
  assert.ok(later.history.samples('day').length < 11);
  await later.history.close();
});

test('a damaged file gives a day without figures, and a file that cannot be written is reported once', async () => {
  const path = newPath();
  for (const text of ['', '{', '{"a":1}', '[null,{"time":"now"},{"time":1e15,"memory":"x"}]']) {
    writeFileSync(path, text);
    const { history } = await start(new ManualClock(), path);
    assert.deepEqual(history.samples('day'), [], text);
    await history.close();
    assert.equal(readFileSync(path, 'utf8'), text, 'nothing new, nothing written');
  }
  const clock = new ManualClock();
  const { history, warnings } = await start(clock, '/dev/null/figures.json');
  await clock.pass(11 * MINUTE);
  await settle();
  assert.equal(warnings.length, 1, warnings.join());
  assert.equal(history.samples('day').length, 11);
  await history.close();
});

test('a clock that is set back leaves no samples with later times', async () => {
  const clock = new ManualClock();
  const { history } = await start(clock, newPath());
  await clock.pass(5 * MINUTE);
  clock.jump(-3 * MINUTE);
  await clock.pass(2 * MINUTE);
  const times = history.samples('day').map(({ time }) => time!);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.ok(times.every((time) => time <= clock.now()));
  await history.close();
});

test('quantiles come from the buckets', () => {
  const counts = Array.from({ length: 14 }, () => 0);
  assert.equal(quantileMs(counts, 0.5), null);
  counts[1] = 10; // 0.5 to 1 ms
  assert.equal(quantileMs(counts, 0.5), 0.75);
  counts[13] = 1_000; // beyond 5 s
  assert.equal(quantileMs(counts, 0.99), 5_000);
});
