/** The routes of the pages. Each page is loaded when it is opened, so that none carries the code of another. */

import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { loadSymbols } from './exchange/market-data.ts';
import { StepUps } from './people/step-up.tsx';
import { Button, TooltipProvider } from './ui/button.tsx';
import { Empty } from './ui/states.tsx';
import { Toasts } from './ui/toast.tsx';

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

/** Resolves when the files of the page at `path` have loaded, or failed to: the page then shows the error. */
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

/** Shown while the files of a page load. */
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

interface State {
  readonly error: Error | null;
}

/** What stands where a part of the page has failed: what went wrong, and a way to begin again. */
class Broken extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center">
        <div role="alert">
          <Empty icon="alert" title="This page has failed to render">
            <p className="mb-3 break-words">{error.message}</p>
            <Button kind="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
          </Empty>
        </div>
      </main>
    );
  }
}

interface LoadedPage {
  (): React.JSX.Element;
  /** Resolves when the files are there. */
  load(): Promise<unknown>;
}

/**
 * A page whose files are loaded when it is opened. If they loaded before, the page is rendered at once: with `lazy`
 * alone React would render the fallback first and keep it for a third of a second.
 */
function loadedPage(load: () => Promise<{ readonly default: ComponentType }>): LoadedPage {
  let loaded: ComponentType | undefined;
  const loadOnce = async (): Promise<{ readonly default: ComponentType }> => {
    const page = await load();
    loaded = page.default;
    return page;
  };
  const Later = lazy(loadOnce);
  const Shown = (): React.JSX.Element => {
    // Fixed while mounted: switching to the other component would remount the page with an empty state.
    const [Page] = useState(() => loaded ?? Later);
    return <Page />;
  };
  return Object.assign(Shown, { load: loadOnce });
}
