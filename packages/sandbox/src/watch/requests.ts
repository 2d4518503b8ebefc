/**
 * The requests of a sandbox: the last ones with their responses, for debugging a bot, and how many each user
 * made, for reports.
 */

import type { RequestUse } from '../report/report.ts';
import type { WatchedEvent } from './events.ts';

export interface RequestEntry {
  readonly id: number;
  readonly seq: number;
  /** Exchange time, and the machine's. */
  readonly time: number;
  readonly wallTime: number;
  readonly user: string | null;
  readonly apiKey: string | null;
  readonly dialect: 'literal' | 'family';
  readonly transport: 'http' | 'order-entry';
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** The response's status, even if the response was lost; 0 if there was none. */
  readonly status: number;
  readonly code: string | null;
  readonly answer: string;
  readonly durationUs: number;
  readonly fault?: string;
  readonly signed?: { readonly expected: string };
}

export type NewRequest = Omit<RequestEntry, 'id' | 'code'>;

const REQUESTS_KEPT = 10_000;
const BYTES_MAX = 64 << 20;
/** The kept length of a body or response; a longer one is truncated and marked. */
const TEXT_MAX = 64 << 10;
/** The length of a path or key that an entry keeps without its other texts; real ones are shorter. */
const BARE_TEXT_MAX = 256;
/** Bytes of texts in one list. */
const LIST_BYTES_MAX = 1 << 20;
const CODE = /^\{[^{}]{0,40}?"code":"(\w{1,12})"/;

/**
 * Bounded twice, by the number of entries and by the bytes of their texts; the oldest are dropped first. Secrets are
 * removed before anything is kept.
 */
export class RequestList {
  #entries: RequestEntry[] = [];
  /** Bytes of the kept texts, and how many of the oldest entries have lost theirs. */
  #bytes = 0;
  #stripped = 0;
  #count = 0;
  readonly #listeners = new Set<(entry: RequestEntry) => void>();

  /** The number of all requests ever received. */
  get count(): number {
    return this.#count;
  }

  add(request: NewRequest): void {
    const { query, body, answer, signed } = request;
    const entry: RequestEntry = {
      ...request,
      id: ++this.#count,
      query: shortened(withoutSecrets(query)),
      body: shortened(withoutSecrets(body)),
      answer: shortened(withoutSecrets(answer)),
      ...(signed && { signed: { expected: shortened(withoutSecrets(signed.expected)) } }),
      code: CODE.exec(answer)?.[1] ?? null,
    };
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    this.#trim();
    for (const listener of this.#listeners) listener(entry);
  }

  /**
   * The last `limit` matching entries, or the first ones after an entry; oldest first. Fewer if their texts are long, because
   * writing tens of megabytes in one response would block the event loop: the others come with the next list.
   */
  list(fits: (entry: RequestEntry) => boolean, after: number | undefined, limit: number): RequestEntry[] {
    if (after === undefined) return upTo(limit, this.#entries.filter(fits).toReversed()).toReversed();
    return upTo(
      limit,
      this.#entries.filter((entry) => entry.id > after && fits(entry)),
    );
  }

  /** Called with every new entry; the returned function unsubscribes. */
  subscribe(listener: (entry: RequestEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #trim(): void {
    // Trimmed in bulk now and then, so that adding costs one push.
    if (this.#entries.length >= 2 * REQUESTS_KEPT) {
      const gone = this.#entries.splice(0, this.#entries.length - REQUESTS_KEPT);
      for (const entry of gone) this.#bytes -= bytesOf(entry);
      this.#stripped = Math.max(0, this.#stripped - gone.length);
    }
    while (this.#bytes > BYTES_MAX && this.#stripped < this.#entries.length) {
      const entry = this.#entries[this.#stripped];
      const { signed: _, ...rest } = entry;
      const apiKey = entry.apiKey && beginningOf(entry.apiKey);
      const bare = { ...rest, apiKey, path: beginningOf(entry.path), query: '', body: '', answer: '' };
      this.#bytes -= bytesOf(entry) - bytesOf(bare);
      this.#entries[this.#stripped++] = bare;
    }
  }
}

/** A copy, because a slice keeps the complete text in memory. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, BARE_TEXT_MAX)).toString();

/** Of every text whose length the client determines. */
const bytesOf = ({ apiKey, path, query, body, answer, signed }: RequestEntry): number =>
  (apiKey?.length ?? 0) +
  path.length +
  query.length +
  body.length +
  answer.length +
  (signed?.expected.length ?? 0);

/** The first entries within both bounds, but at least one. */
function upTo(limit: number, entries: readonly RequestEntry[]): RequestEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, at) => {
    bytes += bytesOf(entry);
    return at === limit || (at > 0 && bytes > LIST_BYTES_MAX);
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

function shortened(text: string): string {
  return text.length <= TEXT_MAX
    ? text
    : `${text.slice(0, TEXT_MAX)}... (${text.length - TEXT_MAX} characters more)`;
}

const NAMES = 'secret|passphrase|password|token|signature';
const HAS_NAME = new RegExp(`${NAMES}|sign`, 'i');
/**
 * A name is short, so that looking for one takes no longer than reading the text. The value is a text, even a
 * truncated one, or anything else that a client may put in its place.
 */
const IN_JSON = new RegExp(
  `("[^"\\\\]{0,40}?(?:${NAMES})[^"\\\\]{0,40}"\\s{0,8}:\\s{0,8})(?:"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|\\[[^\\]]*\\]?|\\{[^}]*\\}?|[^\\s",{}[\\]]+)`,
  'gi',
);
/** JSON inside a JSON string, as an error message quotes it. */
const IN_QUOTED_JSON = new RegExp(
  `(\\\\"[^"\\\\]{0,40}?(?:${NAMES})[^"\\\\]{0,40}\\\\"\\s{0,8}:\\s{0,8})(?:\\\\"[^"\\\\]*(?:\\\\"|$)|[^\\s",{}[\\]\\\\]+)`,
  'gi',
);
const IN_QUERY = new RegExp(`((?:^|[?&])[^=&]{0,40}?(?:${NAMES}|sign)[^=&]{0,40}=)[^&]*`, 'gi');

/** Removes secrets, passphrases, passwords and tokens from the texts of requests and responses. */
export function withoutSecrets(text: string): string {
  if (!HAS_NAME.test(text)) return text;
  return text
    .replace(IN_JSON, '$1"***"')
    .replace(IN_QUOTED_JSON, String.raw`$1\"***\"`)
    .replace(IN_QUERY, '$1***');
}

/** A longer body is not a single order. */
const BODY_MAX = 16_384;

/** A request as an event for expectations and assertions, with the fields of its body. */
export function watchedRequest(entry: RequestEntry): WatchedEvent {
  const { symbol, clientOid } = fieldsOfBody(entry.body);
  return { kind: 'request', ...entry, symbol: textOf(symbol), clientOid: textOf(clientOid) };
}

/** The approximate size of an event of a record. */
const EVENT_BYTES = 512;

/** How many events the request counts as: its texts may be a hundred times as large as one event. */
export function watchedSize(entry: RequestEntry): number {
  return 1 + Math.floor(bytesOf(entry) / EVENT_BYTES);
}

interface BodyFields {
  readonly symbol?: unknown;
  readonly symbols?: unknown;
  readonly clientOid?: unknown;
  readonly orderList?: unknown;
}

export function fieldsOfBody(body: string): BodyFields {
  if (!body.startsWith('{') || body.length > BODY_MAX) return {};
  try {
    const value = JSON.parse(body) as BodyFields & { readonly args?: BodyFields };
    // Order entry nests the order's fields one level deeper.
    return value.args ?? value;
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const MINUTE_MS = 60_000;
/** Two days. */
const MINUTES_MAX = 2880;
const USERS_MAX = 200;
const CODES_MAX = 50;
/** The family dialect sends many errors with status 200; only the code tells. */
const SUCCESS = '200000';
const TOO_MANY = '429000';
const ERROR_STATUS = 400;
const MESSAGE = /"msg":"((?:[^"\\]|\\.){0,300})/;

interface Refused {
  count: number;
  readonly status: number;
  readonly message: string;
}

interface PoolUse {
  limit: number;
  peak: number;
  used: number;
  refused: number;
}

interface Minute {
  total: number;
  readonly refused: Map<string, Refused>;
  readonly pools: Map<string, PoolUse>;
}

/**
 * How many requests each user made, which were rejected, and how much of the rate limits they used: per minute of
 * exchange time, for reports. Bounded: the last minutes of each user, and the most recent users.
 */
export class RequestUses {
  readonly #users = new Map<string, Map<number, Minute>>();

  /** `poolOf` a route: its rate limit pool. */
  add(entry: RequestEntry, poolOf: (route: string) => string | undefined): void {
    const { user, time, route, status, code, answer } = entry;
    if (user === null) return;
    const minute = this.#minute(user, time);
    minute.total += 1;
    if (status < ERROR_STATUS && (code === null || code === SUCCESS)) return;
    if (code === TOO_MANY) useIn(minute, poolOf(route) ?? 'other').refused += 1;
    const key = code ?? String(status);
    const refused = minute.refused.get(key);
    if (refused) refused.count += 1;
    else if (minute.refused.size < CODES_MAX)
      minute.refused.set(key, { count: 1, status, message: MESSAGE.exec(answer)?.[1] ?? '' });
  }

  /** `used`: in the current window, including this request. */
  spend(user: string, time: number, pool: string, weight: number, limit: number, used: number): void {
    const use = useIn(this.#minute(user, time), pool);
    use.limit = limit;
    use.used += weight;
    use.peak = Math.max(use.peak, used);
  }

  /** Minutes that overlap the period count completely. */
  of(user: string, from: number, until: number): RequestUse {
    const minutes = [...(this.#users.get(user) ?? [])].filter(
      ([start]) => start + MINUTE_MS > from && start <= until,
    );
    const refused = new Map<string, Refused>();
    const pools = new Map<string, PoolUse>();
    for (const [, minute] of minutes) {
      for (const [code, each] of minute.refused) {
        const known = refused.get(code);
        if (known) known.count += each.count;
        else refused.set(code, { ...each });
      }
      for (const [pool, { limit, peak, used, refused: count }] of minute.pools) {
        const known = pools.get(pool) ?? { limit: 0, peak: 0, used: 0, refused: 0 };
        const sum = { used: known.used + used, refused: known.refused + count };
        pools.set(pool, { limit: limit || known.limit, peak: Math.max(peak, known.peak), ...sum });
      }
    }
    return {
      since: minutes.length === 0 ? null : Math.max(from, Math.min(...minutes.map(([start]) => start))),
      total: minutes.reduce((sum, [, { total }]) => sum + total, 0),
      refused: Array.from(refused, ([code, each]) => ({ code, ...each })).toSorted(
        (one, other) => other.count - one.count,
      ),
      rateLimits: Array.from(pools, ([pool, use]) => ({ pool, ...use })),
    };
  }

  #minute(user: string, time: number): Minute {
    const start = Math.floor(time / MINUTE_MS) * MINUTE_MS;
    let minutes = this.#users.get(user);
    if (minutes === undefined) {
      minutes = new Map();
      this.#users.set(user, minutes);
      dropFirst(this.#users, USERS_MAX);
    }
    let minute = minutes.get(start);
    if (minute === undefined) {
      minute = { total: 0, refused: new Map(), pools: new Map() };
      minutes.set(start, minute);
      dropFirst(minutes, MINUTES_MAX);
    }
    return minute;
  }
}

function useIn({ pools }: Minute, pool: string): PoolUse {
  let use = pools.get(pool);
  if (use === undefined) pools.set(pool, (use = { limit: 0, peak: 0, used: 0, refused: 0 }));
  return use;
}

function dropFirst<Key>(map: Map<Key, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
