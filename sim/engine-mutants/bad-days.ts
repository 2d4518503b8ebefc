/** Mutants of bad days: what a start finds wrong, a lock that is lost, a clock that jumps, somebody who asks for much. */

import { type EngineMutant, inFile } from './mutant.ts';

const LOST_LOCK = 'packages/engine/test/lost-lock.test.ts';

export const BAD_DAYS: readonly EngineMutant[] = [
  ...inFile('engine/src/log/file-log.ts', [
    {
      name: 'a log is written though its directory may be somebody else’s',
      rule: 'one writer',
      test: LOST_LOCK,
      find: '    if (!this.isOwned()) throw this.giveUp();\n    const frame',
      replace: '    const frame',
    },
    {
      name: 'a record counts though the directory was lost while it was synced',
      rule: 'one writer',
      test: LOST_LOCK,
      find: '    if (!this.isOwned()) throw this.giveUp();\n    this.isBehind = false;',
      replace: '    this.isBehind = false;',
    },
    {
      name: 'segments are removed though the directory may be somebody else’s',
      rule: 'one writer',
      test: LOST_LOCK,
      find: '!this.isBroken && this.isOwned() &&',
      replace: '!this.isBroken &&',
    },
  ]),
  ...inFile('engine/src/engine.ts', [
    {
      name: 'a last record that cannot be applied stops every start',
      rule: 'unfit records',
      test: 'packages/engine/test/unfit-record.test.ts',
      find: 'if (!(error instanceof RecordUnfit) || error.seq !== log.lastSeq || options.isLogShared) throw error;',
      replace: 'throw error;',
    },
    {
      name: 'a record that cannot be applied is set aside though others follow it',
      rule: 'unfit records',
      test: 'packages/engine/test/unfit-record.test.ts',
      find: '|| error.seq !== log.lastSeq || options.isLogShared) throw error;',
      replace: ') throw error;',
    },
    {
      name: 'a record is set aside that history or a snapshot has',
      rule: 'unfit records',
      test: 'packages/engine/test/unfit-record.test.ts',
      find: 'if (error.seq <= knownSeq) throw error;',
      replace: '',
    },
  ]),
  ...inFile('engine/src/sequencer.ts', [
    {
      name: 'what waits when the clock jumps is written with the time of the jump',
      rule: 'clock jumps',
      test: 'packages/engine/test/clock-jump.test.ts',
      find: '    if (this.#hasJumped()) {\n      this.#refuseForClock();\n      return;\n    }\n',
      replace: '',
    },
  ]),
  ...inFile('engine/src/log-time.ts', [
    {
      name: 'a clock that jumps is followed',
      rule: 'clock jumps',
      test: 'packages/engine/test/clock-jump.test.ts',
      find: 'else this.#jumpMs = jump;',
      replace: '',
    },
    {
      name: 'a machine that slept is taken for a clock that jumped',
      rule: 'clock jumps',
      test: 'packages/engine/test/clock-jump.test.ts',
      find: 'jump -= this.#sleptSoFar() - this.#slept;',
      replace: 'jump -= 0;',
    },
  ]),
  ...inFile('engine/src/follower-feed.ts', [
    {
      name: 'history is pruned as soon as a clock that jumped is accepted',
      rule: 'clock jumps',
      test: 'packages/engine/test/clock-jump.test.ts',
      find: 'const PRUNING_PAUSE_MS = 3_600_000;',
      replace: 'const PRUNING_PAUSE_MS = 0;',
    },
  ]),
  ...inFile('bourse/src/startup/sound-history.ts', [
    {
      name: 'a damaged history is believed',
      rule: 'history is looked through',
      test: 'packages/bourse/test/history/sqlite/sound-history.test.ts',
      find: 'if (fault === null) {',
      replace: 'if (fault === null || isLogComplete) {',
    },
    {
      name: 'a history is taken to be sound once it was stamped',
      rule: 'history is looked through',
      test: 'packages/bourse/test/history/sqlite/sound-history.test.ts',
      find: '  await removeFile(stampPath(path));\n',
      replace: '',
    },
  ]),
  ...inFile('api/src/gateway/long-lists.ts', [
    {
      name: 'a long list is read in one piece',
      rule: 'nobody holds up the others',
      test: 'packages/api/test/gateway/long-lists.test.ts',
      find: 'const limit = Math.min(PIECE_ROWS, left);',
      replace: 'const limit = left;',
    },
    {
      name: 'long lists come one after the other, whoever asks',
      rule: 'nobody holds up the others',
      test: 'packages/api/test/gateway/long-lists.test.ts',
      find: '    this.#waiting.delete(user);\n    if (turns.length > 0) this.#waiting.set(user, turns);',
      replace: '    if (turns.length === 0) this.#waiting.delete(user);',
    },
    {
      name: 'one user may have any number of long lists waiting',
      rule: 'nobody holds up the others',
      test: 'packages/api/test/gateway/long-lists.test.ts',
      find: 'const WAITING_MAX = 16;',
      replace: 'const WAITING_MAX = Infinity;',
    },
  ]),
  ...inFile('engine/src/io/directory-lock.ts', [
    {
      name: 'a lock file that was replaced counts as the one that is locked',
      rule: 'one writer',
      test: LOST_LOCK,
      find: 'isHeld: () => locked !== null && identityOf(path) === locked,',
      replace: 'isHeld: () => true,',
    },
    {
      name: 'a start does not wait for the owner whose lock file is missing',
      rule: 'one writer',
      test: LOST_LOCK,
      find: 'const TAKE_OVER_MS = 3 * HELD_LOOK_MS;',
      replace: 'const TAKE_OVER_MS = 0;',
    },
  ]),
  ...inFile('engine/src/io/node-disk.ts', [
    {
      name: 'files of the log are for everybody to read',
      rule: 'private files',
      test: 'packages/engine/test/io/private-files.test.ts',
      find: 'const FILE_MODE = 0o600;',
      replace: 'const FILE_MODE = 0o666;',
    },
  ]),
];
