/**
 * Draggable labels over the chart, one for each order line and drawn line. They are buttons, so the keyboard reaches
 * them: arrow keys move one, Enter drops it, Escape puts it back.
 */

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { stepped } from '../../decimal/decimal.ts';
import type { FrameSignal } from '../../exchange/frame-signal.ts';
import { Icon } from '../../ui/icon.tsx';
import { classNames } from '../../ui/text.ts';
import type { CandleChart } from './candle-chart.ts';
import { nearestPrice } from './chart-types.ts';

export interface HandlePlace {
  readonly price: string;
  /** Seconds since 1970; undefined for a line across the complete chart. */
  readonly time?: number;
}

export interface Handle extends HandlePlace {
  readonly key: string;
  readonly tone: 'up' | 'down' | 'accent';
  /** The text shown; '' for a point. */
  readonly text: string;
  /** The accessible name, such as "buy 0.5 at 49,000". */
  readonly name: string;
  readonly onDrop: (to: HandlePlace) => void;
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

export interface ChartHandlesProps {
  readonly chart: CandleChart;
  readonly handles: readonly Handle[];
  readonly increment: string;
  readonly layout: FrameSignal;
  /** Called while a label is dragged, so that the line follows; null at the end. */
  readonly onDrag: (key: string, to: HandlePlace | null) => void;
}

const LABEL_HEIGHT = 20;
const COLUMN_WIDTH = 150;
const COLUMNS_MAX = 4;
const MARGIN = 8;
/** A press that moves less than this is a click. */
const CLICK_PX = 3;

export function ChartHandles({ chart, handles, increment, layout, onDrag }: ChartHandlesProps) {
  const elements = useRef(new Map<string, HTMLElement>());
  const [moved, setMoved] = useState<{ readonly key: string; readonly to: HandlePlace } | null>(null);

  useEffect(() => {
    const place = (): void => placeAll(chart, handles, elements.current, moved);
    place();
    return layout.subscribe(place);
  }, [chart, handles, layout, moved]);

  const move = (key: string, to: HandlePlace | null): void => {
    setMoved(to === null ? null : { key, to });
    onDrag(key, to);
  };
  return (
    <ul aria-label="Lines on the chart" className="pointer-events-none absolute inset-0 z-10 overflow-hidden">
      {handles.map((handle) => (
        <li
          key={handle.key}
          ref={(element) => {
            if (element === null) elements.current.delete(handle.key);
            else elements.current.set(handle.key, element);
          }}
          className="absolute top-0 left-0"
        >
          <HandleView
            {...{ chart, handle, increment }}
            to={moved?.key === handle.key ? moved.to : null}
            onMove={(to) => move(handle.key, to)}
          />
        </li>
      ))}
    </ul>
  );
}

interface HandleViewProps {
  readonly chart: CandleChart;
  readonly handle: Handle;
  readonly increment: string;
  /** The position during a drag; null otherwise. */
  readonly to: HandlePlace | null;
  readonly onMove: (to: HandlePlace | null) => void;
}

function HandleView({ chart, handle, increment, to, onMove }: HandleViewProps) {
  const { tone, text, name, onDrop, onRemove, removeLabel } = handle;
  const grip = useRef<{ readonly x: number; readonly y: number; readonly dy: number } | null>(null);
  const isPoint = handle.time !== undefined;

  const placeAt = (event: PointerEvent<HTMLElement>, dy: number): HandlePlace | null => {
    const box = event.currentTarget.closest('ul')!.getBoundingClientRect();
    const price = chart.priceAt(event.clientY - box.top - dy);
    const time = isPoint ? chart.timeAt(event.clientX - box.left) : undefined;
    if (price === null || time === null) return null;
    return { price: nearestPrice(price, increment), ...(time !== undefined && { time }) };
  };
  const drop = (place: HandlePlace): void => {
    onMove(null);
    onDrop(place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const now = to ?? handle;
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    const sideways = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const price =
      direction === 0 ? now.price : stepped(now.price, increment, direction * (event.shiftKey ? 10 : 1));
    if (direction !== 0 && price !== null) {
      event.preventDefault();
      onMove({ ...placeOf(now), price });
    } else if (sideways !== 0 && now.time !== undefined) {
      event.preventDefault();
      onMove({ price: now.price, time: now.time + sideways * chart.interval });
    } else if (event.key === 'Escape' && to !== null) {
      event.stopPropagation();
      grip.current = null;
      onMove(null);
    } else if (event.key === 'Delete') onRemove();
  };
  return (
    <span
      className={classNames(
        'pointer-events-auto flex items-stretch overflow-hidden rounded border bg-panel text-2xs shadow-sm',
        tones[tone],
        isPoint && 'rounded-full',
      )}
    >
      <button
        type="button"
        aria-label={`Move ${name}`}
        title="Drag it, or press the arrow keys and Enter."
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const box = event.currentTarget.getBoundingClientRect();
          const dy = event.clientY - (box.top + box.height / 2);
          grip.current = { x: event.clientX, y: event.clientY, dy };
        }}
        onPointerMove={(event) => {
          if (grip.current === null) return;
          const { x, y, dy } = grip.current;
          if (to === null && Math.hypot(event.clientX - x, event.clientY - y) < CLICK_PX) return;
          const place = placeAt(event, dy);
          if (place !== null) onMove(place);
        }}
        onPointerUp={() => {
          grip.current = null;
        }}
        onPointerCancel={() => {
          grip.current = null;
          onMove(null);
        }}
        // Fires after the pointer is released, and on Enter.
        onClick={() => drop(to ?? placeOf(handle))}
        onKeyDown={onKeyDown}
        className={classNames(
          'cursor-grab touch-none hover:bg-hover active:cursor-grabbing',
          isPoint ? 'size-3' : 'h-5 px-1.5 whitespace-nowrap',
        )}
      >
        {text}
        {to !== null && text !== '' && <span className="text-muted"> → {to.price}</span>}
        <span role="status" className="sr-only">
          {to === null ? '' : `at ${to.price}`}
        </span>
      </button>
      {!isPoint && (
        <button
          type="button"
          aria-label={removeLabel}
          title={removeLabel}
          onClick={onRemove}
          className="grid w-5 place-items-center border-l border-line text-muted hover:bg-hover hover:text-text"
        >
          <Icon name="cross" />
        </button>
      )}
    </span>
  );
}

