/**
 * Lines that the user has drawn, for each market. They are kept in the browser like the preferences, and read as text
 * that anybody may have written there.
 */

import { useSyncExternalStore } from 'react';
import type { ChartPoint } from './candle-chart.ts';

export type Drawing =
  | { readonly id: string; readonly kind: 'horizontal'; readonly price: string }
  | { readonly id: string; readonly kind: 'trend'; readonly from: ChartPoint; readonly to: ChartPoint };

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

/** Adds it, or takes the place of the one with its id. The oldest go where there are too many. */
export function putDrawing(symbol: string, drawing: Drawing): void {
  const before = drawingsOf(symbol);
  const at = before.findIndex(({ id }) => id === drawing.id);
  change(symbol, at >= 0 ? before.with(at, drawing) : [...before, drawing].slice(-DRAWINGS_MAX));
}

export function removeDrawing(symbol: string, id: string): void {
  change(
    symbol,
    drawingsOf(symbol).filter((each) => each.id !== id),
  );
}

export const removeDrawings = (symbol: string): void => change(symbol, []);

function change(symbol: string, drawings: readonly Drawing[]): void {
  // Another page of this browser may have drawn in other markets meanwhile.
  const next = read();
  next.delete(symbol);
  if (drawings.length > 0) next.set(symbol, drawings);
  if (next.size > MARKETS_MAX) next.delete(next.keys().next().value!);
  current = next;
  try {
    localStorage.setItem(KEY, JSON.stringify([...next]));
  } catch {
    // Storage may be full or switched off; the lines then last as long as the page.
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
