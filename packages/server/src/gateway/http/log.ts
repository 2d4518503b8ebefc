/** Log lines: JSON, without anything a client sent that could be a secret. */

import { type Logger, type LoggerOptions, pino } from 'pino';

export type GatewayLog = Logger;

export interface RequestLog {
  /** Undefined where nobody wants a line for each request. */
  readonly each: ((line: RequestLine) => void) | undefined;
  readonly failed: (line: RequestLine, error: unknown) => void;
}

/** No headers, query or body: they may hold secrets. */
export interface RequestLine {
  readonly request: string;
  readonly route: string;
  readonly dialect: string;
  readonly status: number;
  readonly user: number;
  readonly ip: string;
  readonly ms: number;
}

/** The lines never hold these; should one ever be logged by mistake, it is not readable. */
const REDACTED = ['secret', 'passphrase', 'signature', 'token', 'authorization', 'headers', 'body'].flatMap(
  (name) => [name, `*.${name}`],
);

export function makeLog(level: string, destination?: { write(line: string): void }): GatewayLog {
  const options: LoggerOptions = { level, redact: { paths: REDACTED, censor: '[redacted]' } };
  return destination === undefined ? pino(options, process.stderr) : pino(options, destination);
}

export function toRequestLog(log: GatewayLog): RequestLog {
  return {
    each: log.isLevelEnabled('info') ? (line) => log.info(line, 'answered') : undefined,
    failed: (line, error) => log.error({ ...line, err: error }, 'failed'),
  };
}
