/**
 * The chart over the whole page, and the page over the whole screen where the browser allows it. The page as a whole and
 * not the chart alone: menus and dialogs are elsewhere in the document.
 */

import { useEffect, useState } from 'react';

export function useFullScreen(): [boolean, (isFull: boolean) => void] {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    if (!isFull) return undefined;
    const onChange = (): void => {
      if (document.fullscreenElement === null) setIsFull(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      const isOpen = document.querySelector('[role=dialog], [role=menu]') !== null;
      if (event.key === 'Escape' && !isOpen && !event.defaultPrevented) setIsFull(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('keydown', onKey);
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
    };
  }, [isFull]);
  const set = (next: boolean): void => {
    setIsFull(next);
    if (next) document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  return [isFull, set];
}
