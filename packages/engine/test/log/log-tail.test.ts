/** Which bytes count as a torn record, and which as damage. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogRecord } from '@bourse/core';
import { Random } from '@bourse/test-kit/random.ts';
import { smallRecords } from '@bourse/test-kit/small-records.ts';
import { HASH_BYTES, RecordWriter } from '../../src/log/record.ts';
import { judgeTail, type Tail } from '../../src/log/log-end.ts';
import { recordOf } from '@bourse/test-kit/contracts.ts';

const SECTOR_BYTES = 512;
const ROOM = Buffer.alloc(2000);
const SEED = 12;
/** Offsets of the parts of a frame. */
const AT = { length: 0, rules: 4, seq: 6, time: 14, count: 22 };

interface Written {
  readonly record: LogRecord;
  readonly hash: Buffer;
  readonly frame: Buffer;
}

function write(random: Random, record: LogRecord): Written {
  const hash = Buffer.from(Array.from({ length: HASH_BYTES }, () => random.range(1, 255)));
  return { record, hash, frame: Buffer.from(new RecordWriter().write(record, hash)) };
}

/** Records of all shapes, some of many sectors. */
function writtenRecords(random: Random): Written[] {
  const names = Array.from({ length: 20 }, (_, i) => 'n'.repeat(i * 150));
  const large = names.map((name, i) => recordOf(i + 1, { commands: [{ kind: 'add-user', name }] }));
  const first = recordOf(1, { time: 0, commands: [] });
  return [first, ...large, ...smallRecords(SEED, 40)].map((record) => write(random, record));
}

function judge({ record: { seq, time }, hash }: Written, frame: Uint8Array, position = 64): Tail {
  return judgeTail(Buffer.concat([hash, frame, ROOM]), { position, nextSeq: seq, time });
}

describe('the remains of a record after a crash', () => {
  test('a prefix of any length is torn', () => {
    for (const written of writtenRecords(new Random(SEED))) {
      const { frame, record } = written;
      for (let kept = 1; kept < frame.length; kept++) {
        const beginning = frame.subarray(0, kept);
        const where = `${kept} of ${frame.length} bytes of record ${record.seq}`;
        for (const rest of [0, frame.length - kept]) {
          const tail = judge(written, Buffer.concat([beginning, Buffer.alloc(rest)]));
          assert.equal(tail.kind, 'torn', `${where}: ${JSON.stringify(tail)}`);
        }
      }
    }
  });

  test('some of its sectors, at any alignment, are torn', () => {
    const random = new Random(SEED);
    for (const written of writtenRecords(random)) {
      const { frame, record } = written;
      for (let round = 0; round < 200; round++) {
        const position = 64 + random.below(2 * SECTOR_BYTES);
        const left = Buffer.from(frame);
        let lost = 0;
        for (let at = 0; at < frame.length; ) {
          const end = Math.min(frame.length, at + SECTOR_BYTES - ((position + at) % SECTOR_BYTES));
          if (random.chance(0.4)) {
            left.fill(0, at, end);
            lost += 1;
          }
          at = end;
        }
        if (lost === 0) continue;
        const { kind } = judge(written, left, position);
        assert.ok(kind === 'torn' || kind === 'clean', `seed ${SEED}, record ${record.seq} at ${position}`);
      }
    }
  });
});

