/** The theme and colours that the document has now: by the user's choice, or by the system's as it changes. */

import { useSyncExternalStore } from 'react';

const root = document.documentElement;

/** A text that is another one when a colour of the page is. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => `${root.dataset['theme']} ${root.dataset['up']}`);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-theme', 'data-up'] });
  return () => observer.disconnect();
}
