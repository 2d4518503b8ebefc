/** Indicators and trend lines on a chart. What draws them is loaded when the first is wanted. */

import { useEffect, useState } from 'react';
import type { FrameSignal } from '../../exchange/frame-signal.ts';
import type { CandleChart } from './candle-chart.ts';
import { color } from './chart-colors.ts';
import { type Indicator, isIndicator } from './chart-types.ts';
import type { Drawing } from './drawings.ts';
import type { ChartTools } from './tools/chart-tools.ts';

export function useChartTools(
  chart: CandleChart | undefined,
  chosen: readonly string[],
  drawings: readonly Drawing[],
  drawn: FrameSignal,
): ChartTools | undefined {
  const [tools, setTools] = useState<ChartTools>();
  const isWanted = chosen.some(isIndicator) || drawings.some(({ kind }) => kind === 'trend');

  useEffect(() => {
    if (chart === undefined || !isWanted) return undefined;
    let made: ChartTools | undefined;
    let isClosed = false;
    const load = async (): Promise<void> => {
      const { ChartTools: Tools } = await import('./tools/chart-tools.ts');
      if (isClosed) return;
      made = new Tools(chart, color, () => drawn.changed());
      setTools(made);
    };
    load().catch(() => undefined);
    return () => {
      isClosed = true;
      setTools(undefined);
      if (!chart.isClosed) made?.close();
    };
  }, [chart, isWanted, drawn]);

  useEffect(() => tools?.setIndicators(new Set(chosen.filter(isIndicator) as Indicator[])), [tools, chosen]);
  useEffect(
    () => tools?.setTrends(drawings.filter((drawing) => drawing.kind === 'trend')),
    [tools, drawings],
  );
  return tools;
}
