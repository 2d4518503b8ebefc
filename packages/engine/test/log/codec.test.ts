import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, Exchange, type LogRecord } from '@bourse/core';
import { COMMAND_KINDS } from '@bourse/test-kit/flow/commands.ts';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ByteSink, ByteSource, Malformed } from '../../src/bytes.ts';
import { readCommand, writeCommand } from '../../src/log/command-codec.ts';
import { LogTooNew } from '../../src/log/command-log.ts';
import { readBody, RecordWriter } from '../../src/log/record.ts';
import { withoutUnset } from '@bourse/test-kit/contracts.ts';

const SEEDS = 40;
const COMMANDS_PER_SEED = 400;

function encode(command: Command): Uint8Array {
  const sink = new ByteSink();
  writeCommand(sink, command);
  return sink.bytes.subarray(0, sink.at);
}

function decode(bytes: Uint8Array): Command {
  const source = new ByteSource(bytes);
  const command = readCommand(source);
  assert.equal(source.left, 0);
  return command;
}

const there = (command: unknown) => decode(encode(command as Command)) as unknown;

/** Records as read from a log. */
function throughBytes(record: LogRecord): LogRecord {
  const frame = Buffer.from(new RecordWriter().write(record, new Uint8Array(32)));
  return readBody(new ByteSource(frame), 4, frame.length - 32);
}

