/**
 * Snapshots that all nodes take after the same record, so that they can be compared: the leader requests one, its
 * next record marks it as due, and every node announces the hash of its snapshot.
 */

import type { Dispute } from './dispute.ts';

export class SnapshotAgreement {
  readonly #dispute: Dispute;
  #isWanted = false;
  #onDue: (seq: number) => void = () => undefined;

  constructor(dispute: Dispute) {
    this.#dispute = dispute;
  }

  /** Called on the leader, for its next record. */
  want(): void {
    this.#isWanted = true;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /**
   * Whether the record being appended marks a snapshot as due. If it is rejected, the snapshot must be requested
   * again.
   */
  takeWanted(): boolean {
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
  taken(seq: number, hash: string): void {
    this.#dispute.snapshotTaken(seq, hash);
  }
}
