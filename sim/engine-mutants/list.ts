/** The engine's mutants: what is durable when, what a start finds, what waits for what. */

import { BAD_DAYS } from './bad-days.ts';
import { CLUSTER } from './cluster.ts';
import { HISTORY } from './history.ts';
import { LAZY, SEGMENTS } from './lazy.ts';
import { type EngineMutant, inFile } from './mutant.ts';
import { QUEUE } from './queue.ts';
import { RETENTION } from './retention.ts';

const LOG: readonly EngineMutant[] = inFile('engine/src/log/file-log.ts', [
  {
    name: 'answers before the sync has ended',
    rule: 'promise 1',
    find: 'this.makeRoom(appended.end);\n      await this.file.sync();',
    replace: 'this.makeRoom(appended.end);\n      this.file.sync().catch(() => undefined);',
  },
  {
    name: 'a failed sync is tried again',
    rule: 'promise 3',
    find: 'this.makeRoom(appended.end);\n      await this.file.sync();',
    replace: 'this.makeRoom(appended.end);\n      await this.file.sync().catch(() => this.file.sync());',
  },
  {
    name: 'a log that failed to add a segment goes on',
    rule: 'promise 3',
    find: "this.breakDown('Adding a segment to', error);",
    replace: '',
  },
  {
    name: 'a full disk is no reason to break when the new segment has its name',
    rule: 'promise 1',
    test: 'packages/engine/test/log/log-segments.test.ts',
    find: "this.breakDown('Adding a segment to', error);",
    replace: "if (!isFull(error)) this.breakDown('Adding a segment to', error);",
  },
  {
    name: 'an old segment that cannot be removed stops the exchange',
    rule: 'segments',
    test: 'packages/engine/test/log/log-segments.test.ts',
    find: 'if (!isMissing(error)) throw new SegmentKept(path, error);',
    replace: 'throw error;',
  },
  {
    name: 'a torn tail is not cut',
    rule: 'promise 2',
    test: 'packages/engine/test/log/log-open.test.ts',
    find: '  file.truncate(position);\n  await file.sync();',
    replace: '  await file.sync();',
  },
  {
    name: 'the last whole record is cut with the torn tail',
    rule: 'promise 2',
    find: '  file.truncate(position);\n  await file.sync();',
    replace: '  file.truncate(openPosition);\n  await file.sync();',
  },
  {
    name: 'what a start finds is not made durable',
    rule: 'promise 1',
    find: '  file.write(openPosition, await file.read(openPosition, position - openPosition));',
    replace: '',
  },
  {
    name: 'unfinished segments are left lying about',
    rule: 'promise 2',
    test: 'packages/engine/test/log/log-open.test.ts',
    find: '    await removeUnfinished(disk, dir, names);\n',
    replace: '',
  },
  {
    name: 'what a full disk left of a record is not cut off',
    rule: 'promise 4',
    test: 'packages/engine/test/log/log-crash.test.ts',
    find: '      this.file.truncate(this.position);\n    } catch (second)',
    replace: '    } catch (second)',
  },
  {
    name: 'a full disk breaks the log',
    rule: 'promise 4',
    find: "if (!isFull(error)) return this.breakDown('Writing to', error);",
    replace: "return this.breakDown('Writing to', error);",
  },
]);

