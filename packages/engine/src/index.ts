/**
 * The interface of this package: log, history, sequencer and follower, and the only code that accesses clock and
 * disk.
 */

export {
  type CommandBatch,
  CommandQueue,
  mastersIn,
  noCommands,
  loadOf,
  RecordBudget,
  type RecordLoad,
  workOf,
  commandBytes,
} from './command-queue.ts';
export { Digest, DIGEST_LAYOUT } from './digest.ts';
export {
  DEFAULT_SEQUENCER_LIMITS,
  type EngineSequencer,
  type SequencerLimits,
  type SequencerParts,
  CLOCK_TRUSTED,
  jumped,
  UNAVAILABLE_TEXTS,
} from './sequencer.ts';
export { type Engine, type EngineOptions, openEngine } from './engine.ts';
export {
  type CommandResult,
  type EngineHealth,
  type ExchangePort,
  isUnavailableReason,
  OPERATOR,
  type Published,
  type Sender,
  submit,
  submitAll,
  Unavailable,
  type UnavailableReason,
  type Waiter,
  ForwardingPort,
  PublishedRecord,
  overriding,
} from './exchange-port.ts';
export {
  logDirectory,
  logReaderIn,
  openFileStorage,
  SEGMENT_BYTES,
  snapshotsIn,
  LogReplay,
} from './file-storage.ts';
export { FollowerThread, serveFollower } from './follower-thread.ts';
export { FollowerThreads } from './follower-threads.ts';
export {
  DEFAULT_FOLLOWER_LIMITS,
  Diverged,
  type FollowerLimits,
  type FollowerLink,
  type FollowerParts,
  HISTORY,
  openFollower,
} from './follower.ts';
export { LogRetention, type CopiedSegments, copyLog, copySegments, findCut } from './log/log-copy.ts';
export { LogTime } from './log-time.ts';
export { recover, type RecoveryProgress } from './recovery.ts';
export { type SnapshotInfo, snapshotPath, Snapshots } from './snapshots.ts';
export { ByteSink, ByteSource, Malformed } from './bytes.ts';
export {
  type Candle,
  type Interval,
  INTERVAL_NAMES,
  isInterval,
  joined,
  startOf,
  withTrade,
} from './history/candles.ts';
export {
  foldCandles,
  auditOf,
  type Counts,
  countsAfter,
  entriesOf,
  entryOf,
  fillsOf,
  NO_COUNTS,
} from './history/rows.ts';
export { historyRecordOf } from './history/history-record.ts';
export {
  type AuditRow,
  COUNT_MAX,
  type Counted,
  type DoneStop,
  EVERYBODY,
  type FillFilter,
  type FillRow,
  HistoryDamaged,
  type HistoryOrder,
  type HistoryReader,
  type HistoryRecord,
  type HouseRow,
  HistoryUnfit,
  LAST_TRADES_MAX,
  type LedgerCause,
  type LedgerRow,
  type Moved,
  type MovedFilter,
  type OrderFilter,
  type Page,
  type Span,
  type TradeRow,
  readSteadily,
  type SteadyRead,
} from './history/history.ts';
export { faultOfHistory, faultOfVersion, newestRows } from './history/sqlite/soundness.ts';
export { SqliteHistoryReader } from './history/sqlite/sqlite-history-reader.ts';
export { SqliteHistoryWriter, type WriterOptions } from './history/sqlite/sqlite-history-writer.ts';
export { type Clock, nodeClock, pause, makeRests, yieldToOthers } from './io/clock.ts';
export {
  DirectoryInUse,
  type DirectoryLock,
  lockDirectory,
  makeLockFile,
  waitForOthers,
} from './io/directory-lock.ts';
export { diskRoom, nodeDisk, type Disk } from './io/disk.ts';
export {
  copyDirectory,
  copyFile,
  moveDurably,
  readFilePieces,
  writeFileFrom,
  writeFilePieces,
  writeToStdout,
  firstMissing,
  inTemporaryDirectory,
  removeDirectory,
  findShared,
  isOpenToAll,
  makePrivateFile,
  stampOf,
} from './io/files.ts';
export {
  isPageFolder,
  PAGE_BUILD_SCRIPT,
  PAGE_FOLDER,
  readPageFiles,
  appendDurableText,
  filesIn,
  isFile,
  isInside,
  readLines,
  readText,
  removeFile,
  writeDurableText,
  writePrivateText,
} from './io/small-files.ts';
export {
  shortened,
  visibleLine,
  visibleLines,
  isFull,
  systemReason,
  systemSentence,
} from './io/shown-text.ts';
export {
  CheckpointSigner,
  type Checkpoint,
  LogRewritten,
  NoteUnfit,
  openCheckpoint,
} from './transparency/checkpoint.ts';
export {
  ConsistencyMaker,
  GrowingTree,
  isConsistent,
  ProofMaker,
  rootOfProof,
  digestIn,
  leafOf,
  levelSizes,
  levelsOf,
  NODE_BYTES,
  nonceOf,
  siblingsOf,
  sumIn,
} from './transparency/merkle-trees.ts';
export {
  type ListenAddress,
  readUnixUrl,
  removeStaleSocket,
  shareWithGroup,
  unixUrl,
} from './io/unix-socket.ts';
export {
  type Appending,
  type CommandLog,
  LogBroken,
  LogConflict,
  LogDamaged,
  LogFull,
  LogGone,
  type LogSource,
  LogTooNew,
} from './log/command-log.ts';
export type { FileLog } from './log/file-log.ts';
export { findEnd, goToEnd, lost, type Tail } from './log/log-end.ts';
export { isMissing, LogReader } from './log/log-reader.ts';
export {
  BODY_BYTES_MIN,
  chainHash,
  FRAME_EXTRA_BYTES,
  HASH_BYTES,
  isHashAt,
  LENGTH_BYTES,
  NO_HASH,
  readBody,
  readFrame,
  RecordWriter,
} from './log/record.ts';
export { SegmentReader, segmentName, segmentsAmong } from './log/segment.ts';
export { readCommand, writeCommand } from './log/command-codec.ts';
