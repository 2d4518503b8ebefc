/** React hooks for preferences and the theme. */

import { useSyncExternalStore } from 'react';
import { onPreferences, type Preferences, preferences } from './preferences.ts';

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}

const root = document.documentElement;

/** Changes whenever a colour of the page changes: by the user's choice, or with the system's theme. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => `${root.dataset['theme']} ${root.dataset['up']}`);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-theme', 'data-up'] });
  return () => observer.disconnect();
}
