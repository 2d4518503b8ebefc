/** Documents that are the same for everybody: generated once, compressed once, and served from memory. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { sendStored, type StoredAnswer, tagOf } from './stored-answer.ts';

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
  readonly #made = new Map<string, StoredAnswer>();

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

  #make(path: string): StoredAnswer {
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
