/** What waits during the first paint of the terminal, so that what matters more is seen before. */

import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { Loading } from '../ui/states.tsx';
import { useMarket } from './market-context.tsx';

export interface AfterPaintProps {
  /** What is being waited for, for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Shows its children after the first paint. */
export function AfterPaint({ label, children }: AfterPaintProps) {
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    // A frame is painted after its callbacks; the task that one of them asks for comes after that.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setIsTurn(true))));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isTurn ? children : <Loading label={label} />;
}

const WAIT_MS_MAX = 2_000;

/**
 * Whether the chart may begin. Its library takes a good part of a first load to run, and who opens a market wants its
 * prices first: so the book is painted before the chart begins, unless the book does not come.
 */
export function useTurnOfChart(): boolean {
  const { watch } = useMarket();
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    if (isTurn) return undefined;
    const begin = (): void => setIsTurn(true);
    const timer = setTimeout(begin, WAIT_MS_MAX);
    // Told in the frame that paints the book; the one after it is the chart's.
    const stop = watch?.bookChanged.subscribe(() => requestAnimationFrame(begin));
    if (watch?.hasBook === true) requestAnimationFrame(begin);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [watch, isTurn]);
  return isTurn;
}
