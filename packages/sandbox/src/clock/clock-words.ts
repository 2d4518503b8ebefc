/** The clock as it is named at the start: `real`, `manual`, or `x` and how many times as fast. */

import { type ClockMode, SPEED_MAX } from './sandbox-clock.ts';

export interface ClockWord {
  readonly mode: ClockMode;
  readonly speed: number;
}

/** Where a fresh sandbox with a standing clock begins, so that two of them give the same ids. */
export const MANUAL_START_MS = Date.UTC(2026, 0, 1);

/** Undefined for what is no such word. */
export function parseClock(word: string): ClockWord | undefined {
  if (word === 'real') return { mode: 'real', speed: 1 };
  if (word === 'manual') return { mode: 'manual', speed: 0 };
  const speed = /^x([1-9]\d{0,4})$/.test(word) ? Number(word.slice(1)) : 0;
  return speed >= 2 && speed <= SPEED_MAX ? { mode: 'scaled', speed } : undefined;
}

export const clockWord = ({ mode, speed }: ClockWord): string => (mode === 'scaled' ? `x${speed}` : mode);
