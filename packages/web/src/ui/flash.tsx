/** Flashes when its value changes, unless the system requests reduced motion. */

import { type ReactNode, useEffect, useRef } from 'react';

export interface FlashProps {
  readonly value: string;
  readonly children: ReactNode;
  readonly className?: string;
}

const FLASH_MS = 150;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export function Flash({ value, children, className }: FlashProps) {
  const place = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    if (!calm.matches)
      place.current?.animate({ backgroundColor: ['var(--line-strong)', 'transparent'] }, FLASH_MS);
  }, [value]);
  return (
    <span ref={place} className={className}>
      {children}
    </span>
  );
}
