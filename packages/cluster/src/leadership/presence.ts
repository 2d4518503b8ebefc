/**
 * The nodes that are alive, and when one of them takes over. Each announces its state twice a second, and
 * counts as gone after a while of silence.
 */

import type { Clock } from '@bourse/engine';
import { UNHEARD_MS } from '../deadlines.ts';
import { type Bus, isCount, isText, parseMessage, SUBJECTS } from '../messages/bus.ts';
import type { KnownRules } from '../stream/record-stream.ts';
import type { LogClock } from './clocks.ts';

/** How long to wait after a leader has announced that it leaves. */
const LEFT_MS = 500;
/** How long a node, even the leader, may be silent before it counts as gone. */
export const GONE_MS = 2000;
/** How long a leader may be heard without appending while commands are pending. */
const STUCK_MS = 10_000;
/** Delay between two nodes that may take over. */
const STEP_MS = 300;

/** Time since a process was last heard. */
export interface Heard {
  readonly heardMs: number;
  /** The same, and before that for how long it did not know itself that the log takes records. */
  readonly silentMs: number;
  /** It announced that it leaves. */
  readonly hasLeft: boolean;
}

export interface Silence extends Heard {
  /** Since the last record of the log arrived. */
  readonly recordMs: number;
  /** Since a command has been pending without a record; 0 if none is. */
  readonly stuckMs: number;
  /** The log has no leader: it is empty, or its last writer was not a node. */
  readonly hasNoLeader: boolean;
  /** The node's rank among those heard: 0 tries first. */
  readonly rank: number;
}

/**
 * The leader announces itself twice a second, so silence means that it is gone. A leader that announces
 * itself but appends nothing, although commands are pending, gets more time: another node could not append
 * either. Nodes try one after the other, because two at once would only cost a rejected append.
 */
export function isTakeoverDue(silence: Silence): boolean {
  const { recordMs, heardMs, hasLeft, stuckMs, hasNoLeader, rank } = silence;
  const waitMs = rank * STEP_MS;
  if (hasNoLeader) return recordMs >= waitMs;
  if (stuckMs >= STUCK_MS + waitMs) return true;
  return Math.min(recordMs, heardMs) >= (hasLeft ? LEFT_MS : GONE_MS) + waitMs;
}

export interface NodeState {
  readonly seq: number;
  readonly digest: string;
  readonly isLeader: boolean;
  /** `behind`: the log has records that are not applied here yet. */
  readonly state: 'leading' | 'following' | 'behind' | 'no-leader' | 'stopped';
  /** Fingerprints of its settings: see cluster-setup.ts. Omitted while it starts. */
  readonly settings?: string;
  /** Time since it last knew that the log accepts records. Omitted while it starts. */
  readonly silentMs?: number;
}

export interface NodeIdentity {
  readonly name: string;
  /** Identifies this process. */
  readonly run: string;
  /** Its address for operators and clients; empty while it starts. */
  readonly url: string;
  /** The newest rules it supports. */
  readonly rules: number;
}

export interface HeardNode extends NodeIdentity, NodeState {
  /** It was ready once; a node that failed to start is not missing when it is gone. */
  readonly isMember: boolean;
  /** Milliseconds ago. */
  readonly heardMs: number;
  /** How far its wall clock is ahead of this node's; negative: behind. Accurate to the latency of a message. */
  readonly aheadMs: number;
  /** How far its wall clock is from most others', by its own account. */
  readonly offMs: number;
}

/** The rules of the next record, and the versions that the nodes support. */
export interface NextRules {
  readonly version: number;
  readonly known: readonly KnownRules[];
}

interface Announcement extends NodeIdentity, NodeState {
  /** Its wall clock. */
  readonly now: number;
  /** Its monotonic clock. */
  readonly elapsed: number;
  /** How far from most others' its wall clock is. */
  readonly offMs: number;
  /** `asks`: requests announcements. `leaves`: it is stopping. */
  readonly why: 'is' | 'asks' | 'leaves';
}

