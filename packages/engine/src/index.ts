/**
 * The interface of this package: log, history, sequencer and follower, and the only code that accesses clock and
 * disk.
 */

export {
  type CommandBatch,
  commandBytes,
  CommandQueue,
  loadOf,
  mastersIn,
  noCommands,
  RecordBudget,
  type RecordLoad,
  workOf,
} from './command-queue.ts';
export { Digest, DIGEST_LAYOUT } from './digest.ts';
export {
  CLOCK_TRUSTED,
  DEFAULT_SEQUENCER_LIMITS,
  type EngineSequencer,
  jumped,
  type SequencerLimits,
  type SequencerParts,
  UNAVAILABLE_TEXTS,
} from './sequencer.ts';
export { type Engine, type EngineOptions, openEngine } from './engine.ts';
export {
  type CommandResult,
  type EngineHealth,
  type ExchangePort,
  ForwardingPort,
  isUnavailableReason,
  OPERATOR,
  overriding,
  type Published,
  PublishedRecord,
  type Sender,
  submit,
  submitAll,
  Unavailable,
  type UnavailableReason,
  type Waiter,
} from './exchange-port.ts';
export {
  endFinderIn,
  logDirectory,
  logReaderIn,
  LogReplay,
  openFileStorage,
  SEGMENT_BYTES,
  snapshotsIn,
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
export { type CopiedSegments, copyLog, copySegments, findCut, LogRetention } from './log/log-copy.ts';
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
  auditOf,
  type Counts,
  countsAfter,
  entriesOf,
  entryOf,
  fillsOf,
  foldCandles,
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
  HistoryUnfit,
  type HouseRow,
  LAST_TRADES_MAX,
  type LedgerCause,
  type LedgerRow,
  type Moved,
  type MovedFilter,
  type OrderFilter,
  type Page,
  readSteadily,
  type Span,
  type SteadyRead,
  type TradeRow,
} from './history/history.ts';
export { faultOfHistory, faultOfVersion, newestRows } from './history/sqlite/soundness.ts';
export { SqliteHistoryReader } from './history/sqlite/sqlite-history-reader.ts';
export { SqliteHistoryWriter, type WriterOptions } from './history/sqlite/sqlite-history-writer.ts';
export { type Clock, makeRests, nodeClock, pause, yieldToOthers } from './io/clock.ts';
export {
  DirectoryInUse,
  type DirectoryLock,
  lockDirectory,
  lockForReading,
  makeLockFile,
  waitForOthers,
} from './io/directory-lock.ts';
export { type Disk, diskRoom, nodeDisk } from './io/disk.ts';
export {
  copyDirectory,
  copyFile,
  findShared,
  firstMissing,
  inTemporaryDirectory,
  isOpenToAll,
  makePrivateFile,
  moveDurably,
  readFilePieces,
  removeDirectory,
  stampOf,
  UNFINISHED,
  writeFileFrom,
  writeFilePieces,
  writeToStdout,
} from './io/files.ts';
export {
  appendDurableText,
  filesIn,
  isFile,
  isInside,
  isPageFolder,
  PAGE_BUILD_SCRIPT,
  PAGE_FOLDER,
  readLines,
  readPageFiles,
  readText,
  removeFile,
  writeDurableText,
  writePrivateText,
} from './io/small-files.ts';
export {
  isFull,
  shortened,
  systemReason,
  systemSentence,
  visibleLine,
  visibleLines,
} from './io/shown-text.ts';
export {
  type Checkpoint,
  CheckpointSigner,
  LogRewritten,
  NoteUnfit,
  openCheckpoint,
} from './transparency/checkpoint.ts';
export {
  ConsistencyMaker,
  digestIn,
  GrowingTree,
  isConsistent,
  leafOf,
  levelSizes,
  levelsOf,
  NODE_BYTES,
  nonceOf,
  ProofMaker,
  rootOfProof,
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
export { type EndFinder, findEnd, goToEnd, lost, type Tail } from './log/log-end.ts';
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
export { segmentName, SegmentReader, segmentsAmong } from './log/segment.ts';
export { readCommand, writeCommand } from './log/command-codec.ts';
