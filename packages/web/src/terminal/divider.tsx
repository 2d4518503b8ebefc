/** The gap between two panels. Dragging or arrow keys move it; a double click restores it. */

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../ui/class-names.ts';
import { PANEL_SIZES, saveSize, type SizeName } from './panel-sizes.ts';

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
