/**
 * Resolves divergence: nodes with different states after the same record. A node that finds a difference asks all others
 * for their digest after that record. A node in the minority stops, even if it is the leader. In a tie nobody knows: they
 * ask again, now for the hash of the complete state, which even a node that was not alive at that record can compute;
 * meanwhile they reject all requests.
 *
 * Complete states are compared at every snapshot, too: all nodes take it after the same record and announce its hash.
 */

import { SNAPSHOT_VERSION } from '@bourse/core';
import { type Clock, Diverged } from '@bourse/engine';
import { type Bus, SUBJECTS, isCount, isText, parseMessage } from '../messages/bus.ts';
import { isComparable, versioned } from './state-digest.ts';

export interface DisputeParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly run: string;
  /** This node's digest after that record; undefined if unknown. */
  readonly digestAfter: (seq: number) => string | undefined;
  /** The state as it is now. */
  readonly state: { readonly seq: number; hash(): string };
  /** More nodes have another state. */
  readonly onLost: (why: Diverged) => void;
  /** This node is right, and the record's writer is not. Not called for snapshots, which have no writer in the log. */
  readonly onWon: () => void;
}

interface DigestMessage {
  readonly run: string;
  readonly seq: number;
  /** Of all records up to `seq`, or of the whole state after it. */
  readonly of: 'records' | 'state';
  readonly digest: string;
  readonly asks: boolean;
}

const ANSWERS_MS = 1000;
/** Hashes of recent snapshots, for nodes that take theirs later. */
const SNAPSHOTS_KEPT = 8;

const isDigestMessage = ({ run, seq, of, digest }: Record<keyof DigestMessage, unknown>): boolean =>
  isText(run) && isCount(seq) && (of === 'records' || of === 'state') && isText(digest);

export class Dispute {
  readonly #parts: DisputeParts;
  readonly #unsubscribe: () => void;
  /** The question that this node asks all others; null if there is none. */
  #question: DigestMessage | null = null;
  /** Whether it started with digests of records; otherwise with a snapshot. */
  #isOfRecords = true;
  /** Of snapshots taken here, by their record. */
  readonly #snapshots = new Map<number, string>();
  /** By process. */
  #answers = new Map<string, string>();
  #cancel: () => void = () => undefined;

  constructor(parts: DisputeParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.bus.subscribe(SUBJECTS.digests, (bytes) => {
      const message = parseMessage<DigestMessage>(bytes, isDigestMessage);
      if (message !== null) this.#receive(message);
    });
  }

  get isOpen(): boolean {
    return this.#question !== null;
  }

  /** Another process has another digest of the records up to `seq`. */
  begin(seq: number, run: string, digest: string): void {
    this.#begin({ run, seq, of: 'records', digest });
  }

  /** This node has taken a snapshot after that record. */
  snapshotTaken(seq: number, hash: string): void {
    const digest = versioned(SNAPSHOT_VERSION, hash);
    this.#snapshots.set(seq, digest);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > SNAPSHOTS_KEPT) this.#snapshots.delete(oldest);
    this.#publish({ run: this.#parts.run, seq, of: 'state', digest, asks: false });
  }

  close(): void {
    this.#question = null;
    this.#cancel();
    this.#unsubscribe();
  }

  #begin({ run, seq, of, digest }: Omit<DigestMessage, 'asks'>): void {
    if (this.isOpen || this.#own(seq, of) === undefined) return;
    this.#isOfRecords = of === 'records';
    this.#ask(seq, of);
    this.#answers.set(run, digest);
  }

  #ask(seq: number, of: DigestMessage['of']): void {
    this.#answers.clear();
    this.#question = { run: this.#parts.run, seq, of, digest: this.#own(seq, of)!, asks: true };
    this.#publish(this.#question);
    this.#cancel = this.#parts.clock.machine.after(ANSWERS_MS, () => this.#decide(this.#question!));
  }

  #own(seq: number, of: DigestMessage['of']): string | undefined {
    const { state, digestAfter } = this.#parts;
    if (of === 'records') return digestAfter(seq);
    const taken = this.#snapshots.get(seq);
    return taken ?? (seq === state.seq ? versioned(SNAPSHOT_VERSION, state.hash()) : undefined);
  }

  #receive({ run, seq, of, digest, asks }: DigestMessage): void {
    if (run === this.#parts.run) return;
    if (this.#question?.seq === seq && this.#question.of === of) this.#answers.set(run, digest);
    // Hashing the complete state takes long: only a node that asks does it.
    const isAtHand = of === 'records' || this.#snapshots.has(seq);
    const own = asks || isAtHand ? this.#own(seq, of) : undefined;
    if (own === undefined) return;
    if (asks) this.#publish({ run: this.#parts.run, seq, of, digest: own, asks: false });
    if (isAtHand && digest !== own && isComparable(digest, own)) this.#begin({ run, seq, of, digest });
  }

  #publish(message: DigestMessage): void {
    this.#parts.bus.publish(SUBJECTS.digests, Buffer.from(JSON.stringify(message)));
  }

  #decide({ seq, digest: own }: DigestMessage): void {
    const { state, onLost, onWon } = this.#parts;
    const others = [...this.#answers.values()].filter((digest) => isComparable(digest, own));
    const withUs = 1 + others.filter((digest) => digest === own).length;
    const against = others.filter((digest) => digest !== own).length;
    if (withUs === against || others.length === 0) {
      this.#ask(state.seq, 'state');
      return;
    }
    this.#question = null;
    if (withUs < against) onLost(differs(seq));
    else if (this.#isOfRecords) onWon();
  }
}

function differs(seq: number): Diverged {
  return new Diverged(
    `after record ${seq} the state of this node differs from that of the others: it stops and sends no more responses. Keep a copy of ` +
      'its directory, then start the node on an empty one: it copies its state from the others',
  );
}

/**
 * Snapshots that all nodes take after the same record, so that they can be compared: the leader requests one, its
 * next record marks it as due, and every node announces the hash of its snapshot.
 */
export class SnapshotAgreement {
  readonly #dispute: Dispute;
  #isWanted = false;
  #onDue: (seq: number) => void = () => undefined;

  constructor(dispute: Dispute) {
    this.#dispute = dispute;
  }

  /** Called on the leader, for its next record. */
  request(): void {
    this.#isWanted = true;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /**
   * Whether the record being appended marks a snapshot as due. If it is rejected, the snapshot must be requested
   * again.
   */
  consumeRequest(): boolean {
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    return isWanted;
  }

  /** `listener` is called right after such a record was applied, before the next one. */
  onDue(listener: (seq: number) => void): void {
    this.#onDue = listener;
  }

  /** The record just applied marks a snapshot as due. */
  due(seq: number): void {
    this.#onDue(seq);
  }

  /** This node has taken one after that record; other nodes compare it with theirs. */
  announce(seq: number, hash: string): void {
    this.#dispute.snapshotTaken(seq, hash);
  }
}
