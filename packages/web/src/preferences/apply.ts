/** Puts theme and colours on the document, and follows the system's theme where the user has chosen none. */

import { onPreferences, preferences } from './preferences.ts';

const prefersLight = matchMedia('(prefers-color-scheme: light)');

export function applyPreferences(): void {
  const apply = (): void => {
    const { theme, up } = preferences();
    const { dataset } = document.documentElement;
    dataset['theme'] = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme;
    dataset['up'] = up;
  };
  apply();
  onPreferences(apply);
  prefersLight.addEventListener('change', apply);
}
