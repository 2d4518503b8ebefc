/**
 * Whether the sandbox drawer is open. It belongs to no page, so it stays open from one page to the next. Where the window
 * has room for both it is docked: the page is narrower by its width, and both can be used.
 */

import { useSyncExternalStore } from 'react';

/** Pixels; base.css has the same. */
const DOCK_WIDTH = 416;
/** Below that a page beside the drawer would be one for a phone. */
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
    // Also while it is closed: the library takes a drawer that changes its kind for another one, and loses the focus.
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
