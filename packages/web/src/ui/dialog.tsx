/**
 * A centred dialog, a bottom sheet and a side drawer. They trap the focus and restore it on close; a docked drawer does
 * not trap it, because the page beside it stays usable. A dialog has a fixed top edge, so that nothing moves under the
 * pointer when more content loads.
 */

import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { classNames } from './text.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly title: string;
  /** Text below the title. */
  readonly about?: ReactNode | undefined;
  readonly children: ReactNode;
  readonly className?: string;
  /** Its request is in flight: the dialog stays open, because it shows the outcome. */
  readonly isBusy?: boolean;
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

export interface DrawerProps extends DialogProps {
  /** Shown beside the page instead of over it. */
  readonly isDocked?: boolean;
}

export function Drawer({ className, ...props }: DrawerProps) {
  return (
    <Overlaid
      {...props}
      className={classNames(
        'top-0 right-0 h-dvh border-l',
        props.isDocked === true ? 'w-[26rem]' : 'animate-slide-in w-[min(34rem,100vw)]',
        className,
      )}
    />
  );
}

/** A bottom sheet for phones; the page stays visible above it. */
export function Sheet({ className, ...props }: DialogProps) {
  return (
    <Overlaid
      {...props}
      className={classNames(
        'animate-appear inset-x-0 bottom-0 max-h-[88dvh] rounded-t-xl border-t',
        className,
      )}
    />
  );
}

function Overlaid(props: DrawerProps) {
  const { isOpen, onOpen, title, about, children, className, isDocked = false, isBusy = false } = props;
  const before = useRef<HTMLElement>(null);
  /** The fallback for the focus if the element that opened the dialog has gone, such as a sign-in button. */
  const place = useRef<HTMLElement>(null);
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(next) => {
        if (next || !isBusy) onOpen(next);
      }}
      modal={!isDocked}
    >
      <Radix.Portal>
        {!isDocked && <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />}
        <Radix.Content
          {...(isDocked && {
            'data-docked': '',
            onInteractOutside: (event: Event) => event.preventDefault(),
            // Ignore Escape if it was pressed in the page.
            onEscapeKeyDown: (event: KeyboardEvent) => {
              if ((event.target as HTMLElement).closest('#root')) event.preventDefault();
            },
          })}
          {...(about === undefined && { 'aria-describedby': undefined })}
          // Focus the dialog itself, so that screen readers read its title; the default is the close button.
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement as HTMLElement | null;
            place.current = before.current?.closest<HTMLElement>('[data-focus-place]') ?? null;
            event.preventDefault();
            const content = event.currentTarget as HTMLElement;
            (content.querySelector<HTMLElement>('[data-autofocus]') ?? content).focus();
          }}
          // The library restores the focus only to its own triggers, which these dialogs do not have.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current?.isConnected === true) before.current.focus();
            else place.current?.querySelector<HTMLElement>('button:not(:disabled), a[href], input')?.focus();
          }}
          // React's events follow the component tree: without this, a form in a dialog would also submit the form that
          // contains the dialog.
          onSubmit={(event) => event.stopPropagation()}
          tabIndex={-1}
          className={classNames(
            'fixed flex flex-col border-line bg-panel focus:outline-none',
            isDocked ? 'z-30' : 'z-40 shadow-pop',
            className,
          )}
        >
          <div className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-sm font-semibold">{title}</Radix.Title>
              {about !== undefined && (
                <Radix.Description className="mt-0.5 text-xs text-muted">{about}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton icon="cross" label="Close" size="small" isBusy={isBusy} />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-auto p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmButtonProps {
  readonly label: string;
  /** Such as "Cancel 12 orders in BTC-USDT?" */
  readonly question: string;
  readonly about?: ReactNode;
  readonly yes: string;
  readonly no: string;
  readonly isBusy: boolean;
  readonly size?: ButtonProps['size'];
  readonly onConfirm: () => void;
}

/** A button for irreversible actions: asks for confirmation, and names what is affected. */
export function ConfirmButton({
  label,
  question,
  about,
  yes,
  no,
  isBusy,
  size = 'small',
  onConfirm,
}: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size={size} isBusy={isBusy} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onOpen={setIsOpen} title={question} about={about}>
        <div className="flex gap-2">
          <Button
            kind="danger"
            onClick={() => {
              setIsOpen(false);
              onConfirm();
            }}
          >
            {yes}
          </Button>
          <Button onClick={() => setIsOpen(false)}>{no}</Button>
        </div>
      </Dialog>
    </>
  );
}
