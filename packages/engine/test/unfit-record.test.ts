/** A record that makes the core throw: at the end of the log it is set aside, anywhere else it stops the start. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { type Command, Exchange, type LogRecord, RULES_VERSION } from '@bourse/core';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { openFileStorage } from '../src/file-storage.ts';
import { LogDamaged } from '../src/log/command-log.ts';
import { nodeDisk } from '../src/io/disk.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const POISON: Command = order(0, 'buy', 1000, 1, { clientId: 'poison' });
const HARMLESS: Command = order(0, 'buy', 1000, 1, { clientId: 'harmless' });

/** The core throws at every record with the poison, after a change of state. */
function poison(context: TestContext): void {
  const { apply } = Exchange.prototype;
  context.mock.method(Exchange.prototype, 'apply', function (this: Exchange, record: LogRecord) {
    const applied = apply.call(this, record);
    if (record.commands.some((command) => (command as { clientId?: string }).clientId === 'poison')) {
      throw new RangeError('too many arguments');
    }
    return applied;
  });
}

/** A directory whose history is complete, followed by records that a process left when it ended. */
async function directoryWith(
  context: TestContext,
  ...left: Command[][]
): Promise<{ dir: string; history: MemoryHistory; seq: number; hash: string }> {
  const dir = makeDirectory(context);
  const history = new MemoryHistory();
  const engine = await openTestEngine(dir, history);
  const commands = [...openMarket(), ...orderFlow(3, 50)];
  await Promise.all(commands.map((command) => submit(engine, command)));
  const hash = await engine.read((exchange) => exchange.hash());
  await engine.close();
  const { log } = await openFileStorage({ disk: nodeDisk, dir, checkpoint: 0 });
  const seq = log.lastSeq;
  for (const each of left) {
    const time = log.lastTime + 1;
    await log.append({ seq: log.lastSeq + 1, time, rules: RULES_VERSION, commands: each }).durable;
  }
  await log.close();
  return { dir, history, seq, hash };
}

const asides = (dir: string) => readdirSync(`${dir}/log`).filter((name) => name.includes('.aside'));

describe('promise 19: a record that cannot be applied', () => {
  test('at the end of the log is copied aside, cut off and reported, and the exchange continues', async (context) => {
    const { dir, history, seq, hash } = await directoryWith(context, [POISON]);
    poison(context);
    const alarms: string[] = [];
    const engine = await openTestEngine(dir, history, { onAlarm: (sentence) => alarms.push(sentence) });
    assert.equal(engine.health.seq, seq);
    assert.equal(await engine.read((exchange) => exchange.hash()), hash, 'nothing of it is left');
    assert.equal(alarms.length, 1);
    assert.match(alarms[0], new RegExp(`^Record ${seq + 1} .* cannot be applied: too many arguments`));
    const [aside] = asides(dir);
    assert.ok(alarms[0].includes(`${dir}/log/${aside}`));
    assert.ok(readFileSync(`${dir}/log/${aside}`).includes('poison'));
    const { outcome, seq: next } = await submit(engine, HARMLESS);
    assert.deepEqual([outcome.kind, next], ['order', seq + 1]);
    await engine.close();
    const again = await openTestEngine(dir, history);
    assert.equal(again.health.seq, seq + 1, 'the log goes on where it was cut');
    await again.close();
  });

  test('for the second time at the same position is copied beside the first', async (context) => {
    const { dir, history, seq } = await directoryWith(context, [POISON]);
    poison(context);
    await (await openTestEngine(dir, history)).close();
    const { log } = await openFileStorage({ disk: nodeDisk, dir, checkpoint: 0 });
    const time = log.lastTime + 1;
    await log.append({ seq: seq + 1, time, rules: RULES_VERSION, commands: [HARMLESS, POISON] }).durable;
    await log.close();
    await (await openTestEngine(dir, history)).close();
    assert.equal(asides(dir).length, 2);
  });

  test('before the last one stops the start with a message, and changes nothing', async (context) => {
    const { dir, history, seq } = await directoryWith(context, [POISON], [HARMLESS]);
    poison(context);
    await assert.rejects(openTestEngine(dir, history), (error) => {
      assert.ok(error instanceof Error && error.name === 'RecordUnfit');
      assert.match(error.message, new RegExp(`Record ${seq + 1} .*Records up to ${seq + 2} follow it`));
      return true;
    });
    assert.deepEqual(asides(dir), []);
    const { log } = await openFileStorage({ disk: nodeDisk, dir, checkpoint: 0 });
    assert.equal(log.lastSeq, seq + 2);
    await log.close();
  });

  test('that history has was applied once, and stops the start', async (context) => {
    const { dir, history, seq } = await directoryWith(context, [POISON]);
    // As after a start with another version, which could apply it.
    history.checkpoint = seq + 1;
    poison(context);
    await assert.rejects(openTestEngine(dir, history), { name: 'RecordUnfit' });
    assert.deepEqual(asides(dir), []);
  });

  test('that a snapshot has, though a damaged one, was applied once, and stops the start', async (context) => {
    const { dir, history, seq } = await directoryWith(context, [POISON]);
    const snapshots = `${dir}/snapshots`;
    const file = await nodeDisk.open(`${snapshots}/${String(seq + 1).padStart(20, '0')}.snapshot`, 'create');
    file.write(0, new Uint8Array(100));
    await file.close();
    poison(context);
    await assert.rejects(openTestEngine(dir, history), { name: 'RecordUnfit' });
    assert.deepEqual(asides(dir), []);
  });

  test('is not a damaged one: that still stops the start', async (context) => {
    const { dir, history } = await directoryWith(context, [HARMLESS]);
    const [name] = readdirSync(`${dir}/log`);
    const file = await nodeDisk.open(`${dir}/log/${name}`, 'write');
    const last = (await file.size()) - 1;
    const [byte] = readFileSync(`${dir}/log/${name}`).subarray(last);
    file.write(last, Uint8Array.of(byte ^ 0xff));
    await file.close();
    await assert.rejects(openTestEngine(dir, history), LogDamaged);
  });
});
