/**
 * Compares the effects of records on every node. Each record carries its writer's digest of everything before it; a node
 * with a different one has diverged, or the writer has. After a start a node does not know the digest so far, and takes
 * over that of the next record.
 *
 * A digest covers rows in this build's layout, so builds with other layouts are not compared: while one of those leads, a
 * node continues with its own digest, and one that has none waits for a leader with its own layout.
 */

import type { Applied } from '@bourse/core';
import { Digest, DIGEST_LAYOUT } from '@bourse/engine';

/** Recent digests, for comparing with nodes that are a little behind or ahead. */
const KEPT = 1024;

export class StateDigest {
  readonly #layout: number;
  readonly #digest = new Digest();
  readonly #recent = new Map<number, string>();
  #isKnown = false;

  constructor(layout = DIGEST_LAYOUT) {
    this.#layout = layout;
  }

  /** Of everything so far; empty if unknown. */
  get text(): string {
    return this.#isKnown ? this.#own : '';
  }

  /** As computed here, after that record; undefined if it was not, or is no longer known. */
  after(seq: number): string | undefined {
    return this.#recent.get(seq);
  }

  /** Call before a record is applied. Returns false if its writer has a different state. */
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

  /** The next record of this node carries none, so that all start over with it. */
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

const MARK = '-';

/**
 * A digest with the version of what it covers, as `3-0123...`: the layout of the core's rows, or the snapshot format. Two
 * builds may have the same state and different digests, so only digests of one version can be compared. During a rolling
 * upgrade there are two versions.
 */
export const versioned = (version: number, digest: string): string => `${version}${MARK}${digest}`;

const withoutVersion = (text: string): string => text.slice(text.indexOf(MARK) + 1);

/** Whether a difference means that one of the two is wrong. */
export const isComparable = (one: string, other: string): boolean => versionOf(one) === versionOf(other);

function versionOf(text: string): string {
  const at = text.indexOf(MARK);
  return at < 0 ? '' : text.slice(0, at);
}
