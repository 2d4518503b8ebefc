/**
 * Admission of requests, used by every transport (HTTP, order entry, the operator API), always in the same order:
 * authenticate, rate limit, parse and validate, replay protection. A transport authenticates the sender and parses
 * the request in its own way; all other errors come from here, with the same text.
 */

import type { Permission } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { senderOf } from '../access/ip-addresses.ts';
import type { RateUsage, Throttle } from '../access/throttle.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Pool } from '../route.ts';
import type { Once, OnceIssuer, Proof } from './once.ts';

/** What a route requires of its caller. */
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
export interface Applicant<Sender extends Who, Said> {
  readonly ip: string;
  /** Authenticates and authorises the sender; throws a refusal otherwise. */
  identify(): Sender;
  /** Parses and validates the request; throws a refusal if it is invalid. */
  read(): Said;
}

export interface Admitted<Sender extends Who, Said> {
  readonly who: Sender;
  readonly spent: RateUsage;
  readonly said: Said;
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

  admit<Sender extends Who, Said>(terms: Terms, request: Applicant<Sender, Said>): Admitted<Sender, Said> {
    const who = request.identify();
    const spent = this.charge(terms, who.user, request.ip, who.token);
    const said = request.read();
    const once = who.proof === undefined ? undefined : this.#issuer.issue(who.proof, terms.isIdempotent);
    return { who, spent, said, once };
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
