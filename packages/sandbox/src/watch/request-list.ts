/**
 * The last requests with what was answered, for whoever wonders what a bot did. Bounded twice: so many entries, and so
 * many bytes of bodies and answers, of which the oldest go first. Secrets are taken out before anything is kept.
 */

import { withoutSecrets } from './secrets-out.ts';

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
  /** Of the answer, also of one that was lost on its way; 0 where none was made. */
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
/** The length of one body or answer that is kept; a longer one is cut, and says so. */
const TEXT_MAX = 64 << 10;
/** Bytes of bodies and answers in one list. */
const LIST_BYTES_MAX = 1 << 20;
const CODE = /^\{[^{}]{0,40}?"code":"(\w{1,12})"/;

export class RequestList {
  #entries: RequestEntry[] = [];
  /** Bytes of the bodies and answers that are kept, and how many of the oldest entries have lost theirs. */
  #bytes = 0;
  #stripped = 0;
  #count = 0;
  readonly #listeners = new Set<(entry: RequestEntry) => void>();

  /** Of all that ever came. */
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
   * The last `limit` that fit, or after an entry the first; oldest first. Fewer where their texts are long, because
   * writing tens of megabytes as one answer would hold everybody up: the others come with a further list.
   */
  list(fits: (entry: RequestEntry) => boolean, after: number | undefined, limit: number): RequestEntry[] {
    if (after === undefined) return upTo(limit, this.#entries.filter(fits).toReversed()).toReversed();
    return upTo(
      limit,
      this.#entries.filter((entry) => entry.id > after && fits(entry)),
    );
  }

  /** Called with every further entry; the result ends it. */
  subscribe(listener: (entry: RequestEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #trim(): void {
    // In one go now and then, so that keeping the list costs a push.
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

/** The first entries, at most so many and so long, but at least one. */
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
