/** The two pages by their addresses. Each is loaded when it is opened, so that neither carries the other. */

import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Broken } from './ui/broken.tsx';
import { Toasts } from './ui/toast.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

const Terminal = lazy(() => import('./terminal/terminal.tsx'));
const Money = lazy(() => import('./money/money.tsx'));
const Console = lazy(() => import('./console/console.tsx'));

export function App() {
  return (
    <TooltipProvider>
      <Broken>
        <Suspense fallback={<p className="p-6 text-muted">Loading…</p>}>
          <Switch>
            <Route path="/console/*?" component={Console} />
            <Route path="/trade/:symbol" component={Terminal} />
            <Route path="/money/:section?" component={Money} />
            <Route path="/" component={Terminal} />
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </Suspense>
      </Broken>
      <Toasts />
    </TooltipProvider>
  );
}
