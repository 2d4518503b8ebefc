/** How high an element is, as it changes. */

import { type RefCallback, useCallback, useState } from 'react';

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