describe('commands as bytes', () => {
  test('promise 5: any command of any flow survives a round trip, and the core sees no difference', (context) => {
    const kinds = new Map<string, number>();
    let bytes = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const flow = new Flow(seed);
      const live = new Exchange();
      const replayed = new Exchange();
      for (let done = 0; done < COMMANDS_PER_SEED && !flow.isOver; ) {
        const record = flow.next();
        const back = throughBytes(record);
        const message = `seed ${seed}, record ${record.seq}`;
        assert.deepEqual(withoutUnset(back), withoutUnset({ rules: 1, ...record }), message);
        for (const { kind } of record.commands) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const applied = live.apply(record);
        const events = applied.events.decode();
        const again = replayed.apply(back);
        assert.deepEqual(again.outcomes.decode(), applied.outcomes.decode(), message);
        assert.deepEqual(again.events.decode(), events, message);
        flow.observe(events);
        done += Math.max(1, record.commands.length);
        bytes += record.commands.length;
      }
      assert.equal(replayed.hash(), live.hash(), `seed ${seed}`);
    }
    context.diagnostic(`${bytes} commands of ${kinds.size} kinds`);
    assert.deepEqual([...kinds.keys()].toSorted(), COMMAND_KINDS.toSorted());
  });

  test('candles survive a round trip bit for bit, even those that the core rejects', () => {
    const sound = { start: 120_000, open: 10, close: 12, high: 13, low: 9, volume: 5n, turnover: 55n };
    const odd = [
      {},
      { volume: 2n ** 64n - 1n, turnover: 2n ** 64n },
      { volume: 2n ** 128n, turnover: -(2n ** 70n) },
      { start: 120_000.5 },
      { start: 60_000.00000000001 },
      { start: 2 ** 60 },
      { start: -0 },
      { start: 0 },
      { open: -0, low: -0 },
      { close: -0 },
      { low: 0 },
      { low: -3 },
      { open: 10.5, close: 10.5, high: 10.5, low: 10.5 },
      { high: 2 ** 31, close: 2 ** 31 },
      { open: 2 ** 53, close: 2 ** 53 + 2, high: 2 ** 53 + 4, low: 2 ** 53 - 1 },
      { high: 3 },
      { open: '10' },
      { close: Number.NaN },
      { volume: 5 },
    ];
    for (const changes of odd) {
      const candles = [sound, { ...sound, start: 180_000, ...changes }];
      const command = { kind: 'import-candles', symbol: 1, interval: '1min', candles };
      assert.deepEqual(there(command), command, Object.entries(changes).join('; '));
    }
  });

  test('unknown fields of any kind are kept', () => {
    for (const kind of COMMAND_KINDS) {
      const command = {
        kind,
        user: 1,
        symbol: 2,
        by: 'operator',
        why: 'because',
        once: 'a-1',
        amount: -(2n ** 200n),
      };
      assert.deepEqual(there(command), command);
    }
    const order = { kind: 'place-order', user: 1, symbol: 2, type: 'limit', side: 'buy', price: 1, size: 2 };
    const marked = { ...order, by: 'operator' };
    assert.deepEqual(there(marked), marked);
    const nested = {
      kind: 'place-orders',
      user: 1,
      orders: [{ symbol: 1, type: 'limit', side: 'buy', note: 'x' }],
    };
    assert.deepEqual(there(nested), nested);
    const batch = { kind: 'place-orders', user: 1, orders: [], why: 'because' };
    assert.deepEqual(there(batch), batch);
    const cancel = { kind: 'cancel-order', user: 1, symbol: 1, order: 4, by: 'operator' };
    assert.deepEqual(there(cancel), cancel);
  });

  test('the idempotency key is kept, even an unusual one', () => {
    const hot = [
      { kind: 'place-order', user: 1, symbol: 2, type: 'limit', side: 'buy', price: 1, size: 2 },
      { kind: 'place-orders', user: 1, orders: [{ symbol: 1, type: 'limit', side: 'buy' }] },
      { kind: 'cancel-order', user: 1, symbol: 1, order: 4 },
      { kind: 'add-user', name: 'a' },
    ];
    for (const command of hot) {
      for (const once of [
        { id: 'abc', until: 5 },
        { id: 'abc' },
        { id: 'abc', until: 5, more: 1 },
        { id: 7, until: 5 },
      ]) {
        assert.deepEqual(withoutUnset(there({ ...command, once })), { ...command, once });
      }
    }
  });

  test('boundary values survive a round trip', () => {
    const numbers = [0, -0, 1, -1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -(2 ** 53), 0.1, 1e300];
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE];
    for (const value of [...numbers, ...odd]) {
      const order = {
        kind: 'place-order',
        user: value,
        symbol: value,
        type: 'limit',
        side: 'sell',
        price: value,
      };
      assert.deepEqual(withoutUnset(there(order)), order);
      const cancel = { kind: 'cancel-order', user: 1, symbol: value, order: value };
      assert.deepEqual(withoutUnset(there(cancel)), cancel);
    }
    for (const size of [0n, 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 128n, 2n ** 4000n]) {
      for (const funds of [size, -size]) {
        const order = { kind: 'place-order', user: 1, symbol: 1, type: 'market', side: 'buy', funds };
        assert.deepEqual(withoutUnset(there(order)), order);
      }
    }
    for (const clientId of ['', 'a', 'é', '\u{1f4a7}', '\ud800', '\0', 'x'.repeat(10_000), 'ö'.repeat(300)]) {
      const cancel = { kind: 'cancel-order', user: 1, symbol: 1, clientId };
      assert.deepEqual(withoutUnset(there(cancel)), cancel);
    }
  });

  test('a field set to undefined counts as unset', () => {
    const order = {
      kind: 'place-order',
      user: 1,
      symbol: 2,
      type: 'limit',
      side: 'buy',
      price: 1,
      by: undefined,
    };
    assert.deepEqual(encode(order as unknown as Command), encode(withoutUnset(order) as Command));
    const any = { kind: 'add-user', name: 'a', parent: undefined };
    assert.deepEqual(there(any), { kind: 'add-user', name: 'a' });
  });

  test('decoded orders have one shape, whatever is set', () => {
    const base = { kind: 'place-order', user: 1, symbol: 2, type: 'limit', side: 'buy' };
    const shapes = [base, { ...base, price: 1, size: 2 }, { ...base, funds: 1n, clientId: 'a', stp: 'CN' }];
    assert.equal(new Set(shapes.map((each) => Object.keys(there(each) as object).join())).size, 1);
    const cancel = { kind: 'cancel-order', user: 1, symbol: 2 };
    const cancels = [
      { ...cancel, order: 1 },
      { ...cancel, clientId: 'a' },
    ];
    assert.equal(new Set(cancels.map((each) => Object.keys(there(each) as object).join())).size, 1);
  });

  test('values that no command may contain are rejected on writing', () => {
    for (const wrong of [() => 1, Symbol('a'), [undefined]]) {
      assert.throws(() => there({ kind: 'add-user', name: wrong }), TypeError);
    }
    let deep: unknown = 1;
    for (let depth = 0; depth < 100; depth++) deep = [deep];
    assert.throws(() => there({ kind: 'add-user', name: deep }), TypeError);
  });

  test('a field named __proto__ is an ordinary field', () => {
    const command = JSON.parse('{"kind":"add-user","__proto__":{"name":"x"},"constructor":1}') as object;
    const back = there(command) as object;
    assert.ok(Object.hasOwn(back, '__proto__'));
    assert.equal(Object.getPrototypeOf(back), Object.prototype);
    assert.equal(JSON.stringify(back), JSON.stringify(command));
  });

  test('an unknown kind or tag is reported as written by a newer version', () => {
    assert.throws(() => there({ kind: 'fly', user: 1 }), LogTooNew);
    assert.throws(() => there({ kind: 'toString', user: 1 }), LogTooNew);
    assert.throws(() => decode(Uint8Array.from([9, 1, 2, 3])), LogTooNew);
    assert.throws(() => throughBytes({ seq: 1, time: 1, rules: 60_000, commands: [] }), LogTooNew);
  });
});

