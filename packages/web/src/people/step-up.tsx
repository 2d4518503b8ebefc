/** Calls that need a recent factor: if it is missing, the page asks for one and repeats the call. */

import { ApiError } from '@bourse/client';
import { lazy, Suspense, useSyncExternalStore } from 'react';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** The user cancelled the question for a factor: nothing to report. */
export class NotGiven extends Error {
  override readonly name = 'NotGiven';

  constructor() {
    super('No second factor was given.');
  }
}

interface StepUp {
  readonly given: () => void;
  readonly refused: () => void;
}

const listeners = new Set<() => void>();
let asked: StepUp | null = null;

export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isStepUp(error)) throw error;
    await askStepUp();
    return call();
  }
}

/** The identity API has an error code for it; the trading API only names the path in its message. */
const isStepUp = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'step-up' || error.message.includes('/identity/v1/step-up'));

function askStepUp(): Promise<void> {
  asked?.refused();
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => (): void => {
      change(null);
      settle();
    };
    change({ given: end(resolve), refused: end(() => reject(new NotGiven())) });
  });
}

function usePendingStepUp(): StepUp | null {
  return useSyncExternalStore(subscribe, () => asked);
}

function change(next: StepUp | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for a second factor when a call needs one; the dialog loads then. */
export function StepUps() {
  const pending = usePendingStepUp();
  if (pending === null) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog {...pending} />
    </Suspense>
  );
}
