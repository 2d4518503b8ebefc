/**
 * Ids that were sent before their orders existed. When such an order reaches the market, it gets a regular id, but
 * clients keep the id they know: in inbound texts it is replaced with the real id, in outbound texts the reverse.
 */

import { NumberText, orderId } from '@bourse/api';

const ALIASES_MAX = 10_000;
/** The numbers start far above any that the exchange will ever assign. */
const NUMBERS_END = 2 ** 48;
const IDS = /\b[0-9a-f]{24}\b/g;

export class OrderAliases {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#real.size === 0;
  }

  /** A number for an order that does not exist yet. */
  nextNumber(): number {
    return NUMBERS_END - ++this.#count;
  }

  bind(number: number, answeredAt: number, order: number, createdAt: number): void {
    const [alias, id] = [orderId(number, answeredAt), orderId(order, createdAt)];
    this.#real.set(alias, id);
    this.#shown.set(id, alias);
    if (this.#real.size <= ALIASES_MAX) return;
    const [oldest] = this.#real;
    this.#real.delete(oldest[0]);
    this.#shown.delete(oldest[1]);
  }

  outward(text: string): string {
    return this.#shown.size === 0 ? text : text.replaceAll(IDS, (id) => this.#shown.get(id) ?? id);
  }

  /** Replaces ids in a value of a request, recursively. */
  inward<T>(value: T): T {
    return this.#real.size === 0 ? value : (this.#translate(value) as T);
  }

  clear(): void {
    this.#real.clear();
    this.#shown.clear();
  }

  #translate(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(IDS, (id) => this.#real.get(id) ?? id);
    if (Buffer.isBuffer(value)) return Buffer.from(this.#translate(value.toString('utf8')) as string);
    if (Array.isArray(value)) return value.map((each) => this.#translate(each));
    if (typeof value !== 'object' || value === null) return value;
    // A number is not an id, and keeps its notation.
    if (value instanceof NumberText) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#translate(each)]));
  }
}
