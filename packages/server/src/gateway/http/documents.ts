/**
 * Documents that are the same for everybody: made once, compressed once, and sent as the same bytes however often they
 * are asked for. A client that has one already is told so.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface DocumentText {
  readonly type: string;
  /** Called when somebody asks for the first time. */
  readonly make: () => string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Made {
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly tag: string;
}

/** Weight in the pool of its address, whatever its size: the bytes are there already. */
export const DOCUMENT_WEIGHT = 2;
const TAG_LENGTH = 22;

export class Documents {
  private readonly texts = new Map<string, DocumentText>();
  private readonly made = new Map<string, Made>();

  add(path: string, text: DocumentText): void {
    this.texts.set(path, text);
  }

  has(path: string): boolean {
    return this.texts.has(path);
  }

  /** `method` is GET or HEAD. Returns how many bytes were written. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): number {
    const { type, headers } = this.texts.get(path)!;
    const { plain, zipped, tag } = this.make(path);
    const known = String(request.headers['if-none-match'] ?? '');
    const common = { etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding', ...headers };
    if (known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)) {
      response.writeHead(304, common).end();
      return 0;
    }
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const bytes = isZipped ? zipped : plain;
    response.writeHead(200, {
      ...common,
      'content-type': type,
      'content-length': bytes.length,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return bytes.length;
  }

  private make(path: string): Made {
    let made = this.made.get(path);
    if (made === undefined) {
      const plain = Buffer.from(this.texts.get(path)!.make());
      const tag = `"${hash('sha256', plain, 'base64url').slice(0, TAG_LENGTH)}"`;
      made = { plain, zipped: gzipSync(plain), tag };
      this.made.set(path, made);
    }
    return made;
  }
}