describe('after an incomplete record', () => {
  const marks = { isLazy: true, isEarly: true };
  const following = (before: Written, isEarly: boolean): Written => {
    const record = recordOf(before.record.seq + 1);
    const hash = before.frame.subarray(-HASH_BYTES);
    return {
      record,
      hash,
      frame: Buffer.from(new RecordWriter().write(record, hash, { ...marks, isEarly })),
    };
  };
  const [first] = writtenRecords(new Random(SEED));
  const bodyEnd = first.frame.length - HASH_BYTES;
  // The sector with its chain hash, which precedes the next record, was written, and the one before was not.
  const torn = Buffer.concat([Buffer.alloc(bodyEnd), first.frame.subarray(bodyEnd)]);
  const position = 2 * SECTOR_BYTES - bodyEnd;

  test('a record that was appended before it was durable shows that it is torn', () => {
    const second = following(first, true);
    const third = following(second, true);
    const tail = judge(first, Buffer.concat([torn, second.frame, third.frame]), position);
    assert.deepEqual(tail, {
      kind: 'torn',
      bytes: torn.length + second.frame.length + third.frame.length,
    });
  });

  test('without a lost sector it is damaged, awaited or not', () => {
    const second = following(first, true);
    const wrong = Buffer.from(first.frame);
    wrong[AT.time] ^= 1;
    const tail = judge(first, Buffer.concat([wrong, second.frame]), position);
    assert.equal(tail.kind, 'damaged', JSON.stringify(tail));
  });

  test('a record that was appended after it was durable shows that it is damaged', () => {
    for (const isEarly of [true, false]) {
      const second = following(first, isEarly);
      const third = following(second, false);
      const tail = judge(first, Buffer.concat([torn, second.frame, third.frame]), position);
      assert.equal(tail.kind === 'damaged' && tail.isFollowed, true, JSON.stringify(tail));
    }
  });
});

describe('a complete last record that is damaged', () => {
  const record = recordOf(7, { commands: [{ kind: 'add-user', name: 'somebody' }] });

  /** The record with a length that is far too large, as if most of it were missing, and more wrong with it. */
  function damage(change: (frame: Buffer) => void): Tail {
    const written = write(new Random(SEED), record);
    const frame = Buffer.from(written.frame);
    frame.writeUInt32LE(frame.readUInt32LE(AT.length) + 4096, AT.length);
    change(frame);
    return judge(written, frame);
  }

  const faults: [string, (frame: Buffer) => void, RegExp][] = [
    ['invalid rules', (frame) => frame.writeUInt16LE(0, AT.rules), /version of the rules is invalid/],
    ['newer rules', (frame) => frame.writeUInt16LE(999, AT.rules), /rules 999; this version knows/],
    ['another sequence', (frame) => frame.writeUInt8(8, AT.seq), /its sequence is 8/],
    [
      'an earlier time',
      (frame) => frame.writeDoubleLE(record.time - 1, AT.time),
      /before that of the previous record/,
    ],
    ['no time', (frame) => frame.writeDoubleLE(Number.NaN, AT.time), /before that of the previous record/],
    ['too many commands', (frame) => frame.writeUInt32LE(99_999, AT.count), /too short for its commands/],
    ['no commands', (frame) => frame.writeUInt32LE(0, AT.count), /longer than its commands/],
    ['a letter', (frame) => frame.write('x', frame.length - HASH_BYTES - 1), /longer than its commands/],
    ['an unknown command', (frame) => frame.writeUInt8(200, AT.count + 4), /cannot be decoded/],
  ];
  for (const [name, change, what] of faults) {
    test(`is not torn: ${name}`, () => {
      const tail = damage(change);
      assert.equal(tail.kind, 'damaged');
      assert.match(tail.what, what);
    });
  }

  test('is not torn even if a later sector is zeros', () => {
    const written = write(
      new Random(SEED),
      recordOf(7, { commands: [{ kind: 'add-user', name: 'n'.repeat(3000) }] }),
    );
    const lost = Buffer.from(written.frame).fill(0, 1024 - 64, 1536 - 64);
    assert.equal(judge(written, lost).kind, 'torn');
    const wrong = Buffer.from(lost).fill(9, AT.seq, AT.seq + 1);
    assert.equal(judge(written, wrong).kind, 'damaged');
    const longer = Buffer.concat([lost, Buffer.of(1)]);
    assert.equal(judge(written, longer).kind, 'damaged');
  });

  test('is not torn if it is overwritten with random bytes', () => {
    const random = new Random(SEED);
    const written = write(random, record);
    for (let round = 0; round < 20_000; round++) {
      const rubbish = Buffer.from(written.frame.map(() => random.below(256)));
      // A valid length, or the case would be trivial.
      rubbish.writeUInt32LE(random.range(22, 1 << 26), AT.length);
      rubbish[rubbish.length - 1] = 1;
      assert.equal(judge(written, rubbish).kind, 'damaged', `seed ${SEED}, round ${round}`);
    }
  });
});
