/** The price that the market has nearest to a place on a canvas, which is no exact price. */

import { Decimal } from '../../decimal/decimal.ts';
import { placesOf } from '../../decimal/format.ts';

export function nearestPrice(price: number, increment: string): string {
  const places = placesOf(increment);
  const step = Decimal.of(increment);
  const middle = Math.max(0, price) + Number(increment) / 2;
  const rounded = Decimal.of(middle.toFixed(places + 1)).floorTo(step);
  return (rounded.compare(step) < 0 ? step : rounded).toFixed(places);
}