interface HeardClock {
  /** How far its monotonic clock is ahead of this process's, from the message with the lowest latency. */
  readonly monotonicAheadMs: number;
  /** How much longer the last message took. */
  readonly lateMs: number;
}

interface LastAnnouncement extends HeardClock {
  readonly isMember: boolean;
  readonly announced: Announcement;
  readonly at: number;
}

const EVERY_MS = 500;
/** After a record a node waits this long before it announces, so that several records cost one message. */
const TOGETHER_MS = 100;
/** After this long it is removed. */
const FORGOTTEN_MS = 600_000;
const NODES_MAX = 64;
/** More than the drift between monotonic clocks. */
const DRIFT = 1 / 1000;
/** A larger difference is reported: signed requests and the time of records depend on the clocks. */
export const CLOCK_MS_MAX = 1000;

export class Presence {
  #identity: NodeIdentity;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #startedAt: number;
  /** By name. */
  readonly #heard = new Map<string, LastAnnouncement>();
  /** Nodes named by the last record, by name, and when each was first named. */
  #named = new Map<string, { readonly rules: number; readonly at: number }>();
  readonly #unsubscribe: () => void;
  #stateOf: (() => NodeState) | null = null;
  #log: Pick<LogClock, 'lastAheadMs' | 'nowAheadMs'> | null = null;
  #onTwin: (twin: HeardNode) => void = () => undefined;
  #onHeard: (announced: NodeIdentity & NodeState) => void = () => undefined;
  #cancel: () => void = () => undefined;
  #isSaying = false;

  constructor(identity: NodeIdentity, bus: Bus, clock: Clock) {
    this.#identity = identity;
    this.#bus = bus;
    this.#clock = clock.machine;
    this.#startedAt = this.#clock.elapsed();
    this.#unsubscribe = bus.subscribe(SUBJECTS.nodes, (bytes) => this.#receive(bytes));
  }

  /** Requests announcements; replies arrive within milliseconds. */
  requestAnnouncements(): void {
    this.#announce('asks');
  }

  /** From now on the nodes' clocks are compared with the log's time, too. */
  compareWith(log: Pick<LogClock, 'lastAheadMs' | 'nowAheadMs'>): void {
    this.#log = log;
  }

  /** `listener` is called with each announcement of another process. */
  onHeard(listener: (announced: NodeIdentity & NodeState) => void): void {
    this.#onHeard = listener;
  }

  /** Starts announcing. `onTwin`: another process has this node's name. */
  begin(url: string, stateOf: () => NodeState, onTwin: (twin: HeardNode) => void): void {
    this.#identity = { ...this.#identity, url };
    this.#stateOf = stateOf;
    this.#onTwin = onTwin;
    this.#cancel();
    this.#repeat();
  }

  /** After a record all nodes are at the same position for a moment, so that their announcements can be compared. */
  announceAfterRecord(): void {
    if (this.#isSaying) return;
    this.#isSaying = true;
    this.#clock.after(TOGETHER_MS, () => {
      this.#isSaying = false;
      if (this.#stateOf) this.#announce('is');
    });
  }

