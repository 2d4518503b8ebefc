/**
 * Lines that the user draws, per market: started from the toolbar, placed by clicks or Enter, moved by their labels.
 * They are stored in the browser, so anything could have written them: each is validated.
 */

import type { SymbolInfo } from '@bourse/client';
import { type RefObject, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { formatAt } from '../../decimal/decimal.ts';
import type { CandleChart, ChartPoint, PriceMark } from './candle-chart.ts';
import type { Handle, HandlePlace } from './chart-handles.tsx';
import { nearestPrice } from './chart-types.ts';

export type Drawing =
  | { readonly id: string; readonly kind: 'horizontal'; readonly price: string }
  | { readonly id: string; readonly kind: 'trend'; readonly from: ChartPoint; readonly to: ChartPoint };

export type DrawingKind = Drawing['kind'];

const KEY = 'bourse.drawings';
const MARKETS_MAX = 50;
const DRAWINGS_MAX = 50;
const PRICE = /^\d{1,20}(?:\.\d{1,20})?$/;

const none: readonly Drawing[] = [];
const listeners = new Set<() => void>();
let current = read();

const drawingsOf = (symbol: string): readonly Drawing[] => current.get(symbol) ?? none;

export function useDrawings(symbol: string): readonly Drawing[] {
  return useSyncExternalStore(subscribe, () => drawingsOf(symbol));
}

/** Adds a drawing or replaces the one with its id. Drops the oldest if there are too many. */
function putDrawing(symbol: string, drawing: Drawing): void {
  const before = drawingsOf(symbol);
  const at = before.findIndex(({ id }) => id === drawing.id);
  change(symbol, at >= 0 ? before.with(at, drawing) : [...before, drawing].slice(-DRAWINGS_MAX));
}

function removeDrawing(symbol: string, id: string): void {
  change(
    symbol,
    drawingsOf(symbol).filter((each) => each.id !== id),
  );
}

export const removeDrawings = (symbol: string): void => change(symbol, []);

function change(symbol: string, drawings: readonly Drawing[]): void {
  // Another tab may have drawn in other markets in the meantime.
  const next = read();
  next.delete(symbol);
  if (drawings.length > 0) next.set(symbol, drawings);
  if (next.size > MARKETS_MAX) next.delete(next.keys().next().value!);
  current = next;
  try {
    localStorage.setItem(KEY, JSON.stringify([...next]));
  } catch {
    // Storage may be full or disabled; the lines then last as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Map<string, readonly Drawing[]> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return new Map(Array.isArray(stored) ? stored.flatMap(entryOf).slice(-MARKETS_MAX) : []);
  } catch {
    return new Map();
  }
}

function entryOf(entry: unknown): [string, readonly Drawing[]][] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !Array.isArray(entry[1])) return [];
  return [[entry[0], entry[1].filter(isDrawing).slice(-DRAWINGS_MAX)]];
}

function isDrawing(value: unknown): value is Drawing {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, price, from, to } = value as Record<string, unknown>;
  if (typeof id !== 'string') return false;
  if (kind === 'horizontal') return typeof price === 'string' && PRICE.test(price);
  return kind === 'trend' && isPoint(from) && isPoint(to);
}

function isPoint(value: unknown): value is ChartPoint {
  if (typeof value !== 'object' || value === null) return false;
  const { time, price } = value as Record<string, unknown>;
  return Number.isSafeInteger(time) && Number.isFinite(price) && (price as number) > 0;
}

export interface DrawnLines {
  readonly drawings: readonly Drawing[];
  readonly marks: readonly PriceMark[];
  readonly handles: readonly Handle[];
  /** The kind of line being drawn. */
  readonly tool: DrawingKind | null;
  readonly hint: string;
  readonly begin: (kind: DrawingKind) => void;
  readonly onPoint: (at: ChartPoint) => void;
  /** The pointer's position before the next point is placed. */
  readonly onHover: (at: ChartPoint) => void;
  /** Called while a label is dragged. */
  readonly onDrag: (key: string, to: HandlePlace | null) => void;
}

const hints = {
  horizontal: 'Click a price, or press Enter for the last price. Escape cancels.',
  trend: 'Click the start of the line, or press Enter for one across the visible range. Escape cancels.',
  second: 'Click the end of the line.',
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
  // A line begun in another market would end at a price of this one.
  useEffect(end, [code]);
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
    // After the menu has restored the focus.
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

/** The drawing with one of its labels moved. */
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