const READING: readonly EngineMutant[] = [
  ...inFile('engine/src/log/segment-reader.ts', [
    {
      name: 'the hash of a record is not looked at',
      rule: 'promise 2',
      find: 'if (!isHashAt(window, bodyEnd, chainHash(window.subarray(at - HASH_BYTES, bodyEnd)))) return false;',
      replace: '',
    },
  ]),
  ...inFile('engine/src/log/log-reader.ts', [
    {
      name: 'a segment need not continue the one before',
      rule: 'promise 2',
      test: 'packages/bourse/test/faults/start-messages.test.ts',
      find: 'if (!Buffer.from(next.hash).equals(segment.hash)) {',
      replace: 'if (next.hash === segment.hash) {',
    },
  ]),
  ...inFile('engine/src/log/tail.ts', [
    {
      name: 'damage with whole records behind it is taken for a torn tail',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-open.test.ts',
      find: 'if (proof) return damaged(',
      replace: 'if (proof && end < 0) return damaged(',
    },
    {
      name: 'a damaged record whose hash ends in zeros is taken for a torn tail',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-open.test.ts',
      find: 'if (end <= hashAt) return true;',
      replace: 'if (end <= hashAt + 32) return true;',
    },
    {
      name: 'a damaged record with a wrong head is taken for a torn tail',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-tail.test.ts',
      find: 'if (headFault !== null) return damaged(headFault);',
      replace: '',
    },
    {
      name: 'a beginning whose commands are not those of a longer record is taken for a torn tail',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-tail.test.ts',
      find: 'if (fault !== null) return damaged(fault);',
      replace: '',
    },
  ]),
  ...inFile('engine/src/log/log-end.ts', [
    {
      name: 'what was read behind the end is judged though the log goes on',
      rule: 'reading beside a writer',
      test: 'packages/bourse/test/log/log-live.test.ts',
      find: 'if (await segment.next()) {',
      replace: 'if (segment.nextSeq < 0) {',
    },
    {
      name: 'what looks like damage need not stand still',
      rule: 'reading beside a writer',
      test: 'packages/bourse/test/log/log-live.test.ts',
      find: 'tail.isFollowed || (before && Buffer.from(before).equals(rest))',
      replace: 'tail.isFollowed || rest.length > 0',
    },
    {
      name: 'what history or a snapshot has is cut as a torn tail',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-open.test.ts',
      find: 'if (nextSeq <= knownSeq) {',
      replace: 'if (nextSeq < 0) {',
    },
  ]),
  ...inFile('engine/src/file-storage.ts', [
    {
      name: 'a start does not ask history how far the log must go',
      rule: 'promise 2',
      test: 'packages/engine/test/engine.test.ts',
      find: 'Math.max(checkpoint, await snapshots.newestSeq())',
      replace: 'await snapshots.newestSeq()',
    },
  ]),
];

const SEQUENCER: readonly EngineMutant[] = [
  ...inFile('engine/src/sequencer.ts', [
    {
      name: 'a failed sync is taken for a good one',
      rule: 'promise 3',
      find: 'this.stop(error instanceof Error ? error : new LogBroken(messageOf(error)));',
      replace: 'this.#complete();',
    },
    {
      name: 'reads do not wait for the record in flight',
      rule: 'promise 10',
      find: 'if (!this.#inFlight && !this.#isHeldUp) return attempt(() => query(this.#exchange));',
      replace: 'if (this.#stopped === null) return attempt(() => query(this.#exchange));',
    },
    {
      name: 'the queue has no bound',
      rule: 'promise 16',
      find: 'this.#queue.count >= queueMax || this.#queue.bytes + bytes > queueBytesMax',
      replace: 'this.#queue.bytes + bytes > queueBytesMax',
    },
    {
      name: 'commands without room are left without an answer',
      rule: 'promise 4',
      find: 'for (const waiter of refused.waiters) waiter.failed(unavailable);',
      replace: '',
    },
    {
      name: 'a full disk is never reported free again',
      rule: 'promise 4',
      find: '    this.#isFull = false;\n',
      replace: '',
    },
    {
      name: 'time alone brings nothing about',
      rule: 'log time',
      find: 'this.#isFull || this.#exchange.nextDue <= time',
      replace: 'this.#isFull || time < 0',
    },
    {
      name: 'a disk that was full stays full until a command comes',
      rule: 'promise 4',
      test: 'packages/engine/test/sequencer.test.ts',
      find: 'this.#isFull || this.#exchange.nextDue <= time',
      replace: 'this.#exchange.nextDue <= time',
    },
    {
      name: 'commands that wait at the end are dropped',
      rule: 'promise 1',
      test: 'packages/engine/test/sequencer.test.ts',
      find: 'if (this.#stopped || (!this.#inFlight && this.waiting === 0)) return Promise.resolve();',
      replace: 'if (this.#stopped || !this.#isAwake) return Promise.resolve();',
    },
  ]),
];

