/**
 * How much may happen by itself in one record: expiries, dead man's switches and stop orders that trigger. Whatever
 * many users have prepared for one instant is cut into records, so that others get a turn in between. What is left
 * over needs no list of its own: it is still due when the next record looks. Only the symbols are noted, so that
 * not all have to be looked at; they follow from the state, and are found again when it is restored.
 */

/** Steps are expiries, switches, orders that a switch cancels, stop orders that trigger, and trades of these. */
export class Steps {
  private left = Infinity;
  private readonly symbols = new Set<number>();

  /** For one record. */
  begin(max: number): void {
    this.left = max;
  }

  get areLeft(): boolean {
    return this.left > 0;
  }

  take(count: number): void {
    this.left -= count;
  }

  /** The symbol has stop orders that are due, and are left to the next record. */
  carryOn(symbol: number): void {
    this.symbols.add(symbol);
  }

  get isCarriedOn(): boolean {
    return this.symbols.size > 0;
  }

  /** Ascending; none are carried on afterwards. */
  takeSymbols(): number[] {
    const symbols = [...this.symbols].toSorted((a, b) => a - b);
    this.symbols.clear();
    return symbols;
  }
}
