/**
 * The space that the page and its elements have. If the window is wide enough, the sandbox drawer is docked: the page
 * becomes narrower by its width, and both stay usable.
 */

import { type RefCallback, useCallback, useState, useSyncExternalStore } from 'react';

/** Pixels; must equal the width in base.css. */
const DOCK_WIDTH = 416;
/** In a narrower window, the page beside the drawer would switch to the phone layout. */
const WINDOW_WIDTH_MIN = 1200;

const listeners = new Set<() => void>();
let isOpen = false;

export function setDrawer(next: boolean): void {
  isOpen = next;
  updateDock();
}

export function useDrawer(): { readonly isOpen: boolean; readonly isDocked: boolean } {
  return {
    isOpen: useSyncExternalStore(subscribeDrawer, () => isOpen),
    // Constant while closed, too: the library remounts a drawer that changes its kind, and loses the focus.
    isDocked: useSyncExternalStore(subscribeDrawer, hasRoom),
  };
}

/** The page width in pixels that the drawer occupies. */
const dockedWidth = (): number => (isOpen && hasRoom() ? DOCK_WIDTH : 0);

function onDock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const hasRoom = (): boolean => innerWidth >= WINDOW_WIDTH_MIN;

function subscribeDrawer(listener: () => void): () => void {
  addEventListener('resize', updateDock);
  listeners.add(listener);
  return () => {
    removeEventListener('resize', updateDock);
    listeners.delete(listener);
  };
}

function updateDock(): void {
  document.documentElement.toggleAttribute('data-docked', dockedWidth() > 0);
  for (const listener of listeners) listener();
}

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

/** Whether the page is too narrow for table rows. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribePhone, () => phone.matches);
}

function subscribePhone(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}

/** The current height of an element in pixels. */
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
