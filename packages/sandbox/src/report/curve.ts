/** Points of a curve at even distances, of which nobody knows beforehand how many there will be. */

const POINTS_MAX = 400;
const DISTANCE_MS = 1000;

export class Curve<Point> {
  #points: { readonly time: number; readonly point: Point }[] = [];
  #distance = DISTANCE_MS;

  /** Whether a point is due: the caller makes it only then. */
  isDue(time: number): boolean {
    const last = this.#points.at(-1);
    return last === undefined || Math.floor(time / this.#distance) > Math.floor(last.time / this.#distance);
  }

  /** With twice as many as there may be, every other one goes and the distance doubles. */
  add(time: number, point: Point): void {
    this.#points.push({ time, point });
    while (this.#points.length > POINTS_MAX) {
      this.#distance *= 2;
      const kept = new Map(this.#points.map((each) => [Math.floor(each.time / this.#distance), each]));
      this.#points = [...kept.values()];
    }
  }

  get points(): readonly { readonly time: number; readonly point: Point }[] {
    return this.#points;
  }
}
