/** How much room there is: for the page, and for an element. */

import { type RefCallback, useCallback, useState, useSyncExternalStore } from 'react';
import { dockedWidth, onDock } from './dock.ts';

export type Width = 'narrow' | 'tablet' | 'middle' | 'wide';

/** Minimum page width in pixels of each layout. */
const WIDTHS = [
  [1360, 'wide'],
  [992, 'middle'],
  [768, 'tablet'],
] as const;

/** Of the page, excluding a docked drawer. */
export function useWidth(): Width {
  return useSyncExternalStore(subscribe, widthNow);
}

function widthNow(): Width {
  const room = innerWidth - dockedWidth();
  return WIDTHS.find(([least]) => room >= least)?.[1] ?? 'narrow';
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  const stop = onDock(listener);
  return () => {
    removeEventListener('resize', listener);
    stop();
  };
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

/** How high an element is, as it changes. */
export function useHeight(): [RefCallback<HTMLElement>, number] {
  const [height, setHeight] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(Math.floor(entry!.contentRect.height)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, height];
}
