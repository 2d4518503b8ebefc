/** Trend lines: straight on the canvas between two points of time and price. */

import type { IPrimitivePaneRenderer, IPrimitivePaneView } from 'lightweight-charts';
import type { CandleChart, ChartPoint } from '../candle-chart.ts';

interface Trend {
  readonly from: ChartPoint;
  readonly to: ChartPoint;
}

export class TrendLayer {
  readonly #chart: CandleChart;
  readonly #colorOf: (tone: string) => string;
  readonly #detach: () => void;
  #trends: readonly Trend[] = [];
  #requestUpdate = (): void => undefined;

  constructor(chart: CandleChart, colorOf: (tone: string) => string) {
    this.#chart = chart;
    this.#colorOf = colorOf;
    const renderer: IPrimitivePaneRenderer = { draw: (target) => this.#draw(target) };
    const views: readonly IPrimitivePaneView[] = [{ zOrder: () => 'top', renderer: () => renderer }];
    this.#detach = chart.attach({
      attached: ({ requestUpdate }) => {
        this.#requestUpdate = requestUpdate;
      },
      paneViews: () => views,
    });
  }

  set(trends: readonly Trend[]): void {
    this.#trends = trends;
    this.#requestUpdate();
  }

  close(): void {
    this.#detach();
  }

  #draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]): void {
    target.useMediaCoordinateSpace(({ context }) => {
      context.strokeStyle = this.#colorOf('accent');
      context.lineWidth = 1.5;
      for (const { from, to } of this.#trends) {
        const points = [from, to].map(
          ({ time, price }) => [this.#chart.xOf(time), this.#chart.yOf(price)] as const,
        );
        const [[x1, y1], [x2, y2]] = points as [
          readonly [number | null, number | null],
          readonly [number | null, number | null],
        ];
        if (x1 === null || y1 === null || x2 === null || y2 === null) continue;
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.stroke();
      }
    });
  }
}
