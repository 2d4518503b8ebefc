/**
 * Requests signed with the wall clock while exchange time differs, as in a sandbox whose clock is stopped. They take effect at
 * most once like all others, but are remembered here instead of in the log: the wall clock must leave no trace there, or
 * the same requests would not give the same log. Requests from before the start of this process are unknown, so anything
 * signed earlier is refused.
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
  /** Wall clock, in milliseconds. */
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