const tones = {
  up: 'border-up text-up',
  down: 'border-down text-down',
  accent: 'border-accent text-accent',
} as const;

const placeOf = ({ price, time }: HandlePlace): HandlePlace => ({
  price,
  ...(time !== undefined && { time }),
});

/**
 * Writes positions to the elements directly: the chart moves in every frame of a drag, which is too often to
 * rerender.
 */
function placeAll(
  chart: CandleChart,
  handles: readonly Handle[],
  elements: ReadonlyMap<string, HTMLElement>,
  moved: { readonly key: string; readonly to: HandlePlace } | null,
): void {
  const { width, height } = chart.area;
  const columns = Math.min(COLUMNS_MAX, Math.max(1, Math.floor(width / COLUMN_WIDTH)));
  const placed: number[][] = Array.from({ length: columns }, () => []);
  const rows = handles.map((handle) => {
    const { price, time } = moved?.key === handle.key ? moved.to : handle;
    return { handle, y: chart.yOf(Number(price)), x: time === undefined ? undefined : chart.xOf(time) };
  });
  for (const { handle, y, x } of rows.toSorted((a, b) => (a.y ?? 0) - (b.y ?? 0))) {
    const element = elements.get(handle.key);
    if (element === undefined) continue;
    const isSeen =
      y !== null && y >= 0 && y <= height && x !== null && (x === undefined || (x >= 0 && x <= width));
    element.style.visibility = isSeen ? 'visible' : 'hidden';
    if (!isSeen) continue;
    if (x !== undefined) {
      element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
      continue;
    }
    // Labels of lines close to each other are placed side by side.
    const free = placed.findIndex((ys) => ys.every((other) => Math.abs(other - y) >= LABEL_HEIGHT));
    const column = free < 0 ? columns - 1 : free;
    placed[column]!.push(y);
    const right = Math.round(width - MARGIN - column * COLUMN_WIDTH);
    element.style.transform = `translate(${right}px, ${Math.round(y)}px) translate(-100%, -50%)`;
  }
}
