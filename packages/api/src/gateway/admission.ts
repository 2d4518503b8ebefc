/**
 * Admission of requests, used by every transport (HTTP, order entry, the operator API), always in the same order:
 * authenticate, rate limit, parse and validate, replay protection. A transport authenticates the sender and parses the
 * request in its own way; all other errors come from here, with the same text.
 */

import { hash } from 'node:crypto';
import type { Command, Permission } from '@bourse/core';
import {
  type Clock,
  type ExchangePort,
  ForwardingPort,
  type Sender as CommandSender,
  type Waiter,
} from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import { SKEW_MS_LIMIT } from './access/authenticate.ts';
import { senderOf } from './access/ip-addresses.ts';
import type { RateUsage, Throttle } from './access/throttle.ts';
import { Refusal } from './errors/refusal.ts';
import type { Pool } from './route.ts';

/** The requirements and the cost of a route. */
export interface Terms {
  readonly access: 'public' | 'operator' | Permission;
  readonly pool: Pool;
  readonly weight: number;
  /** Ends a single object named by its id, so repeating the request changes nothing. */
  readonly isIdempotent?: true;
}

export interface Who {
  /** -1 without a user. */
  readonly user: number;
  /** Identifies a replay; undefined for a request that changes nothing, or that others cannot replay. */
  readonly proof: Proof | undefined;
  /** The name of the operator token it presented. */
  readonly token?: string;
}

/** A request as provided by its transport. */
export interface Applicant<Sender extends Who, Parsed> {
  readonly ip: string;
  /** Authenticates and authorises the sender; throws a refusal otherwise. */
  identify(): Sender;
  /** Parses and validates the request; throws a refusal if it is invalid. */
  read(): Parsed;
}

export interface Admitted<Sender extends Who, Parsed> {
  readonly who: Sender;
  readonly spent: RateUsage;
  readonly parsed: Parsed;
  readonly once: Once | undefined;
}

export class Admission {
  readonly #throttle: Throttle;
  readonly #catalogue: Catalogue;
  readonly #issuer: OnceIssuer;

  constructor(throttle: Throttle, catalogue: Catalogue, issuer: OnceIssuer) {
    this.#throttle = throttle;
    this.#catalogue = catalogue;
    this.#issuer = issuer;
  }

  admit<Sender extends Who, Parsed>(
    terms: Terms,
    request: Applicant<Sender, Parsed>,
  ): Admitted<Sender, Parsed> {
    const who = request.identify();
    const spent = this.charge(terms, who.user, request.ip, who.token);
    const parsed = request.read();
    const once = who.proof === undefined ? undefined : this.#issuer.issue(who.proof, terms.isIdempotent);
    return { who, spent, parsed, once };
  }

  /** Takes the weight from the pool, or throws. */
  charge({ pool, weight }: Terms, user: number, ip: string, token?: string): RateUsage {
    const spent = this.#spend(pool, user, ip, weight, token);
    if (spent.allowed) return spent;
    const { limit, remaining, resetMs } = spent;
    throw new Refusal(
      'too-many-requests',
      `This costs ${weight}, the ${pool} pool has ${remaining} of ${limit} left; it is full again in ${resetMs} ms.`,
    );
  }

  /** The state of the pool; spends nothing. */
  standing(pool: Pool, user: number, ip: string): RateUsage {
    return this.#spend(pool, user, ip, 0);
  }

  /** Authenticated callers count per user, strangers per address. */
  #spend(pool: Pool, user: number, ip: string, weight: number, token?: string): RateUsage {
    switch (pool) {
      case 'public':
      case 'operator':
      case 'service':
      case 'pages':
        return this.#throttle.spendAsSender(pool, token ?? senderOf(user, ip), weight);
      default:
        return this.#throttle.spendAsUser(pool, user, this.#catalogue.user(user)?.tier ?? 0, weight);
    }
  }
}

// Replay protection. Each command carries an id and the time until which the exchange remembers it, both in the log.
// The exchange forgets an id once the log's time has passed that moment, and never accepts a request whose moment has
// passed. The log's time never goes back, whatever the clock does. So every request whose id was forgotten has also
// expired, and is rejected for that.

/**
 * How long a request is remembered: twice the longest validity of a signature, because a command may wait before its
 * record gets a time, and the next start may allow a larger clock skew.
 */
export const REMEMBERED_MS = 2 * SKEW_MS_LIMIT;
/** A command may wait this long for its record and still be in time. */
const WAITING_MS_MAX = 5000;
/**
 * Characters of a signature, which is a hash of the request: 72 bits. At 10,000 requests per second, two would
 * collide once in a hundred thousand years, and the second would be rejected. A longer piece would be a slice in V8,
 * which keeps the whole signature in memory.
 */
