/** Faults that no operator generates, because finding them takes a person. Each must always be caught by its judge. */

import type { Replacement } from '@bourse/test-kit/changed-sources.ts';
import { type Judge, simulator, testFile } from './judges.ts';

export interface Fault extends Replacement {
  readonly name: string;
  readonly judge: Judge;
}

/** Most are caught in the first few worlds; some need a rare event. */
const SIMULATOR = simulator(800);
const CLUSTER = testFile('sim/cluster/cluster.test.ts', undefined, 'long');

export const FAULTS: readonly Fault[] = [
  {
    name: 'a failed sync is tried again',
    file: 'packages/engine/src/log/file-log.ts',
    find: 'this.#makeRoom(appended.end); await this.#file.sync();',
    replace: 'this.#makeRoom(appended.end); await this.#file.sync().catch(() => this.#file.sync());',
    judge: SIMULATOR,
  },
  {
    name: 'a full disk is no reason to break when the new segment has its name',
    file: 'packages/engine/src/log/file-log.ts',
    find: "this.#breakDown('Adding a segment to', error);",
    replace: "if (!isFull(error)) this.#breakDown('Adding a segment to', error);",
    judge: testFile('packages/engine/test/log/log-segments.test.ts'),
  },
  {
    name: 'the last whole record is cut with the torn tail',
    file: 'packages/engine/src/log/file-log.ts',
    find: 'file.truncate(position); await file.sync();',
    replace: 'file.truncate(openPosition); await file.sync();',
    judge: SIMULATOR,
  },
  {
    name: 'a segment gets its name before its header is durable',
    file: 'packages/engine/src/log/segment.ts',
    find: 'await file.sync(); return file;',
    replace: 'return file;',
    judge: SIMULATOR,
  },
  {
    name: 'a damaged record whose hash ends in zeros is taken for a torn tail',
    file: 'packages/engine/src/log/log-end.ts',
    find: 'if (end <= hashAt) return true;',
    replace: 'if (end <= hashAt + 32) return true;',
    judge: testFile('packages/engine/test/log/log-open.test.ts'),
  },
  {
    name: 'what looks like damage need not stand still',
    file: 'packages/engine/src/log/log-end.ts',
    find: 'tail.isFollowed || (before && Buffer.from(before).equals(rest))',
    replace: 'tail.isFollowed || rest.length > 0',
    judge: testFile('packages/bourse/test/log/log-live.test.ts'),
  },
  {
    name: 'a failed sync is taken for a good one',
    file: 'packages/engine/src/sequencer.ts',
    find: 'this.stop(error instanceof Error ? error : new LogBroken(messageOf(error)));',
    replace: 'this.#complete();',
    judge: SIMULATOR,
  },
  {
    name: 'reads do not wait for the record in flight',
    file: 'packages/engine/src/sequencer.ts',
    find: 'if (!this.#inFlight && !this.#isCatchingUp) return attempt(() => query(this.#exchange));',
    replace: 'if (this.#stopped === null) return attempt(() => query(this.#exchange));',
    judge: SIMULATOR,
  },
  {
    name: 'answers go to the wrong callers',
    file: 'packages/engine/src/results.ts',
    find: 'const waiter = batch.waiters[i];',
    replace: 'const waiter = batch.waiters[outcomes.length - 1 - i];',
    judge: SIMULATOR,
  },
  {
    name: 'time goes back with the wall clock',
    file: 'packages/engine/src/log-time.ts',
    find: 'if (isTrusted && wall >= this.#time) {',
    replace: 'if (isTrusted && wall > 0) {',
    judge: SIMULATOR,
  },
  {
    name: 'only the newest snapshot is kept',
    file: 'packages/engine/src/snapshots.ts',
    find: 'const KEPT = 2;',
    replace: 'const KEPT = 1;',
    judge: testFile('packages/engine/test/snapshots.test.ts'),
  },
  {
    name: 'segments are removed below a snapshot that may be damaged',
    file: 'packages/engine/src/follower.ts',
    find: 'Math.min(await snapshots.oldestKept(), seq)',
    replace: 'await snapshots.oldestKept()',
    judge: testFile('packages/engine/test/follower.test.ts'),
  },
  {
    name: 'what history could not take is dropped',
    file: 'packages/engine/src/follower.ts',
    find: 'this.#history.write(this.#unwritten); } catch (error) {',
    replace: 'this.#history.write(this.#unwritten); } catch (error) { this.#unwritten = [];',
    judge: SIMULATOR,
  },
  {
    name: 'done orders are forgotten before history has them',
    file: 'packages/engine/src/follower-driver.ts',
    find: 'forgetDone(seq);',
    replace: 'forgetDone(Infinity);',
    judge: SIMULATOR,
  },
  {
    name: 'segments are removed that a start needs',
    file: 'packages/engine/src/follower-driver.ts',
    find: 'const below = Math.min(removable, seq);',
    replace: 'const below = seq;',
    judge: SIMULATOR,
  },
  {
    name: 'a segment is removed though its copy has a fault',
    file: 'packages/engine/src/log/log-copy.ts',
    find: 'if (problem !== null) return problem; this.removable = last;',
    replace: 'this.removable = last; if (problem !== null) return problem;',
    judge: testFile(
      'packages/bourse/test/startup/log-retention.test.ts',
      'a segment is removed once it is copied completely',
    ),
  },
  {
    name: 'files of the log are for everybody to read',
    file: 'packages/engine/src/io/disk.ts',
    find: 'const FILE_MODE = 0o600;',
    replace: 'const FILE_MODE = 0o666;',
    judge: testFile('packages/engine/test/io/private-files.test.ts'),
  },
  {
    name: 'appends without the fence',
    file: 'packages/cluster/src/stream/jetstream-log.ts',
    find: 'this.#stream.append(kind, signed, this.#at)',
    replace: 'this.#stream.append(kind, signed, -1)',
    judge: CLUSTER,
  },
  {
    name: 'takes an append without an answer for done',
    file: 'packages/cluster/src/stream/jetstream-log.ts',
    find: "const placed = result === 'appended' ? candidate",
    replace: "const placed = result !== 'refused' ? candidate",
    judge: CLUSTER,
  },
  {
    name: 'takes a refused append for done',
    file: 'packages/cluster/src/stream/jetstream-log.ts',
    find: "const placed = result === 'appended' ? candidate",
    replace: "const placed = result === 'appended' || result === 'refused' ? candidate",
    judge: CLUSTER,
  },
  {
    name: 'takes the last record that was tried for the one that is there',
    file: 'packages/cluster/src/stream/jetstream-log.ts',
    find: 'if (placed === undefined) throw this.#refuse(); return placed;',
    replace: 'if (placed === undefined) throw this.#refuse(); return candidates.at(-1);',
    judge: CLUSTER,
  },
  {
    name: 'answers before the append is acknowledged',
    file: 'packages/cluster/src/log-turns.ts',
    find: 'await appending.durable; placed = appending.placed();',
    replace:
      'appending.durable.catch(() => undefined); placed = { bytes: new Uint8Array(), message: { record, tags } };',
    judge: CLUSTER,
  },
  {
    name: 'answers commands of other processes that have the same number',
    file: 'packages/cluster/src/waiting-commands.ts',
    find: 'if (run === ownRun) this.#answer(',
    replace: 'if (run !== "") this.#answer(',
    judge: CLUSTER,
  },
  {
    name: 'a fork shares its files with its origin',
    file: 'packages/engine/src/io/files.ts',
    find: 'await promises.copyFile(from, to, MODE);',
    replace: 'await promises.link(from, to);',
    judge: testFile('packages/bourse/test/sandbox/worlds.test.ts', 'a fork is a separate exchange'),
  },
  {
    name: 'the present world is given up before the other one stands',
    file: 'packages/sandbox/src/sandbox.ts',
    find: 'let world: World | undefined;',
    replace: 'let world: World | undefined; await present.discard(WENT_BACK);',
    judge: testFile('packages/bourse/test/sandbox/worlds.test.ts', 'a restore that fails half-way'),
  },
  {
    name: 'an agent reads the wall clock',
    file: 'packages/sandbox/src/market/living-market.ts',
    find: 'return Math.floor(this.#clock.now() + this.#port.aheadMs);',
    replace: 'return Math.max(Math.floor(this.#clock.now()), this.#clock.now() + (Date.now() % 50));',
    judge: testFile('packages/bourse/test/sandbox/determinism.test.ts', 'with agents as well'),
  },
  {
    name: 'a fault touches the log: a dropped request is done',
    file: 'packages/sandbox/src/faults/request-faults.ts',
    find: "hit(); return { ...none, instead: 'cut' };",
    replace: 'return { ...none, deliver: delivering(hit, (reply) => reply.cut()) };',
    judge: testFile('packages/bourse/test/sandbox/faults.test.ts', 'ccxt sees an error for each fault'),
  },
  {
    name: 'a lost reply is that of an order that was not taken',
    file: 'packages/sandbox/src/faults/request-faults.ts',
    find: 'return { ...none, deliver: delivering(hit, (reply) => reply.cut()) };',
    replace: "hit(); return { ...none, instead: 'cut' };",
    judge: testFile(
      'packages/bourse/test/sandbox/order-entry-faults.test.ts',
      'over order entry, the client sees each fault',
    ),
  },
  {
    name: 'a late order that is refused at once counts as late',
    file: 'packages/sandbox/src/faults/request-faults.ts',
    find: 'const answer = await this.#handleWith(rule, effect, call, route); this.#unmet.delete(fault); hit();',
    replace:
      'hit(); this.#unmet.delete(fault); const answer = await this.#handleWith(rule, effect, call, route);',
    judge: testFile('packages/bourse/test/sandbox/contract.test.ts', 'a fault that a request did not reach'),
  },
];
