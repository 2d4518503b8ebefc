/** Renders again when a preference changes. */

import { useSyncExternalStore } from 'react';
import { onPreferences, type Preferences, preferences } from './preferences.ts';

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}
