/**
 * Whether the sandbox drawer is open, which is kept across pages. If the window is wide enough the drawer is docked: the
 * page becomes narrower by its width, and both stay usable.
 */

import { useSyncExternalStore } from 'react';

/** Pixels; must equal the width in base.css. */
const DOCK_WIDTH = 416;
/** In a narrower window, the page beside the drawer would switch to the phone layout. */
const WINDOW_WIDTH_MIN = 1200;

const listeners = new Set<() => void>();
let isOpen = false;

export function setDrawer(next: boolean): void {
  isOpen = next;
  update();
}

export function useDrawer(): { readonly isOpen: boolean; readonly isDocked: boolean } {
  return {
    isOpen: useSyncExternalStore(subscribe, () => isOpen),
    // Even while closed: the library treats a drawer that changes its kind as a new one, and loses the focus.
    isDocked: useSyncExternalStore(subscribe, hasRoom),
  };
}

/** Pixels that the drawer takes from the page. */
export const dockedWidth = (): number => (isOpen && hasRoom() ? DOCK_WIDTH : 0);

export function onDock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const hasRoom = (): boolean => innerWidth >= WINDOW_WIDTH_MIN;

function subscribe(listener: () => void): () => void {
  addEventListener('resize', update);
  listeners.add(listener);
  return () => {
    removeEventListener('resize', update);
    listeners.delete(listener);
  };
}

function update(): void {
  document.documentElement.toggleAttribute('data-docked', dockedWidth() > 0);
  for (const listener of listeners) listener();
}
