/**
 * Compares what records bring about on every node. Each record carries the digest of everything before it, as its writer
 * has it; a node that has another one has come to another state, and one of the two is wrong. After a start a node does
 * not know the digest of what was before, and takes over that of the next record.
 */

import type { Applied } from '@bourse/core';
import { Digest } from '../engine/digest.ts';

/** Digests that are still known, for comparing with nodes that are a little behind or ahead. */
const KEPT = 1024;

export class StateDigest {
  readonly #digest = new Digest();
  readonly #recent = new Map<number, string>();
  #isKnown = false;

  /** Of everything so far; empty while it is not known. */
  get text(): string {
    return this.#isKnown ? this.#digest.text : '';
  }

  /** As computed here, after that record; undefined when it was not, or is not known any more. */
  after(seq: number): string | undefined {
    return this.#recent.get(seq);
  }

  /** Before a record is applied. False when its writer has come to another state. */
  agreesWith(writers: string): boolean {
    if (writers === '') {
      this.#digest.reset();
      this.#recent.clear();
    } else if (!this.#isKnown) this.#digest.resume(writers);
    else return this.#digest.text === writers;
    this.#isKnown = true;
    return true;
  }

  /** The next record of this node carries none, so that all begin anew with it. */
  forget(): void {
    this.#isKnown = false;
  }

  add(seq: number, applied: Applied): void {
    this.#digest.add(seq, applied);
    this.#recent.set(seq, this.#digest.text);
    this.#recent.delete(seq - KEPT);
  }
}