  /** Recently heard nodes, by name, including this one once it has begun. */
  nodes(): HeardNode[] {
    const now = this.#clock.elapsed();
    const others = [...this.#heard.values()].map((each) => {
      const aheadMs = this.#aheadOf(each);
      return { ...each.announced, isMember: each.isMember, heardMs: now - each.at, aheadMs };
    });
    const own = this.#stateOf
      ? [
          {
            ...this.#identity,
            ...this.#stateOf(),
            isMember: true,
            heardMs: 0,
            aheadMs: 0,
            offMs: Math.abs(this.#usualMs),
          },
        ]
      : [];
    return [...others, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A node never heard may have announced just before this node began to listen, so the time counts from then. */
  heard(run: string): Heard {
    const elapsed = this.#clock.elapsed();
    for (const { announced, at } of this.#heard.values()) {
      if (announced.run !== run) continue;
      const heardMs = elapsed - at;
      return { heardMs, silentMs: heardMs + (announced.silentMs ?? 0), hasLeft: announced.why === 'leaves' };
    }
    const heardMs = elapsed - this.#startedAt;
    return { heardMs, silentMs: heardMs, hasLeft: false };
  }

  /**
   * A lower bound of that process's monotonic clock. null: it was not heard recently, so it is unknown whether it still
   * hears this node.
   */
  clockOf(run: string): number | null {
    for (const { announced, at } of this.#heard.values()) {
      if (announced.run !== run) continue;
      const ms = this.#clock.elapsed() - at;
      if (ms > UNHEARD_MS || announced.why === 'leaves') return null;
      return announced.elapsed + ms;
    }
    return null;
  }

  /**
   * The rank of this node among those that could lead, excluding the leader. Nodes with a clock far from most others'
   * come last: records would carry their time.
   */
  rank(leaderRun: string): number {
    const isOff = ({ offMs }: HeardNode): boolean => offMs > CLOCK_MS_MAX;
    const able = this.#there()
      .filter(({ run }) => run !== leaderRun)
      .toSorted((a, b) => Number(isOff(a)) - Number(isOff(b)));
    const at = able.findIndex(({ run }) => run === this.#identity.run);
    return at < 0 ? able.length : at;
  }

  #there(): HeardNode[] {
    return this.nodes().filter(({ heardMs, state }) => heardMs < GONE_MS && state !== 'stopped');
  }

  /**
   * The run of the node with the best clock, to lead instead of this one; null if none is clearly better. Each node judges
   * its own clock and announces the result: two nodes with different views would otherwise each wait for the other to lead.
   */
  successor(): string | null {
    const there = this.#there();
    const own = there.find(({ run }) => run === this.#identity.run);
    const [best] = there.toSorted((a, b) => a.offMs - b.offMs);
    return own && best.offMs + CLOCK_MS_MAX < own.offMs ? best.run : null;
  }

  /** How far the last record is ahead of this node's wall clock if no other node is alive; otherwise 0. */
  aloneBehindMs(): number {
    return this.#there().length > 1 ? 0 : Math.max(0, this.#log?.lastAheadMs ?? 0);
  }

  /**
   * How far this node's wall clock is ahead of the median of those heard in the last ten minutes; negative: behind.
   * In a tie the log's time decides; if that is older, the slower clock is trusted, because time that ran ahead
   * cannot go back. A node that has heard no other can only be behind the last record.
   */
  aheadMs(): number {
    return 0 - this.#usualMs;
  }

  /** How far the majority's time is ahead of this node's: one value for all comparisons. */
  get #usualMs(): number {
    const elapsed = this.#clock.elapsed();
    const heard = [...this.#heard.values()].filter(({ at }) => elapsed - at <= FORGOTTEN_MS);
    const aheadMs = [0, ...heard.map((each) => this.#aheadOf(each))];
    if (this.#log === null) return medianOf(aheadMs);
    if (aheadMs.length === 1) return Math.max(0, this.#log.lastAheadMs);
    return medianOf(aheadMs.length % 2 === 0 ? [...aheadMs, this.#log.nowAheadMs] : aheadMs);
  }

  /**
   * The rules of the next record: the newest that every node supports which was heard in the last ten minutes, here or by
   * the writer of the last record, and never older than `last`, the rules of that record (0: there is none). A node that has
   * just begun to listen does not know yet who is alive.
   */
  nextRules(last: number, named: readonly KnownRules[]): NextRules {
    this.#rememberRules(named);
    const known = this.#known();
    const isNew = last > 0 && this.#clock.elapsed() - this.#startedAt < GONE_MS;
    const version = isNew ? last : Math.max(last, Math.min(...known.map(({ rules }) => rules)));
    return { version, known };
  }

  /** A name that others repeat only because this node announces it does not become newer. */
  #rememberRules(named: readonly KnownRules[]): void {
    const at = this.#clock.elapsed();
    this.#named = new Map(
      named.slice(0, NODES_MAX).map(({ name, rules }) => {
        const before = this.#named.get(name);
        return [name, before?.rules === rules ? before : { rules, at }];
      }),
    );
  }

  #known(): KnownRules[] {
    const since = this.#clock.elapsed() - FORGOTTEN_MS;
    const { name: own, rules } = this.#identity;
    const known = new Map<string, number>();
    for (const [name, node] of this.#named) if (node.at >= since) known.set(name, node.rules);
    for (const [name, { announced, at }] of this.#heard) if (at >= since) known.set(name, announced.rules);
    known.set(own, rules);
    return Array.from(known, ([name, each]) => ({ name, rules: each }));
  }

  /** Announces that this node leaves, so that nobody waits for it. */
  end(): void {
    this.#cancel();
    if (this.#stateOf) this.#announce('leaves');
    this.#stateOf = null;
    this.#unsubscribe();
  }

  #repeat(): void {
    this.#announce('is');
    this.#cancel = this.#clock.after(EVERY_MS, () => this.#repeat());
  }

  #announce(why: Announcement['why']): void {
    const state = this.#stateOf?.() ?? { seq: 0, digest: '', isLeader: false, state: 'stopped' as const };
    const announced: Announcement = {
      ...this.#identity,
      ...state,
      why,
      now: this.#clock.now(),
      elapsed: this.#clock.elapsed(),
      offMs: Math.abs(this.#usualMs),
    };
    this.#bus.publish(SUBJECTS.nodes, Buffer.from(JSON.stringify(announced)));
  }

  /** How far its wall clock is ahead of this node's current one, which may have been set since. */
  #aheadOf({ announced, at, lateMs }: LastAnnouncement): number {
    return announced.now + lateMs + (this.#clock.elapsed() - at) - this.#clock.now();
  }

  /** How late this message is, by the sender's monotonic clock: a late one makes its wall clock look slow. */
  #compareClocks(
    { run, elapsed }: Announcement,
    at: number,
    before: LastAnnouncement | undefined,
  ): HeardClock {
    const ahead = elapsed - at;
    if (before?.announced.run !== run) return { monotonicAheadMs: ahead, lateMs: 0 };
    // Age the best value slowly: monotonic clocks drift.
    const best = before.monotonicAheadMs - (at - before.at) * DRIFT;
    return { monotonicAheadMs: Math.max(ahead, best), lateMs: Math.max(0, best - ahead) };
  }

  #receive(bytes: Uint8Array): void {
    const announced = parseMessage<Announcement>(bytes, isAnnouncement);
    const { name, run } = this.#identity;
    if (announced === null || announced.run === run) return;
    if (announced.why === 'asks') {
      if (this.#stateOf) this.#announce('is');
      return;
    }
    const at = this.#clock.elapsed();
    for (const [each, { at: then }] of this.#heard) if (at - then > FORGOTTEN_MS) this.#heard.delete(each);
    const before = this.#heard.get(announced.name);
    const isMember = announced.url !== '' || before?.isMember === true;
    const heard = { announced, at, isMember, ...this.#compareClocks(announced, at, before) };
    if (this.#heard.size < NODES_MAX || before) this.#heard.set(announced.name, heard);
    this.#onHeard(announced);
    if (announced.name === name && announced.why === 'is')
      this.#onTwin({
        ...announced,
        isMember,
        heardMs: 0,
        aheadMs: this.#aheadOf(heard),
        offMs: announced.offMs,
      });
  }
}

/** Invalid rules would become the rules of the next record. */
const isAnnouncement = ({
  name,
  run,
  url,
  rules,
  seq,
  digest,
  settings = '',
  silentMs = 0,
  now,
  elapsed,
  offMs,
}: Record<keyof Announcement, unknown>) =>
  [name, run, url, digest, settings].every(isText) &&
  [rules, seq].every(isCount) &&
  [silentMs, now, elapsed, offMs].every((each) => Number.isFinite(each));

/** The lower one of two, because a slow clock does less harm. */
const medianOf = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[(list.length - 1) >> 1] ?? 0;
