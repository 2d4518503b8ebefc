/**
 * What keeps a request from acting twice. Each command carries an id and the time until which the exchange remembers
 * it, both in the log. The exchange forgets an id when the log's time has passed that moment, and never takes a request
 * whose moment has passed. The log's time never goes back, whatever the clock does. So every request whose id was
 * forgotten has also expired, and is refused for that.
 */

import { hash } from 'node:crypto';
import type { Clock, ExchangePort } from '@bourse/engine';
import { SKEW_MS_LIMIT } from '../access/authenticate.ts';
import { Refusal } from '../errors/refusal.ts';

/**
 * For how long a request is remembered. Twice as long as any signature may count: a command may wait before it gets its
 * record's time, and the next start may be with a longer skew than this one.
 */
export const REMEMBERED_MS = 2 * SKEW_MS_LIMIT;
/** A command may wait so long for its record and still be within its time. */
const WAITING_MS_MAX = 5000;
/**
 * Characters of a signature, which is a hash of the request: 72 bits. At 10,000 requests per second two would collide once
 * in a hundred thousand years, and the second would be refused. A longer piece would be a slice in V8, which keeps
 * the whole signature in memory.
 */
const SIGNATURE_PART = 12;
const HASH_PART = 22;
/** The limit of the core. */
const ID_LENGTH_MAX = 64;
/** Such ids go into the log unchanged, if they fit with the session's tag. Others are hashed. */
const SHORT_ID = /^[\x21-\x7e]{1,40}$/;

export interface Once {
  readonly id: string;
  readonly until: number;
}

export interface Proof {
  readonly id: string;
  /** Milliseconds: when it was signed; undefined if the id cannot come from another session. */
  readonly signedAt: number | undefined;
}

/** A signed request: whoever has seen it could send it again. */
export const signedProof = (signature: string, signedAt: number): Proof => ({
  id: signature.slice(0, SIGNATURE_PART),
  signedAt,
});

/** A message of an authenticated session. `tag` is unique to the session. */
export function sessionProof(tag: string, id: string): Proof {
  const named =
    SHORT_ID.test(id) && tag.length + 1 + id.length <= ID_LENGTH_MAX
      ? `${tag}.${id}`
      : hash('sha256', `${tag}|${id}`, 'base64url').slice(0, HASH_PART);
  return { id: named, signedAt: undefined };
}

export class OnceIssuer {
  readonly #port: Pick<ExchangePort, 'aheadMs'>;
  readonly #clock: Clock;
  readonly #skewMsMax: number;

  constructor(port: Pick<ExchangePort, 'aheadMs'>, clock: Clock, skewMsMax: number) {
    this.#port = port;
    this.#clock = clock;
    this.#skewMsMax = skewMsMax;
  }

  /**
   * Refuses a request if the exchange cannot know whether it was executed before, unless executing it again changes
   * nothing.
   */
  issue({ id, signedAt }: Proof, isIdempotent = false): Once | undefined {
    const now = this.#clock.now();
    const { aheadMs } = this.#port;
    const logTime = now + aheadMs;
    if (signedAt === undefined) return { id, until: Math.floor(logTime) + REMEMBERED_MS };
    const until = signedAt + REMEMBERED_MS;
    if (until >= logTime + WAITING_MS_MAX) return { id, until };
    if (isIdempotent) return undefined;
    throw new Refusal('clock-behind', this.#explain(now, aheadMs));
  }

  #explain(now: number, aheadMs: number): string {
    // The log's time goes at half the clock's pace until the clock has caught up with it.
    const waitMs = 2 * Math.max(0, aheadMs - (REMEMBERED_MS - this.#skewMsMax - WAITING_MS_MAX));
    const again = new Date(now + waitMs).toISOString();
    return (
      `The clock was set back: the log is ${Math.ceil(aheadMs / 1000)} s ahead of it, and what is signed now cannot be ` +
      `told from what was taken before. Signed requests are taken again from ${again} on; until then orders can be ` +
      'cancelled by their id, and order entry over websockets works.'
    );
  }
}

/** Beyond it the oldest are forgotten: a sandbox has nothing to protect, and its memory has a bound. */
const COUNT_MAX = 100_000;

/**
 * Requests signed with the wall clock while exchange time differs, as in a sandbox whose clock is stopped. They take effect at
 * most once like all others, but are remembered here instead of in the log: the wall clock must leave no trace there, or
 * the same requests would not give the same log. Requests from before the start of this process are unknown, so anything
 * signed earlier is refused.
 */
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
