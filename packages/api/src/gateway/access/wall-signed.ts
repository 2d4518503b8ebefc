/**
 * Requests signed by the wall clock while exchange time is elsewhere, as in a sandbox whose time stands. They act at
 * most once like all others, but are remembered here and not in the log: the wall clock must leave no trace there, or
 * the same requests would not give the same log. What was taken before this process began is not known, so whatever was
 * signed before that is refused.
 */

import type { Clock } from '@bourse/engine';
import { Refusal } from '../errors/refusal.ts';

/** Beyond it the oldest are forgotten: a sandbox has nothing to protect, and its memory has a bound. */
const COUNT_MAX = 100_000;

export class WallSigned {
  readonly #clock: Clock;
  readonly #rememberedMs: number;
  /** When each may be forgotten, oldest first. */
  readonly #untils = new Map<string, number>();
  /** By the wall clock, in milliseconds. */
  readonly #startedAt: number;

  constructor({ machine }: Clock, rememberedMs: number) {
    this.#clock = machine;
    this.#rememberedMs = rememberedMs;
    this.#startedAt = Math.floor(machine.now());
  }

  /** Throws where a request that was signed then, by the wall clock, was there before or may have been. */
  takeSigned(id: string, signedAt: number): void {
    if (signedAt < this.#startedAt) {
      throw new Refusal(
        'request-repeated',
        `It was signed before ${new Date(this.#startedAt).toISOString()}, when this sandbox was started, and may have ` +
          'been executed then. Sign a new request with the current time.',
      );
    }
    this.take(id);
  }

  /** Throws where the request was there before. */
  take(id: string): void {
    const now = this.#clock.elapsed();
    for (const [known, until] of this.#untils) {
      if (until > now && this.#untils.size < COUNT_MAX) break;
      this.#untils.delete(known);
    }
    if (this.#untils.has(id)) {
      throw new Refusal('request-repeated', 'To repeat it, sign a new request with the current time.');
    }
    this.#untils.set(id, now + this.#rememberedMs);
  }
}
