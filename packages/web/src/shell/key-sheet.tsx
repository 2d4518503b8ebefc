/** The list of keyboard shortcuts, with the switch that disables them. */

import { setPreferences } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { Checkbox } from '../ui/field.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface KeySheetProps {
  readonly shortcuts: readonly { readonly key: string; readonly about: string }[];
  readonly onClose: () => void;
}

export default function KeySheet({ shortcuts, onClose }: KeySheetProps) {
  const { hasKeys } = usePreferences();
  const rows = [
    ...shortcuts,
    { key: '↑ ↓', about: 'In a price or size: one increment, with shift ten' },
    { key: 'Enter', about: 'In the order form: send the order' },
    { key: 'Ctrl K', about: 'Go to a market, a page or a setting' },
    { key: '?', about: 'This sheet' },
  ];
  return (
    <Dialog isOpen onOpen={(isOpen) => isOpen || onClose()} title="Keyboard shortcuts">
      <dl className="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {rows.map(({ key, about }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong bg-raised px-1.5 py-0.5 font-mono text-xs">
                {key}
              </kbd>
            </dt>
            <dd className="text-muted">{about}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Single-key shortcuts"
        isChecked={hasKeys}
        onChecked={(next) => setPreferences({ hasKeys: next })}
      />
    </Dialog>
  );
}
