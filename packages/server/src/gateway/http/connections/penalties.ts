/**
 * Cuts off addresses whose requests are mostly refused. Refusing has a cost too: Node reads and parses whatever comes,
 * and a thousand pipelined requests on each of some hundred connections keep everybody waiting, whatever they are
 * answered. So refusals are counted by address, large bodies more than small ones; above the bound the connections of
 * the address are cut, and for some seconds it gets no new ones.
 */

import type { Clock } from '../../../io/clock.ts';

const WINDOW_MS = 1000;
const OUT_MS = 5000;
/** Of a body: so many bytes cost as much to read and to check as another request. */
const BYTES_PER_REFUSAL = 4096;
/** One large upload by mistake is no attack: it counts as so much at most. */
const BODY_BYTES_COUNTED_MAX = 64 * 1024;

interface Count {
  since: number;
  refusals: number;
  outUntil: number;
}

export class Penalties {
  private readonly counts = new Map<string, Count>();
  private readonly clock: Clock;
  private readonly perSecondMax: number;
  private readonly onOut: (network: string) => void;
  private sweptAt = 0;

  /** `onOut`: an address has gone too far. */
  constructor(clock: Clock, perSecondMax: number, onOut: (network: string) => void) {
    this.clock = clock;
    this.perSecondMax = perSecondMax;
    this.onOut = onOut;
  }

  isOut(network: string): boolean {
    if (this.counts.size === 0) return false;
    const count = this.counts.get(network);
    return count !== undefined && count.outUntil > this.clock.elapsed();
  }

  /** Something of theirs was refused before anybody was known, or because their pool is empty. */
  note(network: string, bodyBytes: number): void {
    const now = this.clock.elapsed();
    if (now - this.sweptAt >= OUT_MS) this.sweep(now);
    let count = this.counts.get(network);
    if (count === undefined) this.counts.set(network, (count = { since: now, refusals: 0, outUntil: 0 }));
    if (now - count.since >= WINDOW_MS) {
      count.since = now;
      count.refusals = 0;
    }
    count.refusals += 1 + Math.min(bodyBytes, BODY_BYTES_COUNTED_MAX) / BYTES_PER_REFUSAL;
    if (count.refusals <= this.perSecondMax || count.outUntil > now) return;
    count.outUntil = now + OUT_MS;
    this.onOut(network);
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [network, { since, outUntil }] of this.counts) {
      if (now - since >= WINDOW_MS && outUntil <= now) this.counts.delete(network);
    }
  }
}
