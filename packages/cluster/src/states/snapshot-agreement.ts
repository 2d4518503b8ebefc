/**
 * Snapshots that all nodes take after the same record, so that they can be compared: whoever leads wants one, its next
 * record says that one is due, and every node says what it has taken.
 */

import type { Dispute } from './dispute.ts';

export class SnapshotAgreement {
  readonly #dispute: Dispute;
  #isWanted = false;
  #onDue: (seq: number) => void = () => undefined;

  constructor(dispute: Dispute) {
    this.#dispute = dispute;
  }

  /** Asked by this node, if it leads, for its next record. */
  want(): void {
    this.#isWanted = true;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Whether the record that is appended now says that one is due. If it is refused, somebody has to want it again. */
  takeWanted(): boolean {
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    return isWanted;
  }

  /** `listener` is called right after a record was applied that says so, before the next one is. */
  onDue(listener: (seq: number) => void): void {
    this.#onDue = listener;
  }

  /** The record that was just applied says so. */
  due(seq: number): void {
    this.#onDue(seq);
  }

  /** This node has taken one after that record: whoever has one of it, too, compares. */
  taken(seq: number, hash: string): void {
    this.#dispute.snapshotTaken(seq, hash);
  }
}
