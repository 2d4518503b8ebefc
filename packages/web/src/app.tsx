/** The pages by their addresses. Each is loaded when it is opened, so that none carries another. */

import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { loadSymbols } from './exchange/market-data.ts';
import { StepUps } from './people/step-ups.tsx';
import { Broken } from './ui/broken.tsx';
import { loadedPage } from './ui/loaded-page.tsx';
import { Toasts } from './ui/toast.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

const Terminal = loadedPage(() => {
  void loadSymbols();
  return import('./terminal/terminal.tsx');
});
const Money = loadedPage(() => import('./money/money.tsx'));
const Account = loadedPage(() => import('./account/account.tsx'));
const Entrance = loadedPage(() => import('./people/pages.tsx'));
const Report = loadedPage(() => import('./report/report.tsx'));
const Console = loadedPage(() => import('./console/console.tsx'));

const ENTRANCES = ['/sign-in', '/sign-up', '/verify', '/reset', '/email', '/freeze'] as const;

/** Resolves when the files of the page at that address are there; where they cannot be loaded the page says so. */
export async function loadPage(path: string): Promise<void> {
  const pages = [
    ['/console', Console],
    ['/money', Money],
    ['/report', Report],
    ['/account', Account],
    ...ENTRANCES.map((each) => [each, Entrance] as const),
  ] as const;
  const [, page] = pages.find(([start]) => path.startsWith(start)) ?? ['', Terminal];
  await page.load().catch(() => undefined);
}

/** While the files of a page are on their way. */
function Opening() {
  return (
    <main className="p-6 text-muted">
      <h1>Loading…</h1>
    </main>
  );
}

export function App() {
  return (
    <TooltipProvider>
      <Broken>
        <Suspense fallback={<Opening />}>
          <Switch>
            <Route path="/console/*?" component={Console} />
            <Route path="/trade/:symbol" component={Terminal} />
            <Route path="/money/:section?" component={Money} />
            <Route path="/report" component={Report} />
            <Route path="/account/:section?" component={Account} />
            <Route path={/^\/(?:sign-in|sign-up|verify|reset|email|freeze)$/} component={Entrance} />
            <Route path="/" component={Terminal} />
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </Suspense>
      </Broken>
      <StepUps />
      <Toasts />
    </TooltipProvider>
  );
}
