/** Log lines: JSON, without any client data that could be a secret. */

import { type Logger, type LoggerOptions, pino } from 'pino';
import { type Clock, Unavailable, visibleLines } from '@bourse/engine';
import { userId } from '../ids.ts';
import { CauseLimit } from './cause-limit.ts';

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
