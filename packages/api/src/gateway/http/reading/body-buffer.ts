/**
 * Collects a body in one buffer that doubles as it fills. A list of chunks would be simpler, but each chunk costs 200
 * bytes however short it is, and a stranger may send a body byte by byte.
 */
export class BodyBuffer {
  #bytes: Buffer | undefined;
  #length = 0;
  readonly #lengthMax: number;

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Undefined until the first chunk. */
  get whole(): Buffer | undefined {
    return this.#bytes === undefined || this.#bytes.length === this.#length
      ? this.#bytes
      : this.#bytes.subarray(0, this.#length);
  }

  /** Returns false, and stores nothing, if the body would exceed the limit. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#lengthMax) return false;
    if (this.#bytes === undefined) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
    return true;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.min(this.#lengthMax, Math.max(length, 2 * this.#length)));
    this.#bytes!.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
