// A second reading of order rules 7 to 11: one pair, the slowest book that can be, written from the document.
// Prices and sizes are whole numbers of millionths (the increments of ETH-BTC), money is their product.

export interface ModelOrder {
  readonly id: number;
  readonly user: number;
  readonly buy: boolean;
  /** Absent for a market order. */
  readonly price?: number | undefined;
  /** Absent for a market buy by funds. */
  readonly size?: number;
  /** Quote money that a market buy may spend, its fee included. */
  readonly funds?: number;
  readonly stp?: 'CN' | 'CO' | 'CB' | 'DC';
  readonly timeInForce?: 'IOC' | 'FOK';
  readonly postOnly?: boolean;
  readonly hidden?: boolean;
  readonly visibleSize?: number;
}

export interface Standing {
  dealSize: number;
  dealFunds: number;
  cancelledSize: number;
  active: boolean;
}

interface Resting {
  readonly order: ModelOrder;
  readonly price: number;
  left: number;
  /** Its currently visible size. */
  shows: number;
  /** Place in the queue of its level. */
  turn: number;
}

const takerRatePpm = 1500n;

export class ModelBook {
  readonly standings = new Map<number, Standing>();
  readonly #resting: Resting[] = [];
  #turns = 0;

  place(order: ModelOrder): Standing {
    const standing: Standing = { dealSize: 0, dealFunds: 0, cancelledSize: 0, active: true };
    this.standings.set(order.id, standing);
    const stp = order.timeInForce === 'FOK' ? 'CN' : order.stp;
    let left = order.size ?? Number.MAX_SAFE_INTEGER;
    const bound = this.#bound(order);
    const past = (price: number) => (order.buy ? price > bound : price < bound);
    let cancelled =
      (order.timeInForce === 'FOK' && !this.#fillsWhole(order)) ||
      (order.price !== undefined && this.#needed(order).some(past));
    while (!cancelled && left > 0) {
      const met = this.#next(order);
      if (met === undefined || past(met.price)) break;
      if (met.order.user === order.user && stp !== undefined) {
        const theirs = this.standing(met.order.id);
        if (stp === 'DC' && met.left > left) {
          met.left -= left;
          met.shows = Math.min(met.shows, met.left);
          theirs.cancelledSize += left;
          cancelled = true;
        } else if (stp === 'DC') {
          cancelled = met.left === left;
          if (!cancelled) standing.cancelledSize += met.left;
          left -= cancelled ? 0 : met.left;
          this.#remove(met);
        } else {
          if (stp !== 'CN') this.#remove(met);
          cancelled = stp !== 'CO';
        }
        continue;
      }
      const ordinary = met.order.hidden !== true && met.order.visibleSize === undefined;
      if (order.postOnly === true && order.timeInForce === undefined && ordinary) {
        cancelled = true;
        break;
      }
      const offered = hiddenOnly(met.order) ? met.left : met.shows;
      const lots = Math.min(left, offered, affordable(order, standing, met.price));
      if (lots === 0) break;
      left -= lots;
      standing.dealSize += lots;
      standing.dealFunds += lots * met.price;
      this.#trade(met, lots);
    }
    const rests = !cancelled && left > 0 && order.price !== undefined && order.timeInForce === undefined;
    if (rests) {
      const shows = hiddenOnly(order) ? 0 : Math.min(order.visibleSize ?? left, left);
      this.#resting.push({ order, price: order.price as number, left, shows, turn: ++this.#turns });
    } else {
      if (order.size !== undefined) standing.cancelledSize += left;
      standing.active = false;
    }
    return standing;
  }

  cancel(id: number): void {
    const found = this.#resting.find((each) => each.order.id === id);
    if (found !== undefined) this.#remove(found);
  }

  standing(id: number): Standing {
    return this.standings.get(id) as Standing;
  }

  /** Best shown price of a side and the size shown there; undefined where nothing is shown. */
  best(buy: boolean): [price: number, size: number] | undefined {
    const side = this.#resting.filter((each) => each.order.buy === buy && each.shows > 0);
    if (side.length === 0) return undefined;
    const prices = side.map((each) => each.price);
    const price = buy ? Math.max(...prices) : Math.min(...prices);
    return [price, side.filter((each) => each.price === price).reduce((sum, each) => sum + each.shows, 0)];
  }

  /** All that could trade with an order, in the order in which it would. */
  #opposite(order: ModelOrder): Resting[] {
    return this.#resting
      .filter((each) => each.order.buy !== order.buy)
      .filter(
        ({ price }) => order.price === undefined || (order.buy ? price <= order.price : price >= order.price),
      )
      .toSorted(
        (a, b) =>
          (order.buy ? a.price - b.price : b.price - a.price) ||
          Number(a.shows === 0) - Number(b.shows === 0) ||
          a.turn - b.turn,
      );
  }

  #next(order: ModelOrder): Resting | undefined {
    return this.#opposite(order)[0];
  }

  /** Price protection of the sandbox: a tenth beyond the best opposite price. */
  #bound(order: ModelOrder): number {
    const best = this.#next({ ...order, price: undefined })?.price ?? 0;
    return (best * (order.buy ? 11 : 9)) / 10;
  }

  /** The prices at which an order would trade, to fill its whole size. */
  #needed(order: ModelOrder): number[] {
    const prices: number[] = [];
    let left = order.size as number;
    for (const each of this.#opposite(order)) {
      if (left <= 0) break;
      prices.push(each.price);
      left -= each.left;
    }
    return prices;
  }

  /**
   * Simulated on a copy, because the next slice of an iceberg queues behind other orders, perhaps behind an own order.
   */
  #fillsWhole(order: ModelOrder): boolean {
    const copy = new ModelBook();
    for (const [id, standing] of this.standings) copy.standings.set(id, { ...standing });
    for (const each of this.#resting) copy.#resting.push({ ...each });
    copy.#turns = this.#turns;
    return copy.place({ ...order, timeInForce: 'IOC', stp: 'CN' }).dealSize === order.size;
  }

  #trade(met: Resting, lots: number): void {
    const theirs = this.standing(met.order.id);
    theirs.dealSize += lots;
    theirs.dealFunds += lots * met.price;
    met.left -= lots;
    if (met.left === 0) {
      this.#resting.splice(this.#resting.indexOf(met), 1);
      theirs.active = false;
    } else if (!hiddenOnly(met.order)) {
      met.shows -= lots;
      if (met.shows === 0) {
        met.shows = Math.min(met.order.visibleSize ?? met.left, met.left);
        met.turn = ++this.#turns;
      }
    }
  }

  #remove(met: Resting): void {
    this.#resting.splice(this.#resting.indexOf(met), 1);
    const theirs = this.standing(met.order.id);
    theirs.cancelledSize += met.left;
    theirs.active = false;
  }
}

/** Hidden and iceberg together are an iceberg. */
const hiddenOnly = (order: ModelOrder): boolean => order.hidden === true && order.visibleSize === undefined;

/** The largest number of lots that the funds pay, the fee on everything dealt so far rounded up once. */
function affordable(order: ModelOrder, standing: Standing, price: number): number {
  if (order.funds === undefined) return Number.MAX_SAFE_INTEGER;
  const cost = (lots: number) => {
    const dealt = BigInt(standing.dealFunds) + BigInt(lots) * BigInt(price);
    return dealt + (dealt * takerRatePpm + 999_999n) / 1_000_000n;
  };
  let [enough, tooMany] = [0, Math.floor(order.funds / price) + 1];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (cost(middle) <= BigInt(order.funds)) enough = middle;
    else tooMany = middle;
  }
  return enough;
}
