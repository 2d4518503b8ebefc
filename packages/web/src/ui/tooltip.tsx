/** A short text for what is pointed at or has the focus. Nothing is told only here. */

import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const DELAY_MS = 350;

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>;
}

export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="animate-appear z-50 max-w-72 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs text-text shadow-pop"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
