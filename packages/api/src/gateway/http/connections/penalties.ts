/**
 * Disconnects senders whose requests are mostly rejected. Rejecting costs time too: Node reads and parses everything,
 * and a thousand pipelined requests on each of a few hundred connections delay everybody, whatever the response. So
 * rejections are counted per sender, large bodies more than small ones. A sender above the limit is blocked for some
 * seconds: its next rejected request on any connection closes that connection. Others at the same address whose
 * requests succeed are not affected.
 */

import type { Clock } from '@bourse/engine';

const WINDOW_MS = 1000;
const OUT_MS = 5000;
/** Reading and checking this many bytes of a body costs as much as another request. */
const BYTES_PER_REFUSAL = 4096;
/** The maximum for one body: a single large upload by mistake is not an attack. */
const BODY_BYTES_COUNTED_MAX = 64 * 1024;

interface Count {
  since: number;
  refusals: number;
  outUntil: number;
}

export class Penalties {
  readonly #counts = new Map<string, Count>();
  readonly #clock: Clock;
  readonly #perSecondMax: number;
  #sweptAt = 0;

  constructor(clock: Clock, perSecondMax: number) {
    this.#clock = clock;
    this.#perSecondMax = perSecondMax;
  }

  /**
   * A request of the sender (see `senderOf`) was rejected before authentication, or because its pool is empty.
   * Returns true if the sender is blocked: close its connection instead of responding.
   */
  note(sender: string, bodyBytes: number): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#sweptAt >= OUT_MS) this.#sweep(now);
    let count = this.#counts.get(sender);
    if (count === undefined) this.#counts.set(sender, (count = { since: now, refusals: 0, outUntil: 0 }));
    if (now - count.since >= WINDOW_MS) {
      count.since = now;
      count.refusals = 0;
    }
    count.refusals += 1 + Math.min(bodyBytes, BODY_BYTES_COUNTED_MAX) / BYTES_PER_REFUSAL;
    if (count.outUntil > now) return true;
    if (count.refusals <= this.#perSecondMax) return false;
    count.outUntil = now + OUT_MS;
    return true;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [sender, { since, outUntil }] of this.#counts) {
      if (now - since >= WINDOW_MS && outUntil <= now) this.#counts.delete(sender);
    }
  }
}
