/**
 * Bounds how many expiries, dead man's switches and triggered stop orders one record executes, and how many trades it
 * makes. If many are due at once, they are spread over several records, so that other users' commands come in between.
 * The rest needs no list, because it is still due in the next record. Only its symbols are noted, to
 * avoid checking all of them; a restore finds them again from the state. An order that trades with more orders than one
 * record allows is kept in unfinished.ts.
 */

/** Steps are expiries, switches, orders that a switch cancels, stop orders that trigger, and trades of these. */
export class Steps {
  #left = Infinity;
  /** How many matches this record may still have: trades, and prevented self-trades. */
  meetingsLeft = Infinity;
  readonly #symbols = new Set<number>();

  /** For one record. */
  begin(max: number, meetingsMax: number): void {
    this.#left = max;
    this.meetingsLeft = meetingsMax;
  }

  /** Ensures that at least `min` matches are left, whatever came before. */
  leaveMeetings(min: number): void {
    this.meetingsLeft = Math.max(this.meetingsLeft, min);
  }

  get areLeft(): boolean {
    return this.#left > 0;
  }

  take(count: number): void {
    this.#left -= count;
  }

  /** Keeps one of `sharers` equal shares of the matches, rounded up; returns the number left for the others. */
  keepMeetings(sharers: number): number {
    const share = Math.ceil(this.meetingsLeft / sharers);
    const kept = this.meetingsLeft - share;
    this.meetingsLeft = share;
    return kept;
  }

  /** Records that the symbol has due stop orders that are left to the next record. */
  carryOn(symbol: number): void {
    this.#symbols.add(symbol);
  }

  get isCarriedOn(): boolean {
    return this.#symbols.size > 0;
  }

  /** Returns the recorded symbols in ascending order, and empties the list. */
  takeSymbols(): number[] {
    const symbols = [...this.#symbols].toSorted((a, b) => a - b);
    this.#symbols.clear();
    return symbols;
  }
}
