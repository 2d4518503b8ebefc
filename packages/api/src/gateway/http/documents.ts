/**
 * Documents and page files, which are the same for everybody: generated once, compressed once, and served from memory
 * with the security headers of the exchange's pages.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface DocumentText {
  readonly type: string;
  /** Called for the first request. */
  readonly make: () => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Weight in the pool of the client's address. Independent of the size, because the bytes are cached. */
export const DOCUMENT_WEIGHT = 2;

export class Documents {
  readonly #texts = new Map<string, DocumentText>();
  readonly #made = new Map<string, StoredResponse>();

  add(path: string, text: DocumentText): void {
    this.#texts.set(path, text);
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  /** For documents derived from others. */
  textOf(path: string): string {
    return this.#make(path).plain.toString();
  }

  /** `method` is GET or HEAD. Returns the number of bytes written. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): number {
    return sendStored(this.#make(path), request, response);
  }

  #make(path: string): StoredResponse {
    let made = this.#made.get(path);
    if (made === undefined) {
      const { type, make, headers = {} } = this.#texts.get(path)!;
      const plain = Buffer.from(make());
      made = { type, plain, coded: { gzip: gzipSync(plain) }, tag: tagOf(plain), headers };
      this.#made.set(path, made);
    }
    return made;
  }
}

/** A precomputed response: the same for everybody, compressed once. A client that already has it gets 304. */
export interface StoredResponse {
  readonly type: string;
  readonly plain: Buffer;
  /** By content coding; missing ones are not offered. */
  readonly coded: Readonly<Partial<Record<Coding, Buffer>>>;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Coding = 'br' | 'gzip';

/** Smallest first. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];
const TAG_LENGTH = 22;

/** Computed only from the bytes, so that it is the same after a restart. */
export function tagOf(plain: Buffer): string {
  return `"${hash('sha256', plain, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/** `method` is GET or HEAD. Returns the number of bytes written. */
export function sendStored(
  answer: StoredResponse,
  request: IncomingMessage,
  response: ServerResponse,
): number {
  const { type, plain, coded, tag, headers } = answer;
  const common = {
    etag: tag,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  const known = String(request.headers['if-none-match'] ?? '');
  if (known === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)) {
    response.writeHead(304, common).end();
    return 0;
  }
  const taken = codingsTaken(String(request.headers['accept-encoding'] ?? ''));
  const coding = CODINGS.find((each) => coded[each] !== undefined && taken.has(each));
  const bytes = coding === undefined ? plain : coded[coding]!;
  response.writeHead(200, {
    ...common,
    'content-type': type,
    'content-length': bytes.length,
    ...(coding !== undefined && { 'content-encoding': coding }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(bytes);
  return bytes.length;
}

/** `q=0` means that the client does not accept the coding. */
function codingsTaken(header: string): ReadonlySet<string> {
  return new Set(
    header
      .split(',')
      .map((each) =>
        each
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
      .map(([coding]) => coding!),
  );
}

// Browser security headers of the pages.

export interface PagePolicy {
  /** Style sources besides the exchange's own files. */
  readonly styles: "'unsafe-inline'" | '';
  /** Origins that the page may connect to, besides this exchange. */
  readonly connections: readonly string[];
}

/**
 * Scripts are only files of this exchange: no inline script, no `eval`, no other origin. The page cannot be framed,
 * cannot submit forms or change its base URL, and a window that opened it cannot access it.
 */
export function pageHeaders({ styles, connections }: PagePolicy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", styles].join(' ').trim(),
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    // For browsers without support for frame-ancestors.
    'x-frame-options': 'DENY',
    ...FILE_HEADERS,
  };
}

/** For all files of a page: no MIME sniffing, and no loading by other sites. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;
