/** A word in a small box: a state, a kind. */

import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  neutral: 'bg-hover text-muted',
  up: 'bg-up-tint text-up',
  down: 'bg-down-tint text-down',
  warning: 'bg-warning-tint text-warning',
  danger: 'bg-danger-tint text-danger',
  accent: 'bg-hover text-accent',
} as const;

export type Tone = keyof typeof tones;

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-[1.125rem] items-center rounded px-1.5 text-2xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
