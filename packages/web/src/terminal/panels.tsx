/** The terminal's panels that can be hidden and resized, and their sizes. */

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { preferences, setPreferences } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { classNames } from '../ui/text.ts';

const PANELS = [
  { name: 'markets', title: 'Markets' },
  { name: 'chart', title: 'Chart' },
  { name: 'book', title: 'Order book' },
  { name: 'trades', title: 'Trades' },
  { name: 'order', title: 'Order form' },
  { name: 'orders', title: 'Orders and balances' },
] as const;

export type PanelName = (typeof PANELS)[number]['name'];

/** Pixels: widths of columns, heights of panels below another one. */
const PANEL_SIZES = [
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

function saveSize(name: SizeName, size: number): void {
  const sizes = new Map(sizesOf(preferences().panelSizes)).set(name, Math.round(size));
  setPreferences({ panelSizes: PANEL_SIZES.map((each) => sizes.get(each.name)!) });
}

function showPanel(name: PanelName, isShown: boolean): void {
  const others = preferences().hiddenPanels.filter((each) => each !== name);
  setPreferences({ hiddenPanels: isShown ? others : [...others, name] });
}

const resetLayout = (): void => setPreferences({ hiddenPanels: [], panelSizes: [], bookSides: 'both' });

/** `left`: panels that do not fit at the current width. */
export function LayoutMenu({ left }: { readonly left: readonly PanelName[] }) {
  const { hiddenPanels } = usePreferences();
  return (
    <Menu trigger={<IconButton icon="layout" label="Layout" />}>
      <MenuLabel>Panels</MenuLabel>
      {PANELS.filter(({ name }) => !left.includes(name)).map(({ name, title }) => (
        <MenuCheck
          key={name}
          isChecked={!hiddenPanels.includes(name)}
          onChecked={(isShown) => showPanel(name, isShown)}
        >
          {title}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={resetLayout}>Reset the layout</MenuItem>
    </Menu>
  );
}

export interface DividerProps {
  readonly name: SizeName;
  readonly size: number;
  /** Whether the panel that it resizes precedes it in reading order. */
  readonly isPanelBefore?: boolean;
  readonly isHorizontal?: boolean;
  /** Called with each size during a drag, and with null when it ends and the size is saved. */
  readonly onDrag: (size: number | null) => void;
  readonly className?: string;
}

const STEP = 16;

/** The gap between two panels. Dragging or arrow keys move it; a double click restores it. */
export function Divider({ name, size, isPanelBefore, isHorizontal, onDrag, className }: DividerProps) {
  const { label, min, max, usual } = PANEL_SIZES.find((each) => each.name === name)!;
  const start = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const clamp = (wanted: number): number => Math.min(max, Math.max(min, wanted));
  const direction = isPanelBefore === true ? 1 : -1;
  const at = (event: PointerEvent): number => (isHorizontal === true ? event.clientY : event.clientX);
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = isHorizontal === true ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const step = event.key === more ? STEP : event.key === less ? -STEP : 0;
    if (step === 0 && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    saveSize(name, event.key === 'Home' ? min : event.key === 'End' ? max : clamp(size + step * direction));
  };

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isHorizontal === true ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(size)}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onDoubleClick={() => saveSize(name, usual)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: at(event), size };
      }}
      onPointerMove={(event) => {
        if (start.current === null) return;
        onDrag(clamp(start.current.size + (at(event) - start.current.at) * direction));
      }}
      onLostPointerCapture={() => {
        if (start.current !== null && start.current.size !== size) saveSize(name, size);
        start.current = null;
        onDrag(null);
      }}
      className={classNames(
        'shrink-0 touch-none rounded transition-colors duration-150 hover:bg-line-strong focus-visible:bg-accent',
        isHorizontal === true ? 'h-1.5 cursor-row-resize' : 'w-1.5 cursor-col-resize',
        className,
      )}
    />
  );
}
