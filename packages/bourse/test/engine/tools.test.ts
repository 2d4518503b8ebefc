import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Exchange } from '@bourse/core';
import { SqliteHistoryReader } from '../../../engine/src/history/sqlite/sqlite-history-reader.ts';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { reportOf } from '../../src/tools/ledger-check.ts';
import { takeSnapshot } from '../../src/tools/stopped-directory.ts';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const MAIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

function bourse(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** A stopped directory with some trading in it. */
async function traded(context: TestContext): Promise<{ dir: string; hash: string }> {
  const dir = makeDirectory(context);
  const engine = await openDirectoryEngine(dir);
  await Promise.all([...openMarket(), ...orderFlow(6, 300)].map((command) => submit(engine, command)));
  const hash = await engine.read((exchange) => exchange.hash());
  await engine.close();
  return { dir, hash };
}

describe('bourse ledger check', () => {
  test('reports zero for every currency of a directory that traded', async (context) => {
    const { dir } = await traded(context);
    const { code, out } = bourse('ledger', 'check', dir);
    assert.equal(code, 0);
    assert.match(out, /AAA +\d.*ok\nBBB +\d.*ok\nAll money adds up/);
    const report = JSON.parse(bourse('ledger', 'check', dir, '--json').out);
    assert.deepEqual(
      report.currencies.map(({ currency, sum }: { currency: string; sum: string }) => [currency, sum]),
      [
        ['AAA', '0'],
        ['BBB', '0'],
      ],
    );
    assert.ok(Number(report.currencies[1].hold) > 0 && Number(report.currencies[1].fees) > 0);
  });

  test('cannot run on a directory that is not a data directory, is in use, or is damaged', async (context) => {
    const empty = `${makeDirectory(context)}/nothing`;
    const { code, err } = bourse('ledger', 'check', empty);
    assert.equal(code, 2);
    assert.equal(bourse('snapshot', empty).code, 2);
    assert.match(err, /is not a data directory of Bourse/);
    assert.ok(!existsSync(empty), 'nothing is made');

    const { dir } = await traded(context);
    const engine = await openDirectoryEngine(dir);
    const used = bourse('ledger', 'check', dir);
    assert.deepEqual([used.code, /in use by another process/.test(used.err)], [4, true]);
    assert.equal(bourse('snapshot', dir).code, used.code, 'as any other command says it');
    await engine.close();

    for (const name of readdirSync(`${dir}/snapshots`)) writeFileSync(`${dir}/snapshots/${name}`, 'rubbish');
    const [segment] = readdirSync(`${dir}/log`);
    const bytes = readFileSync(`${dir}/log/${segment}`);
    bytes[200] ^= 1;
    writeFileSync(`${dir}/log/${segment}`, bytes);
    const damaged = bourse('ledger', 'check', dir);
    assert.equal(damaged.code, 4);
    assert.match(damaged.err, /\.log, byte \d+, record 1/);
  });

  test('and log verify detect a missing end from history or a snapshot, and cut nothing', async (context) => {
    const { dir } = await traded(context);
    const segment = `${dir}/log/${readdirSync(`${dir}/log`).at(-1)}`;
    const cut = readFileSync(segment).subarray(0, -7);
    const refused = (): void => {
      const check = bourse('ledger', 'check', dir);
      assert.deepEqual(
        [check.code, /it is incomplete, but history or a snapshot/.test(check.err)],
        [4, true],
      );
      const verify = bourse('log', 'verify', dir);
      assert.deepEqual([verify.code, /damage: .*it is incomplete, but history/.test(verify.out)], [4, true]);
      assert.ok(readFileSync(segment).equals(cut));
    };
    writeFileSync(segment, cut);
    refused();
    rmSync(`${dir}/snapshots`, { recursive: true });
    refused();
    for (const name of ['history.db-wal', 'history.db-shm']) rmSync(`${dir}/${name}`, { force: true });
    writeFileSync(`${dir}/history.db`, 'rubbish');
    const unknown = bourse('log', 'verify', dir);
    assert.equal(unknown.code, 0);
    assert.match(unknown.out, /note: .*a torn tail/);
    assert.match(
      unknown.out,
      /note: Cannot tell whether history has more records than the log: .*history\.db is damaged/,
    );
  });

  test('omits a removed currency', () => {
    const exchange = new Exchange();
    exchange.apply({ seq: 1, time: 1, commands: openMarket() });
    const codes = () => reportOf(exchange).currencies.map(({ currency }) => currency);
    const before = codes();
    const { number: _, ...terms } = exchange.reference.currencies[0];
    const added = { kind: 'add-currency', ...terms, code: 'MISTAKE' } as const;
    exchange.apply({ seq: 2, time: 2, commands: [added] });
    assert.deepEqual(codes(), [...before, 'MISTAKE']);
    exchange.apply({
      seq: 3,
      time: 3,
      commands: [{ kind: 'remove-currency', currency: before.length }, added],
    });
    assert.deepEqual(codes(), [...before, 'MISTAKE']);
  });

  test('detects money that was never posted', () => {
    const exchange = new Exchange();
    exchange.apply({ seq: 1, time: 1, commands: openMarket() });
    assert.ok(reportOf(exchange).isClean);
    // One unit more in one account than was ever posted.
    exchange.balance = (user, account, currency) => {
      const balance = Exchange.prototype.balance.call(exchange, user, account, currency);
      const isWrong = user === 0 && account === 'trade' && currency === 0;
      return isWrong ? { ...balance, available: balance.available + 1n } : balance;
    };
    const { isClean, currencies } = reportOf(exchange);
    assert.equal(isClean, false);
    assert.equal(currencies.filter(({ isZero }) => !isZero).length, 1);
  });
});

describe('bourse snapshot', () => {
  test('writes the state of the log, and the next start begins there', async (context) => {
    const { dir, hash } = await traded(context);
    for (const name of readdirSync(`${dir}/snapshots`)) writeFileSync(`${dir}/snapshots/${name}`, 'rubbish');
    const { code, out, err } = bourse('snapshot', dir, '--json');
    assert.equal(code, 0, err);
    assert.match(err, /is truncated; there is no older one, so the log is replayed from its first record/);
    const taken = JSON.parse(out);
    assert.equal(taken.hash, hash);
    const again = await openDirectoryEngine(dir);
    assert.equal(again.start.snapshotSeq, taken.seq);
    assert.equal(again.start.commands, 0);
    await again.close();
  });

  const listeners = { onWarning: () => undefined, onProgress: () => undefined };

  test('removes no segment of the log and no row of history, however old', async (context) => {
    const dir = makeDirectory(context);
    // Traded half a year ago and today, by a service that keeps everything.
    for (const [run, ageMs] of [180 * 86_400_000, 0].entries()) {
      const clock = { ...nodeClock, now: () => nodeClock.now() - ageMs };
      const kept = { clock, segmentBytes: 4096, keepSegments: true };
      const engine = await openDirectoryEngine(dir, kept, { retentionMs: 36_500 * 86_400_000 });
      const commands = [...(run === 0 ? openMarket() : []), ...orderFlow(6 + run, 100)];
      for (const command of commands) await submit(engine, command);
      await engine.close();
    }
    const found = () => {
      const history = new SqliteHistoryReader(`${dir}/history.db`);
      const rows = [0, 1].flatMap((user) => [
        history.countOrders({ user }),
        history.countFills({ user }),
        history.countLedger({ user }),
      ]);
      history.close();
      return { segments: readdirSync(`${dir}/log`), rows };
    };
    const before = found();
    assert.ok(before.segments.length > 3 && before.rows.every((count) => count > 0));
    await takeSnapshot(dir, listeners);
    assert.deepEqual(found(), before);
    await takeSnapshot(dir, listeners);
    assert.deepEqual(found(), before);
  });

  test('appends nothing to the log, although an order has expired since', async (context) => {
    const dir = makeDirectory(context);
    const clock = { ...nodeClock, now: () => nodeClock.now() - 86_400_000 };
    const engine = await openDirectoryEngine(dir, { clock });
    for (const command of openMarket()) await submit(engine, command);
    const order = { symbol: 0, side: 'buy', type: 'limit', price: 1000, size: 100 } as const;
    const expiring = { timeInForce: 'GTT', cancelAfterSec: 60 } as const;
    await submit(engine, { kind: 'place-order', user: 0, ...order, ...expiring });
    const { seq } = engine.health;
    const due = await engine.read(({ nextDue }) => nextDue);
    await engine.close();
    assert.ok(due < nodeClock.now());
    assert.equal((await takeSnapshot(dir, listeners)).seq, seq);
    const again = await openDirectoryEngine(dir, { clock });
    await again.close();
    assert.equal(again.start.seq, seq);
  });

  test('gives the same result when run twice', async (context) => {
    const { dir } = await traded(context);
    assert.deepEqual(await takeSnapshot(dir, listeners), await takeSnapshot(dir, listeners));
  });
});
