/**
 * A page whose files are loaded when it is opened. One whose files were there before it is shown is shown at once: with
 * `lazy` alone React first shows what stands in for it, and keeps that for a third of a second.
 */

import { type ComponentType, lazy, useState } from 'react';

export interface LoadedPage {
  (): React.JSX.Element;
  /** Resolves when the files are there. */
  load(): Promise<unknown>;
}

export function loadedPage(load: () => Promise<{ readonly default: ComponentType }>): LoadedPage {
  let loaded: ComponentType | undefined;
  const loadOnce = async (): Promise<{ readonly default: ComponentType }> => {
    const page = await load();
    loaded = page.default;
    return page;
  };
  const Later = lazy(loadOnce);
  const Shown = (): React.JSX.Element => {
    // The same one as long as it is shown, because another would begin with an empty state.
    const [Page] = useState(() => loaded ?? Later);
    return <Page />;
  };
  return Object.assign(Shown, { load: loadOnce });
}
