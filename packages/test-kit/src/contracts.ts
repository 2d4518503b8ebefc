/**
 * Contracts that every implementation of a store keeps: logs (files on the real disk, files on the lossy
 * one, the one in memory) and stores of people's keys.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogRecord } from '@bourse/core';
import {
  type CommandLog,
  LogBroken,
  LogConflict,
  LogFull,
  LogGone,
} from '../../engine/src/log/command-log.ts';

export interface LogUnderTest {
  readonly log: CommandLog;
  /** Whether the log may remove records after the first forty. */
  readonly givesUp: boolean;
  /** Closes the log and opens it again. */
  reopen(): Promise<CommandLog>;
}

/** A log that can be made to fail. */
export interface FrailLog extends LogUnderTest {
  /** Leaves no space for a record until `freeRoom`. */
  takeRoom(): void;
  freeRoom(): void;
  /** The next write or sync fails. */
  failWrite(): void;
  failSync(): void;
}

export function recordOf(seq: number, extra: Partial<LogRecord> = {}): LogRecord {
  const order = { kind: 'cancel-order', user: seq % 7, symbol: 1, order: seq * 3 } as const;
  const user = { kind: 'add-user', name: `user-${seq}` } as const;
  return { seq, time: 1000 + seq, rules: 1, commands: seq % 5 === 0 ? [] : [order, user], ...extra };
}

export async function readAll(
  log: Pick<CommandLog, 'read'>,
  from: number,
  through: number,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of log.read(from, through)) records.push(withoutUnset(record) as LogRecord);
  return records;
}

async function fill(log: CommandLog, through: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let seq = log.lastSeq + 1; seq <= through; seq++) {
    records.push(recordOf(seq));
    await log.append(recordOf(seq)).durable;
  }
  return records;
}

export function testLog(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`log contract: ${name}`, () => {
    test('a new log is empty', async () => {
      const { log } = await make();
      assert.deepEqual([log.lastSeq, log.lastTime, log.firstSeq, log.bytesAppended], [0, 0, 1, 0]);
      assert.deepEqual(await readAll(log, 1, 10), []);
      await log.close();
    });

    test('appended records are read back, from any sequence to any other', async () => {
      const { log } = await make();
      const records = await fill(log, 40);
      assert.equal(log.bytesRead, 0);
      assert.deepEqual(await readAll(log, 1, 40), records);
      assert.equal(log.bytesRead, log.bytesAppended);
      assert.deepEqual(await readAll(log, 17, 23), records.slice(16, 23));
      assert.deepEqual(await readAll(log, 24, 24), records.slice(23, 24));
      assert.deepEqual(await readAll(log, 39, 1000), records.slice(38));
      assert.deepEqual(await readAll(log, 41, 50), []);
      assert.deepEqual([log.lastSeq, log.lastTime, log.firstSeq], [40, 1040, 1]);
      assert.ok(log.bytesAppended > 40 * 50);
      await log.close();
    });

    test('a record counts as the last one only when it is durable', async () => {
      const { log } = await make();
      const { durable } = log.append(recordOf(1));
      assert.equal(log.lastSeq, 0);
      assert.deepEqual(await readAll(log, 1, 1), []);
      await durable;
      assert.equal(log.lastSeq, 1);
      await log.close();
    });

    test('reading continues while records are appended', async () => {
      const { log } = await make();
      const records = await fill(log, 5);
      const seen: LogRecord[] = [];
      for (let round = 0; round < 10; round++) {
        seen.push(...(await readAll(log, seen.length + 1, log.lastSeq)));
        records.push(...(await fill(log, log.lastSeq + 3)));
      }
      assert.deepEqual(seen, records.slice(0, seen.length));
      assert.equal(seen.length, 32);
      await log.close();
    });

    test('a record that does not follow the last one is a conflict, and nothing is appended', async () => {
      const { log } = await make();
      await fill(log, 3);
      for (const seq of [1, 3, 5]) assert.throws(() => log.append(recordOf(seq)), LogConflict);
      assert.throws(() => log.append(recordOf(4, { time: 5 })), RangeError);
      assert.equal(log.lastSeq, 3);
      await fill(log, 4);
      assert.equal((await readAll(log, 1, 9)).length, 4);
      await log.close();
    });

    test('only one append may be in flight', async () => {
      const { log } = await make();
      const { durable } = log.append(recordOf(1));
      assert.throws(() => log.append(recordOf(2)), /append while/);
      await durable;
      await log.append(recordOf(2)).durable;
      await log.close();
    });

    test('durable records exist when the log is opened again', async () => {
      const subject = await make();
      const records = await fill(subject.log, 33);
      const log = await subject.reopen();
      assert.deepEqual([log.lastSeq, log.lastTime], [33, 1033]);
      assert.deepEqual(await readAll(log, 1, 33), records);
      records.push(...(await fill(log, 36)));
      assert.deepEqual(await readAll(log, 1, 36), records);
      await log.close();
    });

    test('the last record can be set aside, and another takes its place', async () => {
      const subject = await make();
      await fill(subject.log, 33);
      let log = await subject.reopen();
      for (let lastSeq = 32; lastSeq >= 19; lastSeq--) {
        await log.setLastAside();
        assert.deepEqual([log.lastSeq, log.lastTime], [lastSeq, 1000 + lastSeq]);
        assert.deepEqual((await readAll(log, 1, 99)).length, lastSeq);
      }
      const other = recordOf(20, { time: 5000 });
      await log.append(other).durable;
      log = await subject.reopen();
      assert.deepEqual(await readAll(log, 18, 99), [recordOf(18), recordOf(19), other]);
      await log.close();
    });

    test('is the same after a start if records were set aside, and later removed with those before', async () => {
      const subject = await make();
      await fill(subject.log, 9);
      let log = await subject.reopen();
      for (let i = 0; i < 3; i++) await log.setLastAside();
      await fill(log, 50);
      await log.removeBelow(40);
      log = await subject.reopen();
      assert.equal(log.lastSeq, 50);
      assert.ok(log.firstSeq <= 40);
      assert.equal(log.firstSeq > 9, subject.givesUp);
      assert.deepEqual(
        await readAll(log, 45, 99),
        [45, 46, 47, 48, 49, 50].map((seq) => recordOf(seq)),
      );
      if (subject.givesUp) await assert.rejects(readAll(log, 1, 50), LogGone);
      await log.append(recordOf(51)).durable;
      await log.close();
    });

    test('old records may be removed, and reading them reports that they are gone', async () => {
      const { log, givesUp } = await make();
      const records = await fill(log, 40);
      await log.removeBelow(30);
      assert.ok(log.firstSeq <= 30);
      assert.equal(log.firstSeq > 1, givesUp);
      assert.deepEqual(await readAll(log, 30, 40), records.slice(29));
      if (givesUp) await assert.rejects(readAll(log, 1, 40), LogGone);
      await log.removeBelow(1000);
      assert.ok(log.firstSeq <= 41);
      await fill(log, 45);
      await log.close();
    });
  });
}

