/**
 * Tokens for feed connections: signed and not stored, so they cost no memory and any number of connections may use
 * one until it expires. A token names the process that issued it: after a restart it counts as expired, so clients
 * fetch a new one, and not as invalid, which they treat as a permanent error.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@bourse/engine';

/** Path of the feed on this server. */
export const FEED_PATH = '/feed';
export const TOKEN_MS_MAX = 24 * 3600 * 1000;

const RUN_BYTES = 6;
const NONCE_BYTES = 6;
/** A longer text cannot be one of our tokens; it is rejected before its signature is computed. */
const TOKEN_LENGTH_MAX = 512;

/** The owner; for a public token the user is -1 and the key ''. */
export interface TokenOwner {
  readonly user: number;
  readonly key: string;
  /** For a public token of a signed request: the requesting user. It grants no rights. */
  readonly holder?: number;
}

export const NOBODY: TokenOwner = { user: -1, key: '' };

/** The ping interval and timeout that clients should use. */
export interface PingTimes {
  readonly feedPingIntervalMs: number;
  readonly feedPingTimeoutMs: number;
}

export interface FeedTokenOptions {
  readonly tokens: FeedTokens;
  /** The public address of this service; empty: taken from the request. */
  readonly publicUrl: string;
  /** Whether clients use TLS. */
  readonly isSecure: boolean;
  readonly pings: PingTimes;
}

export class FeedTokens {
  readonly #clock: Clock;
  readonly #secret: Uint8Array;
  readonly #run: string;

  /**
   * `shared`: a secret shared by all nodes of a cluster, which then accept each other's tokens, even after a restart, or
   * by the worlds that replace each other in a sandbox.
   */
  constructor(clock: Clock, shared?: Uint8Array) {
    this.#clock = clock;
    this.#secret = shared ?? randomBytes(32);
    const run = shared ? createHmac('sha256', shared).update('run').digest() : randomBytes(RUN_BYTES);
    this.#run = run.subarray(0, RUN_BYTES).toString('base64url');
  }

  /** Letters, digits, `-`, `_` and `.` only, because clients put it into a URL without escaping. */
  issue({ user, key, holder }: TokenOwner): string {
    const claims = [
      user,
      key,
      this.#clock.now() + TOKEN_MS_MAX,
      randomBytes(NONCE_BYTES).toString('base64url'),
      ...(holder === undefined ? [] : [holder]),
    ];
    const body = `${this.#run}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${body}.${this.#sign(body).toString('base64url')}`;
  }

  open(token: string): TokenOwner | 'invalid' | 'expired' {
    const parts = token.length > TOKEN_LENGTH_MAX ? [] : token.split('.');
    if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return 'invalid';
    const [run, claims, signature] = parts;
    if (run !== this.#run) return run.length === this.#run.length ? 'expired' : 'invalid';
    const given = Buffer.from(signature, 'base64url');
    const wanted = this.#sign(`${run}.${claims}`);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'invalid';
    const [user, key, until, , holder] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [
      user: number,
      key: string,
      until: number,
      nonce: string,
      holder?: number,
    ];
    if (this.#clock.now() >= until) return 'expired';
    return holder === undefined ? { user, key } : { user, key, holder };
  }

  #sign(body: string): Buffer {
    return createHmac('sha256', this.#secret).update(body).digest();
  }
}
