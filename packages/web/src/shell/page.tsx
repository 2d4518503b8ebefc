/** What the pages have in common: the link that skips the top bar, and the frame of a page with tabs. */

import type { ReactNode } from 'react';
import { useLocation, useRoute } from 'wouter';
import { Panel } from '../ui/panel.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { LostBanner, ServiceBanner } from './connection-state.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TopBar } from './top-bar.tsx';

interface TabbedPageProps {
  readonly title: string;
  /** The page's address, such as `/money`; a tab's own address is below it. */
  readonly path: string;
  readonly tabs: readonly [Tab, ...Tab[]];
  /** Between the banners of the connection and the tabs. */
  readonly banner?: ReactNode;
}

const none: readonly [] = [];

/** One panel with tabs, each with an address of its own; the first tab is the default. */
export function TabbedPage({ title, path, tabs, banner }: TabbedPageProps) {
  const [, navigate] = useLocation();
  const [, params] = useRoute(`${path}/:section`);
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to="content">Skip to the content</SkipLink>
      <Shortcuts shortcuts={none} />
      <TopBar />
      <LostBanner />
      <ServiceBanner />
      {banner}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex min-h-0 w-full max-w-6xl flex-1 flex-col p-1.5"
      >
        <h1 className="sr-only">{title}</h1>
        <Panel title={title} isTitleHidden className="flex-1">
          <Tabs
            label={title}
            value={params?.['section'] ?? tabs[0].value}
            onValue={(section) => navigate(`${path}/${section}`)}
            className="h-full flex-1"
            tabs={tabs}
          />
        </Panel>
      </main>
    </div>
  );
}

export interface SkipLinkProps {
  /** The id of the target, which is always rendered. */
  readonly to: string;
  /** The id of an element that takes precedence once it is rendered. */
  readonly preferred?: string;
  readonly children: ReactNode;
}

/**
 * Focuses `preferred` or, until it is rendered, `to`. If the user moves the focus in the meantime, it stays where the
 * user put it.
 */
function focusOn(preferred: string, to: string): void {
  const wanted = document.getElementById(preferred);
  const meanwhile = wanted ?? document.getElementById(to);
  if (meanwhile === null) return;
  meanwhile.focus();
  if (wanted !== null) return;
  const observer = new MutationObserver(() => {
    const isLeft = document.activeElement !== meanwhile;
    const drawn = document.getElementById(preferred);
    if (!isLeft && drawn === null) return;
    observer.disconnect();
    if (!isLeft) drawn?.focus();
  });
  observer.observe(meanwhile, { childList: true, subtree: true });
}

/** The first stop of the tab key: skips the top bar, which is the same on every page. */
export function SkipLink({ to, preferred = to, children }: SkipLinkProps) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        focusOn(preferred, to);
      }}
      className="sr-only focus:not-sr-only focus:absolute focus:top-1 focus:left-1 focus:z-50 focus:rounded-md focus:bg-accent-fill focus:px-3 focus:py-2 focus:text-white"
    >
      {children}
    </a>
  );
}
