/** Short notes that come and go: what was done, or what the exchange has said against it. */

import { useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'refused' | 'news';
  readonly title: string;
  readonly text: string;
}

const SHOWN_MAX = 4;
const SHOWN_MS = 6_000;
const REFUSED_SHOWN_MS = 12_000;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

export function showToast(kind: Toast['kind'], title: string, text = ''): void {
  const id = ++lastId;
  change([...toasts, { id, kind, title, text }].slice(-SHOWN_MAX));
  setTimeout(() => dismiss(id), kind === 'refused' ? REFUSED_SHOWN_MS : SHOWN_MS);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const looks = {
  done: { icon: 'check', className: 'text-good' },
  refused: { icon: 'alert', className: 'text-danger' },
  news: { icon: 'pulse', className: 'text-accent' },
} as const;

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label="Notes"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-3 z-50 flex w-[min(22rem,calc(100vw-1.5rem))] flex-col gap-2"
    >
      {shown.map(({ id, kind, title, text }) => (
        <div
          key={id}
          role={kind === 'refused' ? 'alert' : 'status'}
          className="animate-appear pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
        >
          <span className={classNames('mt-0.5', looks[kind].className)}>
            <Icon name={looks[kind].icon} />
          </span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">{title}</p>
            {text !== '' && <p className="mt-0.5 text-xs break-words text-muted">{text}</p>}
          </div>
          <IconButton icon="cross" label="Dismiss" size="small" onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
