/**
 * Requests signed with the wall clock while exchange time differs, for example in a sandbox whose clock is stopped.
 * They take effect at most once like all others, but are remembered here instead of in the log: the wall clock must
 * leave no trace there, or the same requests would not give the same log. Requests from before the start of this
 * process are unknown, so anything signed earlier is rejected.
 */

import type { Clock } from '@bourse/engine';
import { Refusal } from '../errors/refusal.ts';

/** Above this number the oldest are forgotten: a sandbox has nothing to protect, and memory must be bounded. */
const COUNT_MAX = 100_000;

export class WallSigned {
  readonly #clock: Clock;
  readonly #rememberedMs: number;
  /** Expiry times, oldest first. */
  readonly #untils = new Map<string, number>();
  /** Wall clock, in milliseconds. */
  readonly #startedAt: number;

  constructor({ machine }: Clock, rememberedMs: number) {
    this.#clock = machine;
    this.#rememberedMs = rememberedMs;
    this.#startedAt = Math.floor(machine.now());
  }

  /** Throws if a request signed at that wall-clock time is a replay, or could be one. */
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

  /** Throws if the request is a replay. */
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
