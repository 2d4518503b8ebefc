/**
 * Toasts: what was done, or the exchange's error message. They are placed where no form has its buttons: at the
 * bottom left, and on a narrow page over the top bar.
 */

import { useSyncExternalStore } from 'react';
import { preferences } from '../preferences/preferences.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { classNames } from './text.ts';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  /** `unsure`: the outcome is unknown. */
  readonly kind: 'done' | 'refused' | 'unsure';
  readonly title: string;
  readonly text: string;
  readonly about: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly action: ToastAction | undefined;
}

const SHOWN_MAX = 4;
const SHOWN_MS = 6_000;
const UNUSUAL_SHOWN_MS = 12_000;
const LOG_MAX = 100;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;
/** All notifications of this page, newest first. Not stored, so a reload clears them. */
let log: readonly Toast[] = [];
let readUpTo = 0;

/**
 * Replaces a toast with the same `about`, such as an order's id, so that each thing has one toast with its latest
 * state.
 */
export function showToast(
  kind: Toast['kind'],
  title: string,
  text = '',
  about = '',
  action?: ToastAction,
): void {
  const isSame = (toast: Toast): boolean =>
    toast.about === about && toast.title === title && toast.text === text;
  if (about !== '' && toasts.some(isSame)) return;
  const id = ++lastId;
  const others = toasts.filter((toast) => about === '' || toast.about !== about);
  const toast = { id, kind, title, text, about, time: Date.now(), action };
  log = [toast, ...log].slice(0, LOG_MAX);
  change([...others, toast].slice(-SHOWN_MAX));
  if (preferences().hasSound) void import('./sound.ts').then(({ play }) => play(kind));
  setTimeout(() => dismiss(id), kind === 'done' && action === undefined ? SHOWN_MS : UNUSUAL_SHOWN_MS);
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

export const useToastLog = (): readonly Toast[] => useSyncExternalStore(subscribe, () => log);

/** The number of notifications since the log was last opened. */
export function useUnreadToasts(): number {
  return useSyncExternalStore(subscribe, () => log.filter(({ id }) => id > readUpTo).length);
}

export function readToasts(): void {
  readUpTo = lastId;
  change(toasts);
}

export const looks = {
  done: { icon: 'check', className: 'text-good' },
  refused: { icon: 'alert', className: 'text-danger' },
  unsure: { icon: 'alert', className: 'text-warning' },
} as const;

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label="Notes"
      aria-live="polite"
      className="pointer-events-none fixed bottom-3 left-3 z-50 flex w-[min(22rem,calc(100vw-1.5rem))] flex-col gap-2 min-[85rem]:left-2 min-[85rem]:w-[15rem] max-lg:top-1 max-lg:bottom-auto"
    >
      {shown.map(({ id, kind, title, text, action }) => (
        <div
          key={id}
          role={kind === 'done' ? 'status' : 'alert'}
          className="animate-appear pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
        >
          <span className={classNames('mt-0.5', looks[kind].className)}>
            <Icon name={looks[kind].icon} />
          </span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">{title}</p>
            {text !== '' && <p className="mt-0.5 text-xs break-words text-muted">{text}</p>}
            {action !== undefined && (
              <Button
                size="small"
                className="mt-1.5"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
          </div>
          <IconButton icon="cross" label="Dismiss" size="small" onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
