import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenInvariant } from '../src/values/checks.ts';
import { OPEN_HASH_KEY } from '../src/tables/index-table.ts';
import { NO_ROW, TEXT_LENGTH_MAX, TextTable } from '../src/tables/text-table.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';

/** Another hash function, so that texts collide as often as a test wants. */
class TableByHash extends TextTable {
  readonly #change: (hash: number) => number;

  constructor(change: (hash: number) => number) {
    super(OPEN_HASH_KEY);
    this.#change = change;
  }

  protected override hashOf(words: Int32Array, from: number, to: number): number {
    return this.#change(super.hashOf(words, from, to));
  }
}

const HASHES: Record<string, (hash: number) => number> = {
  'as it is': (hash) => hash,
  'the same for all': () => 0,
  'eight of them': (hash) => hash >> 29,
  'in one segment': (hash) => hash & ~0xfffff,
  'of neighbouring places': (hash) => hash & 0x01ff_ffff,
};

const OWNERS = 3;

interface Entry {
  readonly owner: number;
  readonly text: string;
  readonly row: number;
  value: number;
}

class Model {
  readonly entries = new Map<string, Entry>();
  readonly table: TextTable;

  constructor(table: TextTable) {
    this.table = table;
  }

  set(owner: number, text: string, value: number): void {
    const row = this.table.find(owner, text);
    const known = this.entries.get(`${owner} ${text}`);
    assert.equal(row, known?.row ?? NO_ROW);
    if (known) {
      this.table.setValue(row, value);
      known.value = value;
    } else
      this.entries.set(`${owner} ${text}`, { owner, text, row: this.table.add(owner, text, value), value });
  }

  remove(owner: number, text: string): boolean {
    const known = this.entries.get(`${owner} ${text}`);
    if (!known) return false;
    this.table.remove(known.row);
    return this.entries.delete(`${owner} ${text}`);
  }

  verify(owner: number, text: string): void {
    const row = this.table.find(owner, text);
    const known = this.entries.get(`${owner} ${text}`);
    if (row !== (known?.row ?? NO_ROW)) assert.fail(`${owner} '${text}' is in row ${row}`);
    if (known && this.table.value(row) !== known.value) assert.fail(`${owner} '${text}' has another number`);
  }

  verifyAll(): void {
    assert.equal(this.table.size, this.entries.size);
    for (const { owner, text, row } of this.entries.values()) {
      this.verify(owner, text);
      assert.equal(this.table.ownerOf(row), owner);
      assert.equal(this.table.textOf(row), text);
    }
    const rows = new Set([...this.entries.values()].map(({ row }) => row));
    assert.equal(rows.size, this.entries.size, 'every text has a row of its own');
  }
}

const textOf = (random: Random, count: number): string => {
  const number = random.below(count);
  return `${number}`.padEnd(number % 7, 'x').repeat(1 + (number % 9));
};

for (const [name, change] of Object.entries(HASHES)) {
  test(`the same as a Map, with hashes ${name}`, (context) => {
    const random = seeded(context, 733);
    const model = new Model(new TableByHash(change));
    const texts = name === 'as it is' ? 4000 : 500;
    const steps = ofSize(60_000, 200_000);
    let removed = 0;
    for (let step = 0; step < steps; step++) {
      const owner = random.below(OWNERS);
      const text = textOf(random, texts);
      // Long phases of growing and of shrinking, so that segments are added and removed.
      const isGrowing = step % (steps / 4) < steps / 8;
      if (random.chance(isGrowing ? 0.8 : 0.2)) model.set(owner, text, random.units(53));
      else if (model.remove(owner, text)) removed++;
      model.verify(owner, text);
      model.verify(random.below(OWNERS), textOf(random, texts));
      if (step % (steps / 20) === 0) model.verifyAll();
    }
    model.verifyAll();
    for (const { owner, text } of model.entries.values()) model.remove(owner, text);
    model.verifyAll();
    context.diagnostic(`${removed} removed`);
    assert.ok(removed > steps / 10);
  });
}

