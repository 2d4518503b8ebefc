/**
 * Tables of limits, each with its unit, default and reason, from which the documentation is generated; and the table of
 * limits on an HTTP client before authentication.
 */

interface LimitRow {
  readonly unit: string;
  readonly value: number;
  readonly reason: string;
}

export type LimitTable = Readonly<Record<string, LimitRow>>;

/** The values of a table's limits. */
export type LimitsOf<T extends LimitTable> = { readonly [name in keyof T]: number };

export function defaultsOf<T extends LimitTable>(table: T): LimitsOf<T> {
  return Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value])) as LimitsOf<T>;
}

export const MIB = 1024 * 1024;
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export interface HttpLimits {
  readonly bodyBytesMax: number;
  readonly headersBytesMax: number;
  readonly headersCountMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly handshakesPerAddressMax: number;
  readonly requestsPerConnectionMax: number;
  readonly pipelinedRequestsMax: number;
  readonly refusalsPerAddressMax: number;
  readonly unreadBytesPerConnectionMax: number;
  readonly unreadBytesPerAddressMax: number;
  readonly unreadBytesMax: number;
}

export const HTTP_LIMITS: Readonly<Record<keyof HttpLimits, LimitRow>> = {
  bodyBytesMax: {
    unit: 'bytes',
    value: 65_536,
    reason: 'Twenty orders need about 8 KiB and a questionnaire 10; more is a mistake. Above it: 413.',
  },
  headersBytesMax: {
    unit: 'bytes',
    value: 16_384,
    reason:
      'Request line and headers together: signing needs 300, proxies and browsers add some. Above it: 431.',
  },
  headersCountMax: {
    unit: 'headers',
    value: 100,
    reason: 'Each costs work before the caller is known. Above it: 431.',
  },
  headersTimeoutMs: {
    unit: 'ms',
    value: 10_000,
    reason: 'A client that sends its headers byte by byte must not keep a connection. After it: 408.',
  },
  requestTimeoutMs: {
    unit: 'ms',
    value: 20_000,
    reason: 'The same for the complete request. After it: 408.',
  },
  keepAliveTimeoutMs: {
    unit: 'ms',
    value: 75_000,
    reason:
      'Idle connections are kept longer than the usual minute of proxies, so that the proxy closes first.',
  },
  connectionsMax: {
    unit: 'connections',
    value: 10_000,
    reason: 'Each costs 10 to 50 KiB; further ones are closed at once.',
  },
  connectionsPerAddressMax: {
    unit: 'connections',
    value: 2_000,
    reason:
      'One address must not take all of them. Does not apply to trustedProxies, whose connections carry many clients.',
  },
  handshakesPerAddressMax: {
    unit: 'a second',
    value: 100,
    reason:
      'A TLS handshake costs about a millisecond before the client is authenticated, so one address can take a tenth of a processor. Further connections are closed at once. Trusted proxies are not counted.',
  },
  requestsPerConnectionMax: {
    unit: 'requests',
    value: 0,
    reason: 'Requests before a connection is closed, to spread load over several processes; 0: no bound.',
  },
  pipelinedRequestsMax: {
    unit: 'requests',
    value: 64,
    reason:
      'Requests of one connection in flight. Above it: 429; a connection that sends three times as many at once is closed.',
  },
  refusalsPerAddressMax: {
    unit: 'refusals per second',
    value: 2000,
    reason:
      'Requests of one address that are rejected before the caller is known, or of one user because the pool is empty; each 4 KiB of a body, up to 64 KiB, counts as one more. Above it, for 5 seconds, each further rejection closes its connection. Does not apply behind trustedProxies, whose connections carry many clients.',
  },
  unreadBytesPerConnectionMax: {
    unit: 'bytes',
    value: 2 * MIB,
    reason: 'Unread responses of one connection; above it the connection is closed.',
  },
  unreadBytesPerAddressMax: {
    unit: 'bytes',
    value: 32 * MIB,
    reason: 'The same for all connections of one address (IPv6: its /64).',
  },
  unreadBytesMax: {
    unit: 'bytes',
    value: 128 * MIB,
    reason:
      'The same for all clients together: bounds what unread responses add to the memory of the process.',
  },
};

export const DEFAULT_HTTP_LIMITS: HttpLimits = defaultsOf(HTTP_LIMITS);
