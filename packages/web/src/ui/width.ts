/** How much room the page has, in three sizes. */

import { useSyncExternalStore } from 'react';

export type Width = 'narrow' | 'middle' | 'wide';

const middle = matchMedia('(min-width: 62rem)');
const wide = matchMedia('(min-width: 85rem)');

export function useWidth(): Width {
  return useSyncExternalStore(subscribe, () =>
    wide.matches ? 'wide' : middle.matches ? 'middle' : 'narrow',
  );
}

const phone = matchMedia('(max-width: 40rem)');

/** Too little room for a row of a table. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribePhone, () => phone.matches);
}

function subscribePhone(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}

function subscribe(listener: () => void): () => void {
  for (const query of [middle, wide]) query.addEventListener('change', listener);
  return () => {
    for (const query of [middle, wide]) query.removeEventListener('change', listener);
  };
}
