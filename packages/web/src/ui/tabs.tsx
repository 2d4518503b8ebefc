/** Tabs, and segments: a compact row of exclusive choices. */

import { Tabs as Radix, ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './text.ts';

export interface Tab {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The row's accessible name. */
  readonly label: string;
  /** At the end of the row. */
  readonly aside?: ReactNode;
  readonly className?: string;
}

export function Tabs({ tabs, value, onValue, label, aside, className }: TabsProps) {
  return (
    <Radix.Root
      value={value}
      onValueChange={onValue}
      className={classNames('flex min-h-0 flex-col', className)}
    >
      <div className="flex h-9 shrink-0 items-center border-b border-line pr-2">
        <Radix.List aria-label={label} className="flex h-full min-w-0 flex-1 scroll-cue px-1">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px h-full shrink-0 border-b-2 border-transparent px-2.5 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

export interface SegmentsProps {
  readonly choices: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly label: string;
  readonly className?: string;
  /** Classes of the active choice, for choices whose colour has a meaning. */
  readonly activeClassName?: (value: string) => string;
}

export function Segments({ choices, value, onValue, label, className, activeClassName }: SegmentsProps) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Ignore a press of the active choice, which would deselect it.
      onValueChange={(next) => next !== '' && onValue(next)}
      className={classNames('flex rounded-md bg-raised p-0.5', className)}
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className={classNames(
            'h-6 flex-1 rounded px-2 text-xs font-medium whitespace-nowrap',
            choice.value === value
              ? (activeClassName?.(value) ?? 'bg-hover text-text shadow-sm')
              : 'text-muted hover:text-text',
          )}
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
