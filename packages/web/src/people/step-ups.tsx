/** Shows the question for a second factor when a call needs one; its files are loaded then. */

import { lazy, Suspense } from 'react';
import { usePendingStepUp } from './step-up.ts';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

export function StepUps() {
  const pending = usePendingStepUp();
  if (pending === null) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog {...pending} />
    </Suspense>
  );
}
