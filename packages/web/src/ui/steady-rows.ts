/**
 * Rows that keep their places while somebody points at them: a row that is over stays as a shadow that cannot be
 * pressed, and new ones come at the end, until the pointer leaves the list. Otherwise the next row would slide below a
 * second click.
 */

import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface SteadyRow<Row> {
  readonly key: string;
  readonly row: Row;
  readonly isGone: boolean;
}

/** A finger leaves with every tap, so after the last one the rows stay for so long. */
const TOUCH_MS = 2_000;

export function useSteadyRows<Row>(rows: readonly Row[], rowKey: (row: Row) => string) {
  const [isHeld, setIsHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const before = useRef<readonly SteadyRow<Row>[]>([]);
  const now = new Map(rows.map((row) => [rowKey(row), { key: rowKey(row), row, isGone: false }]));
  const kept = isHeld ? before.current.map((each) => now.get(each.key) ?? { ...each, isGone: true }) : [];
  const keys = new Set(kept.map(({ key }) => key));
  const shown: readonly SteadyRow<Row>[] = [
    ...kept,
    ...[...now.values()].filter(({ key }) => !keys.has(key)),
  ];
  useLayoutEffect(() => {
    before.current = shown;
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  const hold = ({ pointerType }: PointerEvent): void => {
    clearTimeout(timer.current);
    setIsHeld(true);
    if (pointerType === 'touch') timer.current = setTimeout(() => setIsHeld(false), TOUCH_MS);
  };
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== 'touch') setIsHeld(false);
  };
  return { shown, handlers: { onPointerMove: hold, onPointerDown: hold, onPointerLeave: leave } };
}