const ANSWERS: readonly EngineMutant[] = inFile('engine/src/record-answers.ts', [
  {
    name: 'answers go to the wrong callers',
    rule: 'promise 1',
    find: 'batch.waiters[i]',
    replace: 'batch.waiters[outcomes.length - 1 - i]',
  },
]);

const FOLLOWER: readonly EngineMutant[] = [
  ...inFile('engine/src/snapshots.ts', [
    {
      name: 'a snapshot gets its name before it is durable',
      rule: 'promise 2',
      find: '    await file.sync();\n',
      replace: '',
    },
    {
      name: 'the directory of a new snapshot is not synced',
      rule: 'promise 1',
      find: '    await this.#disk.syncDirectory(this.#dir);\n    await this.#removeOld();',
      replace: '    await this.#removeOld();',
    },
    {
      name: 'the hash of a snapshot is not looked at',
      rule: 'promise 2',
      find: 'if (hashBytes(bytes.subarray(0, end)) !== text(end, bytes.length)) return `${path} is damaged`;',
      replace: '',
    },
    {
      name: 'only the newest snapshot is kept',
      rule: 'promise 2',
      test: 'packages/engine/test/snapshots.test.ts',
      find: 'const KEPT = 2;',
      replace: 'const KEPT = 1;',
    },
  ]),
  ...inFile('engine/src/follower.ts', [
    {
      name: 'segments are removed below a snapshot that may be damaged',
      rule: 'promise 1',
      test: 'packages/engine/test/follower.test.ts',
      find: 'Math.min(await snapshots.oldestKept(), seq)',
      replace: 'await snapshots.oldestKept()',
    },
    {
      name: 'history waits until there is room for a snapshot',
      rule: 'promise 4',
      test: 'packages/engine/test/follower.test.ts',
      find: 'if (error instanceof NoRoom) return null;',
      replace: '',
    },
    {
      name: 'the follower says history has what was not written',
      rule: 'history',
      find: '    this.#write();\n    if (this.seq < target.seq) return false;',
      replace: '    if (this.seq < target.seq) return false;',
    },
    {
      name: 'what history could not take is dropped',
      rule: 'history',
      find: '      this.#history.write(this.#unwritten);\n    } catch (error) {\n',
      replace:
        '      this.#history.write(this.#unwritten);\n    } catch (error) {\n      this.#unwritten = [];\n',
    },
    {
      name: 'live thread and follower are not compared',
      rule: 'promise 5',
      test: 'packages/engine/test/engine.test.ts',
      find: 'this.#digestFrom === from && this.#digest.text !== digest',
      replace: 'this.#digestFrom !== this.#digestFrom',
    },
  ]),
  ...inFile('engine/src/follower-feed.ts', [
    {
      name: 'what was behind the snapshot at the start does not count for the next',
      rule: 'recovery',
      test: 'packages/engine/test/snapshot-turns.test.ts',
      find: 'this.#parts.logBytes + log.bytesAppended',
      replace: 'log.bytesAppended',
    },
    {
      name: 'segments are removed that a start needs',
      rule: 'promise 1',
      find: 'const below = Math.min(removable, seq);',
      replace: 'const below = seq;',
    },
    {
      name: 'done orders are forgotten before history has them',
      rule: 'promise 10',
      find: 'forgetDone(seq);',
      replace: 'forgetDone(Infinity);',
    },
  ]),
  ...inFile('engine/src/recovery.ts', [
    {
      name: 'a start forgets done orders that history has not',
      rule: 'promise 10',
      find: 'exchange.keepDone = record.seq > checkpoint + 1;',
      replace: 'exchange.keepDone = record.seq < 0;',
    },
  ]),
];

export const ENGINE_MUTANTS: readonly EngineMutant[] = [
  ...HISTORY,
  ...LOG,
  ...SEGMENTS,
  ...LAZY,
  ...READING,
  ...SEQUENCER,
  ...ANSWERS,
  ...QUEUE,
  ...FOLLOWER,
  ...BAD_DAYS,
  ...CLUSTER,
  ...RETENTION,
];
