/**
 * A user's holdings, their cost and their value, in one currency. Average cost: an acquisition adds its price to
 * the cost, a disposal removes its share of the cost, and the difference to its proceeds is realised.
 *
 * All amounts are integers. A share is rounded down to a unit and the rest stays in the cost, so nothing is lost, and
 *
 *   worth at the end - worth at the beginning - moved = realised + unrealised - fees
 *
 * holds to the last unit, whatever the prices were.
 */

/** The worth of an amount in the currency of the report, now; null where it has no price. */
export type Worth = (currency: number, amount: bigint) => bigint | null;

export interface Holding {
  readonly currency: number;
  quantity: bigint;
  /** In the report's currency; null before the first price. */
  cost: bigint | null;
  readonly atStart: bigint;
  /** Received or sent other than by trading; by trading; as fees (never negative). */
  moved: bigint;
  traded: bigint;
  fees: bigint;
  /** The proceeds of selling or spending it minus its cost, in the report's currency. */
  realised: bigint;
}

export interface Exchanged {
  readonly base: number;
  readonly quote: number;
  readonly isBuy: boolean;
  /** In units of the base and of the quote currency. */
  readonly amount: bigint;
  readonly funds: bigint;
  readonly fee: bigint;
}

export class Holdings {
  readonly all = new Map<number, Holding>();
  /** The value of everything that had a price when the period began. */
  readonly worthAtStart: bigint;
  realised = 0n;
  fees = 0n;
  /** The value of deposits minus withdrawals, each at its time, and of holdings that got their first price. */
  moved = 0n;
  readonly #worth: Worth;

  constructor(worth: Worth, balances: ReadonlyMap<number, bigint>) {
    this.#worth = worth;
    let sum = 0n;
    for (const [currency, quantity] of balances) {
      const cost = worth(currency, quantity);
      this.all.set(currency, { ...nothing(currency), quantity, cost, atStart: quantity });
      sum += cost ?? 0n;
    }
    this.worthAtStart = sum;
  }

  /** A deposit, a withdrawal, or a transfer to or from somebody else. */
  move(currency: number, amount: bigint): void {
    const holding = this.#priced(currency);
    holding.moved += amount;
    const value = this.#worth(currency, amount);
    if (value === null || holding.cost === null) {
      holding.quantity += amount;
      return;
    }
    this.moved += value;
    if (amount > 0n) acquire(holding, amount, value);
    else this.#dispose(holding, -amount, -value);
  }

  trade({ base, quote, isBuy, amount, funds, fee }: Exchanged): void {
    const [coins, money] = [this.#priced(base), this.#priced(quote)];
    const value = this.#worth(quote, funds);
    const feeValue = this.#worth(quote, fee);
    coins.traded += isBuy ? amount : -amount;
    money.traded += isBuy ? -funds : funds;
    money.fees += fee;
    if (value === null || feeValue === null || coins.cost === null || money.cost === null) {
      coins.quantity += isBuy ? amount : -amount;
      money.quantity += (isBuy ? -funds : funds) - fee;
      return;
    }
    if (isBuy) {
      this.#dispose(money, funds, value);
      acquire(coins, amount, value);
    } else {
      this.#dispose(coins, amount, value);
      acquire(money, funds, value);
    }
    this.#dispose(money, fee, feeValue);
    this.fees += feeValue;
  }

  /** Values holdings without a price at their first one: neither a gain nor a loss. */
  settle(): void {
    for (const currency of this.all.keys()) this.#priced(currency);
  }

  /** The value of everything that has or had a price; a holding without a current price counts at its cost. */
  worthNow(): bigint {
    let sum = 0n;
    for (const { currency, quantity, cost } of this.all.values()) {
      if (cost !== null) sum += this.#worth(currency, quantity) ?? cost;
    }
    return sum;
  }

  cost(): bigint {
    let sum = 0n;
    for (const { cost } of this.all.values()) sum += cost ?? 0n;
    return sum;
  }

  /** The result of trading after fees, at current prices, compared to doing nothing. */
  tradingNow(): bigint {
    let sum = 0n;
    for (const { currency, traded, fees } of this.all.values())
      sum += this.#worth(currency, traded - fees) ?? 0n;
    return sum;
  }

  #priced(currency: number): Holding {
    let holding = this.all.get(currency);
    if (holding === undefined) {
      holding = { ...nothing(currency), cost: this.#worth(currency, 0n) };
      this.all.set(currency, holding);
    }
    if (holding.cost === null) {
      holding.cost = this.#worth(currency, holding.quantity);
      this.moved += holding.cost ?? 0n;
    }
    return holding;
  }

  #dispose(holding: Holding, amount: bigint, value: bigint): void {
    if (amount === 0n) return;
    const cost = holding.cost!;
    const share = amount === holding.quantity ? cost : (cost * amount) / holding.quantity;
    holding.quantity -= amount;
    holding.cost = cost - share;
    holding.realised += value - share;
    this.realised += value - share;
  }
}

function acquire(holding: Holding, amount: bigint, value: bigint): void {
  holding.quantity += amount;
  holding.cost = holding.cost! + value;
}

const nothing = (currency: number): Holding => ({
  currency,
  quantity: 0n,
  cost: null,
  atStart: 0n,
  moved: 0n,
  traded: 0n,
  fees: 0n,
  realised: 0n,
});