export function testFrailLog(name: string, make: () => Promise<FrailLog>): void {
  testLog(name, make);
  describe(`log contract, failures: ${name}`, () => {
    test('promise 4: a full disk rejects records, no partial record counts, and appends work again when there is space', async () => {
      const subject = await make();
      const { log } = subject;
      const records = await fill(log, 7);
      // More than the preallocated space.
      const large = recordOf(8, { commands: [{ kind: 'add-user', name: 'x'.repeat(2 << 20) }] });
      subject.takeRoom();
      for (let tries = 0; tries < 3; tries++) {
        assert.throws(() => log.append(large), LogFull);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(await readAll(log, 1, 8), records);
      subject.freeRoom();
      records.push(...(await fill(log, 12)));
      assert.deepEqual(await readAll(log, 1, 12), records);
      const again = await subject.reopen();
      assert.deepEqual(await readAll(again, 1, 12), records);
      await again.close();
    });

    for (const kind of ['failWrite', 'failSync'] as const) {
      test(`promise 3: after a ${kind === 'failSync' ? 'failed sync' : 'failed write'} nothing more is appended`, async () => {
        const subject = await make();
        const { log } = subject;
        const records = await fill(log, 7);
        subject[kind]();
        await assert.rejects(async () => log.append(recordOf(8)).durable, LogBroken);
        for (let tries = 0; tries < 3; tries++) assert.throws(() => log.append(recordOf(8)), LogBroken);
        assert.equal(log.lastSeq, 7);
        assert.deepEqual(await readAll(log, 1, 8), records);
        await log.close();
      });
    }
  });
}

// The contract of every store of people's keys.

interface KeyStore {
  find(person: string): Promise<string | null>;
  add(person: string, wrapped: string): Promise<void>;
  remove(person: string): Promise<void>;
}

/** `open` opens the same store again, as after a restart or at another node. */
export async function checkKeyStore(store: KeyStore, open: () => Promise<KeyStore>): Promise<void> {
  assert.equal(await store.find('p-1'), null);
  await Promise.all(['p-1', 'p-2', 'p-3'].map((person) => store.add(person, `key-of-${person}`)));
  const other = await open();
  for (const each of [store, other]) assert.equal(await each.find('p-2'), 'key-of-p-2');
  await Promise.all([store.remove('p-2'), store.remove('p-2'), store.add('p-4', 'key-of-p-4')]);
  await store.remove('p-nobody');
  const third = await open();
  assert.deepEqual(await Promise.all(['p-1', 'p-2', 'p-3', 'p-4'].map((person) => third.find(person))), [
    'key-of-p-1',
    null,
    'key-of-p-3',
    'key-of-p-4',
  ]);
}

/** The same value without unset fields, as the core sees a command. */
export function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, withoutUnset(field)]),
  );
}
