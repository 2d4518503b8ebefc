/**
 * Blocked withdrawal addresses, with exceptions. A rule applies to a currency, a chain, both or neither; the most
 * specific matching rule decides, so `allow` is an exception to a broader `block`. Between equally specific rules,
 * `block` wins. Addresses are compared case-insensitively, because on some chains case does not matter.
 */

export interface AddressRule {
  readonly rule: number;
  readonly action: 'block' | 'allow';
  readonly address: string;
  readonly currency?: number;
  readonly chain?: string;
  readonly by: string;
  readonly why: string;
  /** Milliseconds. */
  readonly time: number;
}

export class AddressRules {
  /** The highest number assigned. */
  last = 0;
  readonly #byNumber = new Map<number, AddressRule>();
  readonly #byAddress = new Map<string, AddressRule[]>();

  get size(): number {
    return this.#byNumber.size;
  }

  get(rule: number): AddressRule | null {
    return this.#byNumber.get(rule) ?? null;
  }

  of(address: string): readonly AddressRule[] {
    return this.#byAddress.get(address.toLowerCase()) ?? [];
  }

  add(rule: AddressRule): void {
    this.#byNumber.set(rule.rule, rule);
    this.#byAddress.set(rule.address.toLowerCase(), [...this.of(rule.address), rule]);
  }

  remove(rule: AddressRule): void {
    this.#byNumber.delete(rule.rule);
    const left = this.of(rule.address).filter((each) => each !== rule);
    if (left.length > 0) this.#byAddress.set(rule.address.toLowerCase(), left);
    else this.#byAddress.delete(rule.address.toLowerCase());
  }

  /** Ascending by number. */
  list(): AddressRule[] {
    return [...this.#byNumber.values()].toSorted((a, b) => a.rule - b.rule);
  }
}
