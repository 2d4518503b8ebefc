/**
 * The last requests with their responses, for debugging a bot. Bounded twice, by the number of entries and by the
 * bytes of bodies and responses; the oldest are dropped first. Secrets are removed before anything is kept.
 */

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
/** Bytes of bodies and responses in one list. */
const LIST_BYTES_MAX = 1 << 20;
const CODE = /^\{[^{}]{0,40}?"code":"(\w{1,12})"/;

export class RequestList {
  #entries: RequestEntry[] = [];
  /** Bytes of the kept bodies and responses, and how many of the oldest entries have lost theirs. */
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
      const bare = { ...entry, query: '', body: '', answer: '' };
      this.#bytes -= bytesOf(entry);
      this.#entries[this.#stripped++] = bare;
    }
  }
}

const bytesOf = ({ query, body, answer }: RequestEntry): number => query.length + body.length + answer.length;

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
export function watchedSize({ query, body, answer }: RequestEntry): number {
  return 1 + Math.floor((query.length + body.length + answer.length) / EVENT_BYTES);
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
