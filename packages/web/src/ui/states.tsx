/** Badges that name a state, and what a panel shows instead of data: empty, loading, failed. */

import { ApiError, ConnectionLost } from '@bourse/client';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { classNames } from './text.ts';

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

export interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly className?: string;
}

export function Empty({ icon = 'book', title, children, className }: EmptyProps) {
  return (
    <div
      className={classNames(
        'flex h-full min-h-28 flex-col items-center justify-center gap-1.5 p-4 text-center',
        className,
      )}
    >
      <span className="text-faint">
        <Icon name={icon} />
      </span>
      <p className="font-medium text-muted">{title}</p>
      {children !== undefined && <div className="max-w-80 text-xs text-faint">{children}</div>}
    </div>
  );
}

/** Placeholder bars for lines of text. */
export function Loading({ label, lines = 5 }: { readonly label: string; readonly lines?: number }) {
  return (
    <div role="status" className="flex flex-col gap-2.5 p-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span
          key={at}
          className="animate-pulse-soft h-3 rounded bg-hover"
          style={{ width: `${90 - ((at * 17) % 45)}%` }}
        />
      ))}
    </div>
  );
}

export interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failed({ error, onRetry }: FailedProps) {
  return (
    <div
      role="alert"
      className="flex h-full min-h-28 flex-col items-center justify-center gap-2 p-4 text-center"
    >
      <span className="text-danger">
        <Icon name="alert" />
      </span>
      <p className="max-w-96 text-xs break-words text-muted">{sentenceOf(error)}</p>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export const NOT_ANSWERED =
  'The exchange did not answer. The request may have been executed or not; the lists below show the result when the connection is back.';

/** The exchange's own error message, or that it did not respond. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    return `${error.msg}${error.detail === '' ? '' : ` ${error.detail}`} (${error.code})`;
  }
  if (error instanceof ConnectionLost) {
    return NOT_ANSWERED;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The exchange's error message for a form. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="text-xs break-words text-danger">
      {sentenceOf(error)}
    </p>
  );
}
