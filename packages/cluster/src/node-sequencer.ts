/**
 * The sequencer of a cluster's node. All nodes apply the records of the log in order; the leader appends them. A record is
 * applied only when it is durable, even by its writer: so a rejected append leaves nothing behind, the node continues from
 * the log, and its callers' commands are sent to the new leader.
 *
 *     send --> waiting --+-- leading: queue --> record --> LOG --+--> applied --> published, answered
 *                        +-- courier --> the leader's queue -----+
 *
 * The record names the owner of each command. So its node answers it from the log, even if the leader has failed since.
 */

import type { Command, Exchange } from '@bourse/core';
import {
  type Clock,
  commandBytes,
  DEFAULT_SEQUENCER_LIMITS,
  type EngineSequencer,
  noCommands,
  UNAVAILABLE_TEXTS,
  type Sender,
  type SequencerLimits,
  type SequencerParts,
  Unavailable,
  type UnavailableReason,
  type Waiter,
} from '@bourse/engine';
import { ANSWER_MS, FULL_MS, LEADERLESS_MS, LogSilence } from './deadlines.ts';
import { type Bus, SUBJECTS } from './messages/bus.ts';
import { Dispute, SnapshotAgreement } from './states/dispute.ts';
import type { JetStreamLog } from './stream/jetstream-log.ts';
import { Leadership, Leading, type NextRecord } from './leadership/leadership.ts';
import { LogTurns } from './log-turns.ts';
import { type NodeMessage, readNodeMessage } from './messages/node-messages.ts';
import { ClockWatch, OwnClock } from './leadership/clocks.ts';
import { type Heard, type HeardNode, isTakeoverDue, type NextRules } from './leadership/presence.ts';
import { type AppliedHere, type Listener, RecordApplier } from './record-applier.ts';
import type { RecordMessage, Writer } from './stream/record-stream.ts';
import { WaitingCommands } from './waiting-commands.ts';

/** The parts of a node's sequencer. */
interface NodeSequencerParts extends Omit<SequencerParts, 'log'> {
  readonly log: JetStreamLog;
  readonly bus: Bus;
  readonly name: string;
  /** An id of this process, new at each start. */
  readonly run: string;
  readonly heard: (run: string) => Heard;
  /** A lower bound of a process's monotonic clock: see command-courier.ts. */
  readonly clockOf: (run: string) => number | null;
  /** The rank of this node among those heard: 0 takes over first. */
  readonly rank: () => number;
  /** The process that should lead instead if the clock here cannot be followed; null for none. */
  readonly successor: () => string | null;
  /** How far this node's wall clock is ahead of most others'; negative: behind. */
  readonly aheadMs: () => number;
  /** How far the last record is ahead of it if no other node is alive; otherwise 0. */
  readonly aloneBehindMs: () => number;
  /** The rules of the next record: those that all nodes support. */
  readonly rules: () => NextRules;
}

const BEAT_MS = 100;
/** The share of the largest message that commands may fill; the rest is for the callers of each. */
const RECORD_SHARE = 1 / 2;

export class NodeSequencer implements EngineSequencer {
  readonly snapshots: SnapshotAgreement;
  readonly #parts: NodeSequencerParts;
  readonly #log: JetStreamLog;
  readonly #exchange: Exchange;
  readonly #applier: RecordApplier;
  readonly #dispute: Dispute;
  readonly #clock: Clock;
  readonly #run: string;
  readonly #limits: SequencerLimits;
  readonly #waiting = new WaitingCommands();
  readonly #leadership: Leadership;
  readonly #turns: LogTurns;
  readonly #unsubscribe: (() => void)[];
  readonly #ownClock: OwnClock;
  readonly #clockWatch: ClockWatch;
  #isAwake = false;
  #fullAt = -Infinity;
  #mustLead = false;
  #isClosing = false;
  #stopped: Error | null = null;
  readonly #silence: LogSilence;
  #applyMs = 0;
  #cancelBeat: () => void = () => undefined;
  readonly #bell = new TurnBell();