test('texts of every length and any bytes are distinct', () => {
  const model = new Model(new TableByHash(() => -1));
  const texts = [''];
  for (const code of [0, 0x20, 0x44, 0x7e, 0xff]) {
    for (let length = 1; length <= TEXT_LENGTH_MAX; length++) {
      texts.push(String.fromCharCode(code).repeat(length));
    }
  }
  // The length of a shorter text is where the longer one has a character.
  texts.push('abc', `abc${String.fromCharCode(7)}`, 'abcdefg', `abcdefg${String.fromCharCode(11)}`);
  for (const [value, text] of texts.entries()) {
    for (const owner of [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]) model.set(owner, text, value);
  }
  model.verifyAll();
  assert.equal(model.entries.size, texts.length * 5);
});

test('values can be any safe integer', () => {
  const table = new TextTable(OPEN_HASH_KEY);
  const row = table.add(0, 'a', 0);
  for (const value of [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52 + 1, Number.MAX_SAFE_INTEGER]) {
    table.setValue(row, value);
    assert.equal(table.value(row), value);
    assert.equal(table.value(table.add(1, `${value}`, value)), value);
  }
});

test('an invalid text is not found, and not added', () => {
  const table = new TextTable(OPEN_HASH_KEY);
  const longest = 'a'.repeat(TEXT_LENGTH_MAX);
  table.add(5, longest, 1);
  table.add(5, 'x', 2);
  const strangers: [owner: number, text: string][] = [
    [5, `${longest}a`],
    [5, '\u0178'],
    [5, 'aaaa\u{1f600}'],
    [5, '\u0100bcd'],
    [5 + 2 ** 32, 'x'],
    [5.5, 'x'],
    [Number.NaN, 'x'],
  ];
  for (const [owner, text] of strangers) {
    assert.equal(table.find(owner, text), NO_ROW, `${owner} ${text}`);
    assert.throws(() => table.add(owner, text, 1), BrokenInvariant);
  }
  assert.throws(() => table.add(5, 'x', 3), BrokenInvariant);
  assert.equal(table.size, 2);
});

test('a freed row never has a valid number, whatever happened to its page', () => {
  const table = new TextTable(OPEN_HASH_KEY);
  const rows = Array.from({ length: 2000 }, (_, i) => table.add(0, `text-${i + 1000}`, i + 1));
  for (const row of rows) table.remove(row);
  for (const row of rows) {
    const value = table.value(row);
    if (value !== 0 && value <= Number.MAX_SAFE_INTEGER) assert.fail(`${value}`);
  }
});

test('grows and shrinks in steps: no segment has more than 8,192 slots, and all are freed in the end', () => {
  const table = new TextTable(OPEN_HASH_KEY);
  const count = ofSize(120_000, 500_000);
  const rows: number[] = [];
  let [largest, fullest] = [0, 0];
  const look = (): void => {
    for (const { capacity, count: used } of table.segments) {
      largest = Math.max(largest, capacity);
      fullest = Math.max(fullest, used);
    }
  };
  for (let i = 0; i < count; i++) {
    rows.push(table.add(i % 5, `client-order-${i}`, i));
    if (i % 1000 === 0) look();
  }
  const segments = table.segments.length;
  assert.ok(segments > count / 6000 && segments < count / 2700, `${segments} segments`);
  for (let i = 0; i < count; i += 7) assert.equal(table.find(i % 5, `client-order-${i}`), rows[i]);
  for (const [i, row] of rows.entries()) {
    table.remove(row);
    if (i % 1000 === 0) look();
  }
  assert.ok(largest <= 8192 && fullest <= 6144, `${largest} slots, ${fullest} texts`);
  assert.deepEqual([table.size, table.segments.length, table.segments[0].capacity], [0, 1, 16]);
  assert.ok(table.pages <= 4, `${table.pages} pages, one for each length of a row at most`);
});
