/**
 * Compares what records bring about on every node. Each record carries the digest of everything before it, as its writer
 * has it; a node that has another one has come to another state, and one of the two is wrong. After a start a node does
 * not know the digest of what was before, and takes over that of the next record.
 *
 * A digest is over rows as this build lays them out, so builds with other layouts are not compared: while one of those
 * leads, a node goes on with the digest it has, and one that has none waits for a leader of its own layout.
 */

import type { Applied } from '@bourse/core';
import { Digest, DIGEST_LAYOUT } from '@bourse/engine';
import { isComparable, versioned, withoutVersion } from './versioned-digest.ts';

/** Digests that are still known, for comparing with nodes that are a little behind or ahead. */
const KEPT = 1024;

export class StateDigest {
  readonly #layout: number;
  readonly #digest = new Digest();
  readonly #recent = new Map<number, string>();
  #isKnown = false;

  constructor(layout = DIGEST_LAYOUT) {
    this.#layout = layout;
  }

  /** Of everything so far; empty while it is not known. */
  get text(): string {
    return this.#isKnown ? this.#own : '';
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
      this.#isKnown = true;
    } else if (isComparable(writers, this.#own)) {
      if (this.#isKnown) return this.#own === writers;
      this.#digest.resume(withoutVersion(writers));
      this.#isKnown = true;
    }
    return true;
  }

  /** The next record of this node carries none, so that all begin anew with it. */
  forget(): void {
    this.#isKnown = false;
  }

  add(seq: number, applied: Applied): void {
    if (!this.#isKnown) return;
    this.#digest.add(seq, applied);
    this.#recent.set(seq, this.#own);
    this.#recent.delete(seq - KEPT);
  }

  get #own(): string {
    return versioned(this.#layout, this.#digest.text);
  }
}
