/**
 * A node of a simulated cluster, with the sequencer, log, presence and live side of the follower of a real one; it starts by
 * recovery.
 */

import { Exchange, type LogRecord, RULES_VERSION } from '@bourse/core';
import { deriveClusterKeys, Forgeries } from '../../packages/cluster/src/authentication.ts';
import { AuthenticatedBus } from '../../packages/cluster/src/messages/bus.ts';
import { RecordMac } from '../../packages/cluster/src/stream/record-stream.ts';
import { JetStreamLog } from '../../packages/cluster/src/stream/jetstream-log.ts';
import { NodeSequencer } from '../../packages/cluster/src/node-sequencer.ts';
import { LogClock } from '../../packages/cluster/src/leadership/clocks.ts';
import { Presence } from '../../packages/cluster/src/leadership/presence.ts';
import { Digest } from '../../packages/engine/src/digest.ts';
import type { FollowerLink } from '../../packages/engine/src/follower.ts';
import { FollowerDriver } from '../../packages/engine/src/follower-driver.ts';
import type { SequencerParts } from '../../packages/engine/src/sequencer.ts';
import { Connection, type Network } from './network.ts';
import { SimProcess, type Timeline } from './timeline.ts';

/** Records between two snapshots. */
const SNAPSHOT_RECORDS = 40;
const LOOK_MS = 1000;
/** Maximum duration of a snapshot. */
const SNAPSHOT_MS = 800;
/** As in production: a dispute lasts a second, so every node begins a round during it. */
const FOLLOW_MS = 1000;

/** A wall clock that differs from the others by more than this is not followed. */
export const JUMP_MS_MAX = 300_000;

export const SIM_KEYS = deriveClusterKeys('5b'.repeat(32), 'sim');

export interface SimNodeOptions {
  readonly name: string;
  /** Identifies this process. */
  readonly run: string;
  readonly skewMs: number;
  /** The newest rules that its version supports. */
  readonly rules: number;
}

export class SimNode {
  readonly name: string;
  readonly rules: number;
  readonly process: SimProcess;
  readonly exchange = new Exchange();
  sequencer: NodeSequencer | null = null;
  presence: Presence | null = null;
  stopped: Error | null = null;
  /** Violations by this node. */
  readonly faults: string[] = [];
  /** Drops the commands of the next record it applies, to simulate corrupted memory or a version's bug. */
  isTampered = false;
  /** Number of complete states compared with other nodes. */
  snapshots = 0;
  /** null while it starts. */
  follower: FollowerDriver | null = null;

  constructor(network: Network, timeline: Timeline, options: SimNodeOptions) {
    this.name = options.name;
    this.rules = options.rules;
    this.process = new SimProcess(timeline);
    void this.#start(network, options);
  }

  get isReady(): boolean {
    return this.sequencer !== null && this.process.isRunning && this.stopped === null;
  }

  kill(): void {
    this.process.kill();
  }

  async #start(network: Network, { name, run, skewMs, rules }: SimNodeOptions): Promise<void> {
    const connection = new Connection(network, this.process, name);
    const clock = this.process.clock(skewMs);
    const forgeries = new Forgeries(clock, () => undefined);
    const { messages: key, records } = SIM_KEYS;
    const bus = new AuthenticatedBus({ bus: connection, key, run, clock, forgeries });
    const presence = new Presence({ name, run, url: '', rules }, bus, clock);
    const mac = new RecordMac(records);
    const onForged = (at: number): void => forgeries.record(at);
    const log = await JetStreamLog.open({ stream: connection, clock, mac, onForged });
    presence.compareWith(new LogClock(log, clock));
    for await (const record of log.read(1, log.lastSeq)) this.#apply(record);
    const { exchange } = this;
    const apply = exchange.apply.bind(exchange);
    exchange.apply = (record) => apply(this.#asApplied(record));
    const digest = new Digest();
    const sequencer = new NodeSequencer({
      log,
      exchange,
      clock,
      digest,
      bus,
      name,
      run,
      heard: (each) => presence.heard(each),
      clockOf: (each) => presence.clockOf(each),
      rank: () => presence.rank(sequencer.leader.run),
      successor: () => presence.successor(),
      aheadMs: () => presence.aheadMs(),
      aloneBehindMs: () => presence.aloneBehindMs(),
      rules: () => presence.nextRules(log.lastRules, log.lastKnown),
      clockJumpMsMax: JUMP_MS_MAX,
      onStop: (why) => (this.stopped = why),
    });
    presence.onHeard((said) => sequencer.compare(said));
    this.#takeSnapshots(sequencer, network);
    this.sequencer = sequencer;
    this.follower = this.#follow(sequencer, { log, digest, clock });
    this.presence = presence;
    presence.begin(
      '',
      () => ({
        seq: sequencer.seq,
        digest: sequencer.digest,
        isLeader: sequencer.isLeading,
        state: this.stopped ? 'stopped' : sequencer.isLeading ? 'leading' : 'following',
        silentMs: sequencer.silentMs,
      }),
      () => undefined,
    );
  }

  /** The follower itself is not simulated: it reaches every target at once. */
  #follow(
    sequencer: NodeSequencer,
    { log, digest, clock }: Pick<SequencerParts, 'log' | 'digest' | 'clock'>,
  ): FollowerDriver {
    const { exchange } = this;
    const link: Pick<FollowerLink, 'follow'> = {
      follow: async ({ seq }) => ({
        seq,
        snapshot: null,
        isSnapshotMissed: false,
        oldestSnapshot: 0,
        removable: 0,
        keptBecause: null,
      }),
    };
    return new FollowerDriver({
      sequencer,
      link: link as FollowerLink,
      exchange,
      digest,
      log,
      clock: clock.machine,
      digestFrom: exchange.seq,
      checkpoint: exchange.seq,
      snapshotSeq: 0,
      logBytes: 0,
      keepSegments: true,
      pauseMs: FOLLOW_MS,
      onSnapshot: () => undefined,
      onWarning: () => undefined,
    });
  }

  /**
   * Like a real node: the leader decides when, all nodes take it after the same record, and complete it some time
   * later.
   */
  #takeSnapshots(sequencer: NodeSequencer, { random }: Network): void {
    let dueSeq = sequencer.seq;
    sequencer.snapshots.onDue((seq) => {
      dueSeq = seq;
      const hash = this.exchange.hash();
      this.process.after(random.below(SNAPSHOT_MS), () => {
        this.snapshots++;
        if (this.stopped === null) sequencer.snapshots.announce(seq, hash);
      });
    });
    const look = (): void => {
      if (sequencer.isLeading && sequencer.seq - dueSeq >= SNAPSHOT_RECORDS) sequencer.snapshots.request();
      this.process.after(LOOK_MS, look);
    };
    this.process.after(LOOK_MS, look);
  }

  #apply(record: LogRecord): void {
    this.exchange.apply(this.#asApplied(record));
  }

  #asApplied(record: LogRecord): LogRecord {
    const { rules = 1, seq, commands } = record;
    if (rules > this.rules) {
      this.faults.push(
        `${this.name} knows rules ${this.rules} and was given record ${seq} of rules ${rules}`,
      );
    }
    if (!this.isTampered || commands.length === 0) return record;
    this.isTampered = false;
    // One outcome per command.
    return {
      ...record,
      commands: commands.map((_, i) => ({ kind: 'add-user', name: `tampered-${seq}-${i}` })),
    };
  }
}

export const NEWEST_RULES = RULES_VERSION;
