/**
 * A dialog in the middle, and a drawer at the side. Both keep the focus and give it back. A dialog hangs from a fixed top, so
 * that nothing moves under the pointer when more of it is loaded.
 */

import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly title: string;
  /** A sentence below the title. */
  readonly about?: ReactNode | undefined;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Dialog({ className, ...props }: DialogProps) {
  return (
    <Overlaid
      {...props}
      className={classNames(
        'animate-appear top-[8dvh] left-1/2 max-h-[calc(92dvh-1rem)] w-[min(30rem,calc(100vw-1.5rem))] -translate-x-1/2 rounded-xl border',
        className,
      )}
    />
  );
}

export function Drawer({ className, ...props }: DialogProps) {
  return (
    <Overlaid
      {...props}
      className={classNames('animate-slide-in top-0 right-0 h-dvh w-[min(34rem,100vw)] border-l', className)}
    />
  );
}

function Overlaid({ isOpen, onOpen, title, about, children, className }: DialogProps) {
  const before = useRef<HTMLElement>(null);
  /** Where the focus goes when what opened the dialog is gone, such as a button to sign in. */
  const place = useRef<HTMLElement>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpen}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          {...(about === undefined && { 'aria-describedby': undefined })}
          // The dialog itself, so that its title is read out; the first control would be the one that closes it.
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement as HTMLElement | null;
            place.current = before.current?.closest<HTMLElement>('[data-focus-place]') ?? null;
            event.preventDefault();
            const content = event.currentTarget as HTMLElement;
            (content.querySelector<HTMLElement>('[data-autofocus]') ?? content).focus();
          }}
          // The library gives it back to a trigger of its own, which these dialogs do not have.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current?.isConnected === true) before.current.focus();
            else place.current?.querySelector<HTMLElement>('button:not(:disabled), a[href], input')?.focus();
          }}
          tabIndex={-1}
          className={classNames(
            'fixed z-40 flex flex-col border-line bg-panel shadow-pop focus:outline-none',
            className,
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-sm font-semibold">{title}</Radix.Title>
              {about !== undefined && (
                <Radix.Description className="mt-0.5 text-xs text-muted">{about}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton icon="cross" label="Close" size="small" />
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-auto p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
