/**
 * Records of requests: log lines in JSON, without any client data that could be a secret, and the latest rejected
 * requests of each user in memory.
 */

import { type Clock, Unavailable, visibleLines } from '@bourse/engine';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { userId } from '../ids.ts';

export type GatewayLog = Logger;

/** No headers, query or body: they may hold secrets. */
export interface RequestLine {
  readonly request: string;
  readonly route: string;
  readonly dialect: string;
  readonly status: number;
  /** The user's number, or -1. The line has the public id. */
  readonly user: number;
  readonly ip: string;
  readonly ms: number;
}

/** Log lines never contain these; if one is ever logged by mistake, it is redacted. */
const REDACTED = ['secret', 'passphrase', 'signature', 'token', 'authorization', 'headers', 'body'].flatMap(
  (name) => [name, `*.${name}`],
);

export function makeLog(level: string, destination?: { write(line: string): void }): GatewayLog {
  const options: LoggerOptions = {
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    hooks: { streamWrite: visibleLines },
  };
  return destination === undefined ? pino(options, process.stderr) : pino(options, destination);
}

export class RequestLog {
  /** Undefined if requests are not logged. */
  each: ((line: RequestLine) => void) | undefined;
  readonly #log: GatewayLog;
  readonly #limit: CauseLimit;

  constructor(log: GatewayLog, { machine }: Clock) {
    this.#log = log;
    this.#limit = new CauseLimit(machine);
    this.setLevel(log.level);
  }

  setLevel(level: string): void {
    const log = this.#log;
    log.level = level;
    this.each = log.isLevelEnabled('info') ? (line) => log.info(shown(line), 'answered') : undefined;
  }

  failed(line: RequestLine, error: unknown): void {
    this.fault(shown(line), error, 'failed');
  }

  /**
   * One line per cause, however many requests fail. The engine's state needs no stack trace: it is the same for every
   * request.
   */
  fault(line: object, error: unknown, message: string): void {
    const { name = '', message: why = String(error) } = (error ?? {}) as Partial<Error>;
    const leftOut = this.#limit.take(`${message} ${name} ${why}`);
    if (leftOut === undefined) return;
    const cause = error instanceof Unavailable ? { reason: error.reason, why } : { err: error };
    this.#log.error({ ...line, ...cause, ...(leftOut > 0 && { leftOut }) }, message);
  }
}

const shown = (line: RequestLine): object => ({
  ...line,
  user: line.user >= 0 ? userId(line.user) : undefined,
});

const REPEAT_MS = 60_000;
/** Further causes share one line, because error texts may vary without limit. */
const CAUSES_MAX = 100;
const OTHERS = 'others';

interface Cause {
  writtenAt: number;
  leftOut: number;
}

/**
 * Keeps an error that affects every request from filling the log: the first line of a cause is written at once, then
 * at most one every REPEAT_MS, with the number of suppressed lines.
 */
export class CauseLimit {
  readonly #causes = new Map<string, Cause>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of lines suppressed for this cause since the last one; undefined if this one is suppressed too. */
  take(cause: string): number | undefined {
    const now = this.#clock.elapsed();
    const key = this.#causes.has(cause) || this.#makeRoom(now) ? cause : OTHERS;
    const known = this.#causes.get(key);
    if (known === undefined) {
      this.#causes.set(key, { writtenAt: now, leftOut: 0 });
      return 0;
    }
    if (now - known.writtenAt < REPEAT_MS) {
      known.leftOut++;
      return undefined;
    }
    const { leftOut } = known;
    Object.assign(known, { writtenAt: now, leftOut: 0 });
    return leftOut;
  }

  #makeRoom(now: number): boolean {
    if (this.#causes.size < CAUSES_MAX) return true;
    for (const [key, { writtenAt }] of this.#causes) {
      if (now - writtenAt >= REPEAT_MS) this.#causes.delete(key);
    }
    return this.#causes.size < CAUSES_MAX;
  }
}

const PER_USER_MAX = 100;
/** Users with the most recent rejections; at most 70 MB. */
const USERS_MAX = 1_000;
const TEXT_LENGTH_MAX = 500;
const TARGET_LENGTH_MAX = 200;

export interface RefusedRequest {
  /** Exchange time. */
  readonly time: number;
  readonly transport: 'http' | 'order-entry';
  readonly method: string;
  /** The path without its query, or the operation. */
  readonly target: string;
  readonly status: number;
  /** The response body. */
  readonly text: string;
}

/**
 * The latest rejected requests of each user, so that support sees what the user saw. In memory only, because traffic is
 * not logged: they are lost at a restart, and not visible at other nodes of a cluster.
 */
export class Refusals {
  /** Ordered by latest rejection, oldest first. */
  readonly #byUser = new Map<number, RefusedRequest[]>();

  note(user: number, request: RefusedRequest): void {
    if (user < 0) return;
    const own = this.#byUser.get(user) ?? [];
    if (own.length >= PER_USER_MAX) own.shift();
    own.push({
      ...request,
      target: request.target.slice(0, TARGET_LENGTH_MAX),
      text: request.text.slice(0, TEXT_LENGTH_MAX),
    });
    this.#byUser.delete(user);
    this.#byUser.set(user, own);
    if (this.#byUser.size <= USERS_MAX) return;
    for (const oldest of this.#byUser.keys()) {
      this.#byUser.delete(oldest);
      break;
    }
  }

  /** Newest first. */
  of(user: number): readonly RefusedRequest[] {
    return (this.#byUser.get(user) ?? []).toReversed();
  }
}
