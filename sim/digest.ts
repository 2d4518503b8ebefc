const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const WORDS_MAX = 500;

/** A running hash over outcomes and events: equal digests mean the same results in the same order. */
export class Digest {
  readonly #words = new Map<string, number>();
  #one = 0x811c9dc5;
  #other = 0x1b873593;

  add(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.#number(value);
        break;
      case 'string':
        this.#text(value);
        break;
      case 'bigint':
        this.#amount(value);
        break;
      case 'object':
        if (value === null) this.#mix(0);
        else if (Array.isArray(value)) {
          this.#mix(value.length);
          for (const item of value) this.add(item);
        } else for (const name in value) this.add((value as Record<string, unknown>)[name]);
        break;
      default:
        this.#mix(value === true ? 1 : 2);
    }
  }

  toString(): string {
    return `${(this.#one >>> 0).toString(16)}-${(this.#other >>> 0).toString(16)}`;
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value)) this.#text(String(value));
    else {
      this.#mix(value | 0);
      this.#mix(Math.floor(value / 2 ** 32));
    }
  }

  #amount(value: bigint): void {
    if (value >= -SAFE && value <= SAFE) this.#number(Number(value));
    else this.#text(value.toString());
  }

  /** Most strings are words of the contract, which recur constantly. */
  #text(text: string): void {
    let hash = this.#words.get(text);
    if (hash === undefined) {
      hash = text.length;
      for (let index = 0; index < text.length; index += 1)
        hash = Math.imul(hash, 31) + text.charCodeAt(index);
      if (this.#words.size < WORDS_MAX) this.#words.set(text, hash);
    }
    this.#mix(hash);
  }

  #mix(bits: number): void {
    this.#one = Math.imul(this.#one ^ bits, 0x01000193);
    this.#other = (Math.imul(this.#other ^ (bits + 0x9e3779b9), 0x85ebca6b) << 13) | (this.#other >>> 19);
  }
}