const SIGNATURE_PART = 12;
const HASH_PART = 22;
/** The core's limit. */
const ID_LENGTH_MAX = 64;
/** Such ids enter the log unchanged, if they fit together with the session's tag. Others are hashed. */
const SHORT_ID = /^[\x21-\x7e]{1,40}$/;

interface Once {
  readonly id: string;
  readonly until: number;
  /** Remembered by `WallSigned`, not in the log. */
  readonly isWallTime?: true;
}

interface Proof {
  readonly id: string;
  /** When it was signed, in milliseconds; undefined if the id cannot come from another session. */
  readonly signedAt: number | undefined;
  /** `signedAt` is a time of the wall clock, which differs from exchange time. */
  readonly isWallTime?: true;
}

/** A signed request, which anybody who has seen it could replay. */
export const signedProof = (signature: string, signedAt: number): Proof => ({
  id: signature.slice(0, SIGNATURE_PART),
  signedAt,
});

/** The same for a request signed with the wall clock while exchange time differs. */
export const wallSignedProof = (signature: string, signedAt: number): Proof => ({
  ...signedProof(signature, signedAt),
  isWallTime: true,
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
  readonly #wallSigned: WallSigned;

  constructor(port: Pick<ExchangePort, 'aheadMs'>, clock: Clock, skewMsMax: number, wallSigned: WallSigned) {
    this.#port = port;
    this.#clock = clock;
    this.#skewMsMax = skewMsMax;
    this.#wallSigned = wallSigned;
  }

  /**
   * Rejects a request if the exchange cannot know whether it was executed before, unless repeating it changes
   * nothing.
   */
  issue({ id, signedAt, isWallTime }: Proof, isIdempotent = false): Once | undefined {
    if (isWallTime) this.#wallSigned.checkSignedAt(signedAt!);
    const now = this.#clock.now();
    const { aheadMs } = this.#port;
    const logTime = now + aheadMs;
    if (isWallTime) return { id, until: Math.floor(logTime) + REMEMBERED_MS, isWallTime };
    if (signedAt === undefined) return { id, until: Math.floor(logTime) + REMEMBERED_MS };
    const until = signedAt + REMEMBERED_MS;
    if (until >= logTime + WAITING_MS_MAX) return { id, until };
    if (isIdempotent) return undefined;
    throw new Refusal('clock-behind', this.#explain(now, aheadMs));
  }

  #explain(now: number, aheadMs: number): string {
    // The log's time runs at half pace until the clock has caught up with it.
    const waitMs = 2 * Math.max(0, aheadMs - (REMEMBERED_MS - this.#skewMsMax - WAITING_MS_MAX));
    const again = new Date(now + waitMs).toISOString();
    return (
      `The clock was set back: the log is ${Math.ceil(aheadMs / 1000)} s ahead of it, so a replayed request could not ` +
      `be recognised. Signed requests are accepted again from ${again}; until then, orders can be cancelled by id, and ` +
      'order entry over websockets works.'
    );
  }
}

/** Above this number the oldest are forgotten: a sandbox has nothing to protect, and memory must be bounded. */
const COUNT_MAX = 100_000;

/**
 * Requests signed with the wall clock while exchange time differs, for example in a sandbox whose clock is stopped.
 * They take effect at most once like all others, but are remembered here instead of in the log: the wall clock must
 * leave no trace there, or the same requests would not give the same log. Requests from before the start of this
 * process are unknown, so anything signed earlier is rejected. An id is claimed when its command is sent
 * (`WallSignedPort`), so a request that was rejected before that can be sent again unchanged.
 */
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

  /** Throws if a request signed at that wall-clock time may have been executed before this process started. */
  checkSignedAt(signedAt: number): void {
    if (signedAt >= this.#startedAt) return;
    throw new Refusal(
      'request-repeated',
      `It was signed before ${new Date(this.#startedAt).toISOString()}, when this sandbox was started, and may have ` +
        'been executed then. Sign a new request with the current time.',
    );
  }

  /** Throws if the id is already claimed. */
  claim(id: string): void {
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

  /** Its command was not sent. */
  release(id: string): void {
    this.#untils.delete(id);
  }
}

/**
 * Claims the ids of wall-signed requests where the exchange claims all others: when the command is sent. Sends the
 * command without its id.
 */
export class WallSignedPort extends ForwardingPort {
  readonly #wallSigned: WallSigned;

  constructor(port: ExchangePort, wallSigned: WallSigned) {
    super(port);
    this.#wallSigned = wallSigned;
  }

  override send(command: Command, waiter: Waiter, sender: CommandSender): void {
    const { once, ...rest } = command as Command & { readonly once?: Once };
    if (!once?.isWallTime) {
      super.send(command, waiter, sender);
      return;
    }
    this.#wallSigned.claim(once.id);
    try {
      super.send(rest as Command, waiter, sender);
    } catch (error) {
      this.#wallSigned.release(once.id);
      throw error;
    }
  }
}
