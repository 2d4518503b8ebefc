/** Equal states give equal bytes, whoever built the commands and how. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../src/commands/commands.ts';
import { Exchange } from '../src/exchange.ts';
import { ByteReader, ByteWriter } from '../src/snapshot/bytes.ts';
import { richRecords } from './rich-world.ts';
import { applyTo, tell } from '@bourse/test-kit/venue.ts';

/** The same commands, with fields built in another order. */
type Shape = (command: object) => object;

const deep = (shape: Shape) => {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return shape(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)])));
  };
  return (command: Command) => walk(command) as Command;
};
const reversed = deep((thing) => Object.fromEntries(Object.entries(thing).toReversed()));
const sortedByName = deep((thing) =>
  Object.fromEntries(Object.entries(thing).toSorted(([a], [b]) => (a < b ? -1 : 1))),
);
const bare = deep((thing) => Object.assign(Object.create(null), thing) as object);

const ORDER_FIELDS = [
  'price',
  'size',
  'funds',
  'timeInForce',
  'cancelAfterSec',
  'postOnly',
  'hidden',
  'iceberg',
];
const OPTIONAL: Partial<Record<Command['kind'], readonly string[]>> = {
  'place-order': [...ORDER_FIELDS, 'visibleSize', 'stp', 'clientId', 'tags', 'remark'],
  'test-order': [...ORDER_FIELDS, 'visibleSize', 'stp', 'clientId', 'tags', 'remark'],
  'place-stop-order': [...ORDER_FIELDS, 'visibleSize', 'stp', 'clientId', 'tags', 'remark'],
  'cancel-order': ['order', 'clientId', 'createdSec'],
  'cancel-stop-order': ['order', 'clientId'],
  'reduce-order': ['order', 'clientId', 'createdSec'],
  'alter-order': ['order', 'clientId', 'createdSec', 'newPrice', 'newSize'],
  'cancel-orders': ['symbol', 'once'],
  'change-key': ['permissions', 'ipAllowList'],
  'set-fees': ['user', 'symbol'],
  'set-limits': [
    'lookupWindowMs',
    'activeOrdersPerUserMax',
    'activeOrdersPerSymbolMax',
    'stopOrdersPerSymbolMax',
    'stepsPerRecordMax',
    'clientIdsPerUserMax',
    'clientIdsMax',
    'movementWindowMs',
    'movementsPerUserMax',
    'movementsMax',
  ],
  'add-user': ['parent', 'once', 'by', 'why'],
  'change-user': ['tier', 'frozen', 'once', 'by', 'why'],
  transfer: ['currency', 'fromUser', 'toUser'],
};
const CHANGES: Partial<Record<Command['kind'], readonly string[]>> = {
  'change-symbol': ['name', 'market', 'baseMinSize', 'minFunds', 'isMarginEnabled', 'enableTrading'],
  'change-currency': ['name', 'fullName', 'confirms', 'contractAddress', 'isDebitEnabled', 'chains'],
};

/** Every optional field is present and undefined. */
const withUndefined =
  (fields: typeof OPTIONAL) =>
  (command: Command): Command => {
    const unset = (fields[command.kind] ?? []).map((name) => [name, undefined]);
    return { ...Object.fromEntries(unset), ...command } as Command;
  };

function checkShape(name: string, shape: (command: Command) => Command): void {
  const { records } = richRecords();
  const plain = new Exchange();
  const other = new Exchange();
  let differing = 0;
  for (const record of records) {
    const commands = record.commands.map(shape);
    if (
      commands.some((command, i) => Object.keys(command).join() !== Object.keys(record.commands[i]).join())
    ) {
      differing++;
    }
    const expected = tell(applyTo(plain, record));
    assert.equal(tell(applyTo(other, { ...record, commands })), expected, `${name}: record ${record.seq}`);
    if (Buffer.compare(other.snapshot(), plain.snapshot()) !== 0)
      assert.fail(`${name}: bytes after record ${record.seq}`);
  }
  assert.ok(name === 'no prototype' || differing > 50, `${name} is the same shape`);
}

test('fields in another order give the same outcomes, events and bytes', () => {
  checkShape('reversed', reversed);
  checkShape('sorted by name', sortedByName);
  checkShape('no prototype', bare);
});

test('fields that are explicitly undefined count as omitted', () => {
  checkShape('undefined', withUndefined(OPTIONAL));
});

test('fields of a change that are explicitly undefined count as omitted', () => {
  checkShape('undefined changes', withUndefined({ ...OPTIONAL, ...CHANGES }));
});

test('a text with one wide character anywhere survives a round trip', () => {
  const texts = ['', 'plain', '\u20acuro', 'eu\u20acro', 'euro\u20ac', '\u0100'];
  const writer = new ByteWriter();
  for (const text of texts) writer.text(text);
  const reader = new ByteReader(writer.written);
  assert.deepEqual(
    texts.map(() => reader.text()),
    texts,
  );
});