describe('hostile bytes', () => {
  const isTyped = (error: unknown) => error instanceof Malformed || error instanceof LogTooNew;

  function tryToRead(bytes: Uint8Array): boolean {
    try {
      readBody(new ByteSource(bytes), 0, bytes.length);
      return true;
    } catch (error) {
      if (!isTyped(error)) throw error;
      return false;
    }
  }

  test('changed, truncated and random records are read or rejected, without any other effect', (context) => {
    const seed = 20_261;
    const random = new Random(seed);
    const flow = new Flow(seed);
    const exchange = new Exchange();
    const counts = { read: 0, refused: 0 };
    for (let round = 0; round < 300; round++) {
      const record = flow.next();
      flow.observe(exchange.apply(record).events.decode());
      const frame = Buffer.from(new RecordWriter().write(record, new Uint8Array(32)));
      const body = frame.subarray(4, frame.length - 32);
      for (let tries = 0; tries < 60; tries++) {
        const bytes = Buffer.from(
          body.subarray(0, tries % 3 === 0 ? random.below(body.length + 1) : body.length),
        );
        for (let flips = random.below(4); flips > 0 && bytes.length > 0; flips--) {
          bytes[random.below(bytes.length)] = random.pick([random.below(256), 0xff, 0x80, 0]);
        }
        if (tries % 10 === 9) for (let i = 22; i < bytes.length; i++) bytes[i] = random.below(256);
        if (tryToRead(bytes)) counts.read += 1;
        else counts.refused += 1;
      }
    }
    context.diagnostic(`seed ${seed}: ${counts.read} read, ${counts.refused} refused`);
    assert.ok(counts.read > 1000 && counts.refused > 1000);
  });

  test('a false count allocates no memory', () => {
    for (const tag of [0, 2]) {
      const bytes = Uint8Array.from([tag, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3]);
      assert.throws(() => decode(bytes), Malformed);
    }
    const deep = Uint8Array.from([0, 1, 2, 0x61, ...Array.from({ length: 4000 }, () => [7, 1]).flat()]);
    assert.throws(() => decode(deep), Malformed);
  });
});
