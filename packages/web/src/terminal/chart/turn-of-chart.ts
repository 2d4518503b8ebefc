/**
 * Whether the chart may begin. Its library takes a good part of a first load to run, and who opens a market wants its
 * prices first: so the book is painted before the chart begins, unless the book does not come.
 */

import { useEffect, useState } from 'react';
import { useMarket } from '../market-context.tsx';

const WAIT_MS_MAX = 2_000;

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
