/**
 * Requests signed by the wall clock while exchange time is elsewhere, as in a sandbox whose time stands. They act at
 * most once like all others, but are remembered here and not in the log: the wall clock must leave no trace there, or
 * the same requests would not give the same log.
 */

import type { Clock } from '../../io/clock.ts';
import { Refusal } from '../errors/refusal.ts';

/** Beyond it the oldest are forgotten: a sandbox has nothing to protect, and its memory has a bound. */
const COUNT_MAX = 100_000;

export class WallSigned {
  private readonly clock: Clock;
  private readonly rememberedMs: number;
  /** When each may be forgotten, oldest first. */
  private readonly untils = new Map<string, number>();

  constructor({ machine }: Clock, rememberedMs: number) {
    this.clock = machine;
    this.rememberedMs = rememberedMs;
  }

  /** Throws where the request was there before. */
  take(id: string): void {
    const now = this.clock.elapsed();
    for (const [known, until] of this.untils) {
      if (until > now && this.untils.size < COUNT_MAX) break;
      this.untils.delete(known);
    }
    if (this.untils.has(id)) {
      throw new Refusal('request-repeated', 'Sign the request anew, with the present time, to act again.');
    }
    this.untils.set(id, now + this.rememberedMs);
  }
}
