/** Lines that the user draws: begun from the toolbar, placed by clicks or by Enter, moved by their labels. */

import type { SymbolInfo } from '@bourse/client';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { formatAt } from '../../decimal/format.ts';
import type { CandleChart, ChartPoint, PriceMark } from './candle-chart.ts';
import type { Handle, HandlePlace } from './chart-handles.tsx';
import type { DrawingKind } from './chart-toolbar.tsx';
import { type Drawing, putDrawing, removeDrawing, useDrawings } from './drawings.ts';
import { nearestPrice } from './chart-types.ts';

export interface DrawnLines {
  readonly drawings: readonly Drawing[];
  readonly marks: readonly PriceMark[];
  readonly handles: readonly Handle[];
  /** What is being drawn. */
  readonly tool: DrawingKind | null;
  readonly hint: string;
  readonly begin: (kind: DrawingKind) => void;
  readonly onPoint: (at: ChartPoint) => void;
  /** Where the pointer is before the next point is placed. */
  readonly onHover: (at: ChartPoint) => void;
  /** While a label is being moved. */
  readonly onDrag: (key: string, to: HandlePlace | null) => void;
}

const hints = {
  horizontal: 'Click a price, or press Enter for the last one. Escape ends.',
  trend: 'Click where the line begins, or press Enter for one across what is in sight. Escape ends.',
  second: 'Click where the line ends.',
} as const;

export function useDrawnLines(
  symbol: SymbolInfo,
  chart: CandleChart | undefined,
  element: RefObject<HTMLElement | null>,
): DrawnLines {
  const code = symbol.symbol;
  const increment = symbol.priceIncrement;
  const stored = useDrawings(code);
  const [tool, setTool] = useState<DrawingKind | null>(null);
  const [from, setFrom] = useState<ChartPoint | null>(null);
  const [moved, setMoved] = useState<{ readonly key: string; readonly to: HandlePlace } | null>(null);
  const [hovered, setHovered] = useState<ChartPoint | null>(null);
  const drawings = useMemo(() => {
    const placed = moved === null ? stored : stored.map((each) => movedTo(each, moved.key, moved.to));
    if (from === null || hovered === null) return placed;
    return [...placed, { id: '', kind: 'trend', from, to: hovered } as const];
  }, [stored, moved, from, hovered]);

  const end = (): void => {
    setTool(null);
    setFrom(null);
    setHovered(null);
  };
  const add = (drawing: Drawing): void => {
    putDrawing(code, drawing);
    end();
  };
  const onPoint = (at: ChartPoint): void => {
    const id = crypto.randomUUID();
    if (tool === 'horizontal') add({ id, kind: 'horizontal', price: nearestPrice(at.price, increment) });
    else if (from === null) setFrom(at);
    else add({ id, kind: 'trend', from, to: at });
  };

  useEffect(() => {
    if (tool === null || chart === undefined) return undefined;
    // After the menu that it was chosen in has given the focus back.
    const timer = setTimeout(() => element.current?.focus());
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        event.preventDefault();
        end();
      }
      const candles = chart.visible;
      const [first, last] = [candles[0], chart.candles.at(-1)];
      if (event.key !== 'Enter' || first === undefined || last === undefined) return;
      event.preventDefault();
      const pointOf = (candle: typeof first): ChartPoint => ({
        time: Number(candle[0]),
        price: Number(candle[2]),
      });
      const id = crypto.randomUUID();
      if (tool === 'horizontal') add({ id, kind: 'horizontal', price: last[2] });
      else add({ id, kind: 'trend', from: pointOf(first), to: pointOf(last) });
    };
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, [tool, chart, code, element]);

  const marks = useMemo(
    () =>
      drawings.flatMap((drawing) =>
        drawing.kind === 'horizontal'
          ? [{ price: drawing.price, tone: 'accent', style: 'solid' } as const]
          : [],
      ),
    [drawings],
  );
  const handles = useMemo(
    () => stored.flatMap((drawing) => handlesOf(drawing, code, increment)),
    [stored, code, increment],
  );
  const hint = tool === null ? '' : hints[from === null ? tool : 'second'];
  const onDrag = (key: string, to: HandlePlace | null): void => setMoved(to === null ? null : { key, to });
  return { drawings, marks, handles, tool, hint, begin: setTool, onPoint, onHover: setHovered, onDrag };
}

/** The drawing as it is while a label of it is elsewhere. */
function movedTo(drawing: Drawing, key: string, { price, time }: HandlePlace): Drawing {
  if (drawing.kind === 'horizontal') return key === drawing.id ? { ...drawing, price } : drawing;
  const point = { price: Number(price), time: time ?? 0 };
  if (key === `${drawing.id} from`) return { ...drawing, from: point };
  return key === `${drawing.id} to` ? { ...drawing, to: point } : drawing;
}

function handlesOf(drawing: Drawing, code: string, increment: string): Handle[] {
  const common = {
    tone: 'accent',
    removeLabel: 'Remove the line',
    onRemove: () => removeDrawing(code, drawing.id),
  } as const;
  const handle = (key: string, place: HandlePlace, text: string, name: string): Handle => ({
    ...common,
    ...place,
    key,
    text,
    name,
    onDrop: (to) => putDrawing(code, movedTo(drawing, key, to)),
  });
  if (drawing.kind === 'horizontal') {
    const { id, price } = drawing;
    return [handle(id, { price }, 'line', `the line at ${formatAt(price, increment)}`)];
  }
  return (['from', 'to'] as const).map((end) => {
    const { time, price } = drawing[end];
    const place = { time, price: nearestPrice(price, increment) };
    return handle(
      `${drawing.id} ${end}`,
      place,
      '',
      `the ${end === 'from' ? 'beginning' : 'end'} of the trend line`,
    );
  });
}
