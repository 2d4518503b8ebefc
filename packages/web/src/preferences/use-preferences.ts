/** Preferences and the theme, for what renders again when they change. */

import { useSyncExternalStore } from 'react';
import { onPreferences, type Preferences, preferences } from './preferences.ts';

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}

const root = document.documentElement;

/** A text that is another one when a colour of the page is: by the user's choice, or by the system's as it changes. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => `${root.dataset['theme']} ${root.dataset['up']}`);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-theme', 'data-up'] });
  return () => observer.disconnect();
}
