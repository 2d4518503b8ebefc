/** Panels of the terminal that can be hidden and resized, with their sizes. */

import { preferences, setPreferences } from '../preferences/preferences.ts';

export const PANELS = [
  { name: 'markets', title: 'Markets' },
  { name: 'chart', title: 'Chart' },
  { name: 'book', title: 'Order book' },
  { name: 'trades', title: 'Trades' },
  { name: 'order', title: 'Order form' },
  { name: 'orders', title: 'Orders and balances' },
] as const;

export type PanelName = (typeof PANELS)[number]['name'];

/** Pixels: widths of columns, heights of panels below another one. */
export const PANEL_SIZES = [
  { name: 'markets', label: 'Width of the markets', usual: 248, min: 200, max: 420 },
  { name: 'book', label: 'Width of the order book', usual: 272, min: 208, max: 480 },
  { name: 'order', label: 'Width of the order form', usual: 296, min: 272, max: 480 },
  { name: 'orders', label: 'Height of the orders', usual: 272, min: 120, max: 640 },
  { name: 'trades', label: 'Height of the trades', usual: 272, min: 96, max: 640 },
] as const;

export type SizeName = (typeof PANEL_SIZES)[number]['name'];
export type Sizes = ReadonlyMap<SizeName, number>;

/** Validates stored sizes, which may be arbitrary. */
export function sizesOf(stored: readonly unknown[]): Sizes {
  return new Map(
    PANEL_SIZES.map(({ name, usual, min, max }, at) => {
      const size = stored[at];
      return [name, typeof size === 'number' && size >= min && size <= max ? size : usual];
    }),
  );
}

export const minOf = (name: SizeName): number => PANEL_SIZES.find((each) => each.name === name)!.min;

export function saveSize(name: SizeName, size: number): void {
  const sizes = new Map(sizesOf(preferences().panelSizes)).set(name, Math.round(size));
  setPreferences({ panelSizes: PANEL_SIZES.map((each) => sizes.get(each.name)!) });
}

export function showPanel(name: PanelName, isShown: boolean): void {
  const others = preferences().hiddenPanels.filter((each) => each !== name);
  setPreferences({ hiddenPanels: isShown ? others : [...others, name] });
}

export const resetLayout = (): void =>
  setPreferences({ hiddenPanels: [], panelSizes: [], bookSides: 'both' });
