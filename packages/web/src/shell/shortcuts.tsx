/** Keyboard shortcuts. They act only while no text field has the focus and no dialog is open. */

import { lazy, Suspense, useEffect, useState } from 'react';
import { preferences } from '../preferences/preferences.ts';

const KeySheet = lazy(() => import('./key-sheet.tsx'));
const Palette = lazy(() => import('./palette.tsx'));

/** One key and what it does. */
interface Shortcut {
  readonly key: string;
  readonly about: string;
  readonly run: () => void;
}

type Opened = 'sheet' | 'palette' | null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

export function Shortcuts({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  const [opened, setOpened] = useState<Opened>(null);
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpened('palette');
        return;
      }
      if (ctrlKey || metaKey || altKey || document.querySelector('[role=dialog]:not([data-docked])') !== null)
        return;
      if (isTyping(target)) {
        if (key === 'Escape') (target as HTMLElement).blur();
        return;
      }
      if (!preferences().hasKeys) return;
      const shortcut = shortcuts.find((each) => each.key === key);
      if (key !== '?' && shortcut === undefined) return;
      event.preventDefault();
      if (shortcut === undefined) setOpened('sheet');
      else shortcut.run();
    };
    document.addEventListener('keydown', take);
    return () => document.removeEventListener('keydown', take);
  }, [shortcuts]);
  const onClose = (): void => setOpened(null);
  return (
    <Suspense>
      {opened === 'sheet' && <KeySheet shortcuts={shortcuts} onClose={onClose} />}
      {opened === 'palette' && <Palette onClose={onClose} onKeys={() => setOpened('sheet')} />}
    </Suspense>
  );
}
