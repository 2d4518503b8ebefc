/** A menu that opens from a button. */

import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { classNames } from './text.ts';

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="animate-appear z-50 min-w-48 rounded-lg border border-line-strong bg-raised p-1 shadow-pop"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  /** For menus of which exactly one item is chosen. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
}

export function MenuItem({ onSelect, children, isChosen = false, isDisabled = false }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={isDisabled}
      onSelect={onSelect}
      className={classNames(
        'flex h-7 items-center gap-2 rounded px-2 outline-none data-[disabled]:text-faint data-[highlighted]:bg-hover',
        isChosen ? 'text-accent' : 'text-text',
      )}
    >
      {children}
    </Radix.Item>
  );
}

export interface MenuCheckProps {
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

/** An item of which several can be chosen; the menu stays open. */
export function MenuCheck({ isChecked, onChecked, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChecked}
      onSelect={(event) => event.preventDefault()}
      className={classNames(
        'flex h-7 items-center gap-2 rounded px-2 outline-none data-[highlighted]:bg-hover',
        isChecked ? 'text-accent' : 'text-text',
      )}
    >
      <span className="flex-1">{children}</span>
      <Radix.ItemIndicator>
        <Icon name="check" />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-2xs text-faint">{children}</Radix.Label>;
}

export const MenuLine = () => <Radix.Separator className="my-1 h-px bg-line" />;