  constructor(parts: NodeSequencerParts) {
    const { log, exchange, clock, bus, run, limits } = parts;
    this.#parts = parts;
    this.#log = log;
    this.#exchange = exchange;
    this.#applier = new RecordApplier(exchange, parts.digest, (seq, { writer, digest }) =>
      this.#dispute.begin(seq, writer.run, digest),
    );
    this.#dispute = new Dispute({
      bus,
      clock,
      run,
      digestAfter: (seq) => this.#applier.digestAfter(seq),
      state: exchange,
      onLost: (why) => this.stop(why),
      onWon: () => {
        this.#applier.forgetDigest();
        this.lead();
      },
    });
    this.snapshots = new SnapshotAgreement(this.#dispute);
    this.#clock = clock;
    this.#ownClock = new OwnClock(clock, parts.clockJumpMsMax, parts.aheadMs);
    this.#clockWatch = new ClockWatch(parts);
    this.#run = run;
    this.#limits = { ...DEFAULT_SEQUENCER_LIMITS, ...limits };
    this.#leadership = new Leadership({
      bus,
      clock,
      run,
      waiting: this.#waiting,
      clockOf: parts.clockOf,
      leader: log.lastWriter,
      begin: (term) => this.#beginLeading(term),
    });
    this.#turns = new LogTurns({
      log,
      bus,
      clock: clock.machine,
      onRecord: (message) => this.#apply(message),
      onEnd: (at) => this.#silence.endAt(at),
      onDone: () => this.#wake(),
      onFailure: (error) => this.stop(error),
    });
    this.#silence = new LogSilence(clock);
    this.#unsubscribe = [
      bus.subscribe(SUBJECTS.tail, (bytes) => this.#turns.receiveTail(bytes)),
      bus.subscribe(SUBJECTS.to(run), (bytes) => this.#receive(readNodeMessage(bytes))),
    ];
    this.#beat();
  }

  get state(): EngineSequencer['state'] {
    if (this.#stopped || this.#isClosing) return 'stopped';
    if (this.#leading?.hasJumped() || this.#clockWatch.isOff) return 'clock';
    if (this.#isFull) return 'full';
    return this.isInDispute || this.silentMs > LEADERLESS_MS ? 'no-leader' : 'open';
  }

  /** Nodes have different states, and it is not known which is right: all requests are rejected. */
  get isInDispute(): boolean {
    return this.#dispute.isOpen;
  }

  get stopReason(): Error | null {
    return this.#stopped;
  }

  get waiting(): number {
    return this.#waiting.count;
  }

  get isLeading(): boolean {
    return this.#leading !== null;
  }

  get #leading(): Leading | null {
    return this.#leadership.leading;
  }

  /** The writer of the last record; its name is empty if there is none. */
  get leader(): Writer {
    return this.#leadership.leader;
  }

  get seq(): number {
    return this.#exchange.seq;
  }

  /** The digest of all effects so far: the same on every node at the same record. Empty after a start. */
  get digest(): string {
    return this.#applier.digest;
  }

  /** Milliseconds since this node was known to have the complete log. */
  get ageMs(): number {
    return this.#silence.ageMs;
  }

  /** Milliseconds since the log was known to be complete here and to have a leader; servers may respond but store nothing. */
  get silentMs(): number {
    const { recordMs, ageMs } = this.#silence;
    if (this.#leading) return Math.max(ageMs, this.#turns.appendingMs);
    return Math.max(ageMs, Math.min(recordMs, this.#parts.heard(this.leader.run).silentMs));
  }

  /** Compares another process's announced state, unless it has stopped: without appends, no record compares digests. */
  compare(node: Pick<HeardNode, 'run' | 'seq' | 'digest' | 'state'>): void {
    const isLeader = node.run === this.leader.run;
    if (!this.#stopped && node.state !== 'stopped' && !this.#applier.agreesWith(node, isLeader))
      this.#dispute.begin(node.seq, node.run, node.digest);
  }

  get aheadMs(): number {
    return Math.max(0, this.#exchange.time - this.#clock.now());
  }

  acceptClock(): void {
    this.#ownClock.accept();
    this.#clockWatch.accept();
    this.#leading?.acceptClock();
    this.#wake();
  }

  lead(): void {
    this.#mustLead = true;
    this.#takeOverIfDue();
  }

  send(command: Command, waiter: Waiter, sender: Sender): void {
    const bytes = commandBytes(command);
    const refused = this.#refusal(bytes);
    if (refused) throw this.#unavailable(refused);
    const numbered = this.#waiting.add(command, bytes, this.#clock.machine.elapsed(), waiter, sender);
    this.#silence.awaitRecord();
    this.#leadership.send(numbered);
    this.#wake();
  }

  #refusal(bytes: number): UnavailableReason | null {
    const { queueMax, queueBytesMax, doneMax } = this.#limits;
    if (this.#stopped || this.#isClosing) return 'stopped';
    if (this.isInDispute) return 'no-leader';
    if (this.#leading?.hasJumped()) return 'clock';
    if (this.#isFull) return 'disk-full';
    if (this.#waiting.count >= queueMax || this.#waiting.bytes + bytes > queueBytesMax) return 'queue-full';
    if (bytes > this.#recordBytesMax) return 'queue-full';
    return this.#exchange.doneCount > doneMax ? 'history-behind' : null;
  }

  get #isFull(): boolean {
    return this.#clock.machine.elapsed() - this.#fullAt < FULL_MS;
  }

  get #recordBytesMax(): number {
    return Math.min(this.#limits.recordBytesMax, this.#log.messageBytesMax * RECORD_SHARE);
  }

  #unavailable(reason: UnavailableReason): Unavailable {
    const why = reason === 'stopped' ? this.#stopped?.message : undefined;
    return new Unavailable(reason, why ?? UNAVAILABLE_TEXTS[reason]);
  }

  async read<T>(query: (exchange: Exchange) => T): Promise<T> {
    if (this.#stopped) throw this.#unavailable('stopped');
    if (this.isInDispute) throw this.#unavailable('no-leader');
    return query(this.#exchange);
  }

  subscribe(listener: Listener): () => void {
    this.#applier.listeners.add(listener);
    return () => {
      this.#applier.listeners.delete(listener);
    };
  }

  get isSettled(): boolean {
    return this.#stopped !== null || this.#waiting.count === 0;
  }

  async settled(): Promise<void> {
    while (!this.isSettled) await this.#bell.next();
  }

  /**
   * What is undecided is decided first, so that nobody has to find out the result of an append, and no state is written
   * that may be wrong. But a log without its majority decides nothing, and tries an append until the log is closed: after
   * ANSWER_MS no caller waits any more, and this node leaves the rest to its next start.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    const { machine } = this.#clock;
    const until = machine.elapsed() + ANSWER_MS;
    // Every beat rings.
    while (this.#isUndecided && machine.elapsed() < until) await this.#bell.next();
    if (this.#isUndecided) this.discard(new Error('the node was closed before the log had answered'));
    else this.#end();
  }

  get #isUndecided(): boolean {
    return !this.#stopped && (this.#waiting.count > 0 || this.#turns.isBusy || this.isInDispute);
  }

  discard(why: Error): void {
    if (this.#stopped) return;
    this.#stopped = why;
    this.#end();
    this.#waiting.giveUpAll(this.#unavailable('stopped'));
    this.#bell.ring();
  }

  stop(why: Error): void {
    if (this.#stopped) return;
    this.discard(why);
    this.#parts.onStop?.(why);
  }

  #end(): void {
    this.#cancelBeat();
    this.#leadership.end();
    this.#dispute.close();
    this.#turns.close();
    for (const each of this.#unsubscribe.splice(0)) each();
  }

  #receive(message: NodeMessage | null): void {
    if (message === null) return;
    if (message.kind === 'lead') {
      this.lead();
      return;
    }
    this.#leadership.receive(message);
    if (message.kind === 'commands') this.#wake();
  }

  /** Runs after everything that has already arrived, so that commands that arrive together go together. */
  #wake(): void {
    if (this.#isAwake || this.#stopped) return;
    this.#isAwake = true;
    this.#clock.soon(() => {
      this.#isAwake = false;
      this.#bell.ring();
      if (this.#leading) this.#pump(this.#leading);
      else this.#leadership.flush();
    });
  }

  #beat(): void {
    this.#cancelBeat = this.#clock.machine.after(BEAT_MS, () => {
      this.#waiting.giveUpBefore(this.#clock.machine.elapsed() - ANSWER_MS);
      this.#ownClock.look();
      this.#clockWatch.look();
      this.#silence.beat();
      void this.#turns.check(this.ageMs);
      if (this.#leading) this.#pump(this.#leading);
      else {
        this.#leadership.sendAgain();
        this.#takeOverIfDue();
      }
      this.#bell.ring();
      if (!this.#stopped) this.#beat();
    });
  }

  #takeOverIfDue(): void {
    if (this.#turns.isBusy || this.#stopped || this.#isClosing || this.#leading) return;
    const { heard, rank } = this.#parts;
    const [{ recordMs, stuckMs }, hasNoLeader] = [this.#silence, !this.#leadership.hasLeader];
    const silence = { ...heard(this.leader.run), recordMs, stuckMs, hasNoLeader, rank: rank() };
    if ((!this.#mustLead && !isTakeoverDue(silence)) || this.#clockWatch.isOff) return;
    const time = this.#ownClock.makeTime(this.#log.lastTime).now();
    void this.#append(
      { batch: noCommands(), until: Infinity, time, load: 'everything' },
      this.#log.lastSeq + 1,
    );
  }

  #pump(leading: Leading): void {
    if (this.#turns.isBusy || this.#stopped) return;
    const next = leading.next(this.snapshots.isWanted);
    if (next) void this.#append(next, leading.term);
    else leading.armDue(() => this.#wake());
  }

  async #append(next: NextRecord, term: number): Promise<void> {
    const { log, name, rules } = this.#parts;
    const [commands, origins] = [[...next.batch.commands], [...next.batch.waiters]];
    const { version, known } = rules();
    const record = { seq: log.lastSeq + 1, time: next.time, rules: version, commands };
    for (const { run, id } of origins) if (run === this.#run) this.#waiting.underWay(id);
    const writer = { name, run: this.#run, term };
    const { digest } = this.#applier;
    const tags = { writer, digest, origins, isSnapshotDue: this.snapshots.consumeRequest(), known };
    const result = await this.#turns.append(record, tags, next.until);
    if (result === 'appended') this.#leading?.note(next, this.#applyMs, this.#applier.waits);
    if (result === 'given-up') this.#leading?.refuse(origins, 'expired');
    if (result !== 'full') return;
    this.#fullAt = this.#clock.machine.elapsed();
    this.#leading?.refuse(origins, 'disk-full');
  }

  #apply(message: Pick<RecordMessage, 'record' | 'tags'>): void {
    if (this.#stopped) return;
    const { origins, writer, isSnapshotDue } = message.tags;
    const isAwaited = origins.some(({ run }) => run === this.#run);
    const startedAt = this.#clock.machine.elapsed();
    let applied: AppliedHere;
    try {
      applied = this.#applier.apply(message, isAwaited);
    } catch (error) {
      this.#break(error as Error);
      return;
    }
    this.#applyMs = this.#clock.machine.elapsed() - startedAt;
    if (writer.run !== this.#run) this.#ownClock.compare(message.record.time);
    this.#waiting.answerAll(message, this.#run, applied);
    this.#silence.endWithRecord(this.#waiting.count > 0);
    if (isSnapshotDue) this.snapshots.due(message.record.seq);
    this.#follow(writer);
  }

  /** A broken invariant, or a subscriber failed: the process ends, and its next start reads the same log. */
  #break(error: Error): void {
    this.stop(error);
    queueMicrotask(() => {
      throw error;
    });
  }

  #follow(writer: Writer): void {
    if (!this.#leadership.follow(writer)) return;
    this.#mustLead = false;
    this.#wake();
  }

  #beginLeading(term: number): Leading {
    return new Leading({
      ...this.#parts,
      limits: this.#limits,
      recordBytesMax: this.#recordBytesMax,
      term,
      time: this.#ownClock.makeTime(this.#log.lastTime),
      isClockOff: () => this.#clockWatch.isOff,
      onRefused: (id, reason) => this.#waiting.refuse(id, reason),
    });
  }
}

/** Wakes waiters when something has changed, so that they check again. */
class TurnBell {
  #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  ring(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
