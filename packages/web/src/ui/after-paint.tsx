/** Shows its children after the first paint, so that what matters more is seen before. */

import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { Loading } from './states.tsx';

export interface AfterPaintProps {
  /** What is being waited for, for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

export function AfterPaint({ label, children }: AfterPaintProps) {
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    // A frame is painted after its callbacks; the task that one of them asks for comes after that.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setIsTurn(true))));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isTurn ? children : <Loading label={label} />;
}
