/** Buttons. `kind` is the meaning of a press: main action, other action, buy, sell, or destructive. */

import { Tooltip as Radix } from 'radix-ui';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { classNames } from './text.ts';

const kinds = {
  primary: 'bg-accent-fill text-white hover:brightness-110',
  neutral: 'border border-line-strong bg-raised text-text hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-text',
  up: 'bg-up-fill text-white hover:brightness-110',
  down: 'bg-down-fill text-white hover:brightness-110',
  danger: 'bg-danger-fill text-white hover:brightness-110',
} as const;

const sizes = {
  small: 'h-6 px-2 text-xs gap-1',
  medium: 'h-8 px-3 gap-1.5',
  large: 'h-10 px-4 text-sm font-semibold gap-2',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: keyof typeof kinds;
  readonly size?: keyof typeof sizes;
  /** Its request is in flight: disables the button. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = 'neutral',
  size = 'medium',
  isBusy = false,
  className,
  disabled,
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      disabled={disabled === true || isBusy}
      className={classNames(
        'inline-flex shrink-0 select-none items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors',
        'disabled:cursor-not-allowed disabled:border-line disabled:bg-raised disabled:text-faint disabled:brightness-100',
        kinds[kind],
        sizes[size],
        className,
      )}
      {...others}
    />
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  readonly icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly isFilled?: boolean;
}

export function IconButton({ icon, label, isFilled = false, size = 'medium', ...others }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button
        kind="quiet"
        size={size}
        aria-label={label}
        {...others}
        className={classNames(size === 'small' ? 'w-6 px-0' : 'w-8 px-0', others.className)}
      >
        <Icon name={icon} isFilled={isFilled} />
      </Button>
    </Tooltip>
  );
}

const DELAY_MS = 350;

/** Configures tooltips, which repeat names and never carry information of their own. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>;
}

function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
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
