/** The volume profile of the candles in sight: bars from the right edge, the price that was traded most in strong colour. */

import type { IPrimitivePaneRenderer, IPrimitivePaneView } from 'lightweight-charts';
import type { CandleChart } from '../candle-chart.ts';
import { volumeProfile } from './indicators.ts';

const ROWS = 32;
/** Of the width, for the longest bar. */
const SHARE = 0.22;

export class ProfileLayer {
  readonly #chart: CandleChart;
  readonly #colorOf: (tone: string) => string;
  #detach: (() => void) | null = null;

  constructor(chart: CandleChart, colorOf: (tone: string) => string) {
    this.#chart = chart;
    this.#colorOf = colorOf;
  }

  setShown(isShown: boolean): void {
    if (isShown === (this.#detach !== null)) return;
    this.#detach?.();
    this.#detach = null;
    if (!isShown) return;
    const renderer: IPrimitivePaneRenderer = { draw: (target) => this.#draw(target) };
    const views: readonly IPrimitivePaneView[] = [{ zOrder: () => 'bottom', renderer: () => renderer }];
    this.#detach = this.#chart.attach({ paneViews: () => views });
  }

  #draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]): void {
    const bars = this.#chart.visible.map(([time, open, close, high, low, volume]) => ({
      time: Number(time),
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      volume: Number(volume),
    }));
    const rows = volumeProfile(bars, ROWS);
    const most = Math.max(...rows.map(({ up, down }) => up + down), 0);
    if (most === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      for (const { from, to, up, down } of rows) {
        const [bottom, top] = [this.#chart.yOf(from), this.#chart.yOf(to)];
        if (bottom === null || top === null) continue;
        const height = Math.max(1, Math.abs(bottom - top) - 1);
        const scale = (width * SHARE) / most;
        const [upWidth, downWidth] = [up * scale, down * scale];
        context.globalAlpha = up + down === most ? 1 : 0.65;
        context.fillStyle = this.#colorOf('up-tint');
        context.fillRect(width - upWidth, Math.min(top, bottom), upWidth, height);
        context.fillStyle = this.#colorOf('down-tint');
        context.fillRect(width - upWidth - downWidth, Math.min(top, bottom), downWidth, height);
      }
      context.globalAlpha = 1;
    });
  }
}
