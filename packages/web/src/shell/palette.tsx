/** The command palette: a search over markets, pages and settings. */

import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useSymbols } from '../exchange/market-data.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { Dialog } from '../ui/dialog.tsx';
import { classNames } from '../ui/text.ts';

export interface PaletteProps {
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

interface Command {
  readonly name: string;
  readonly kind: string;
  readonly run: () => void;
}

const SHOWN_MAX = 12;

const pages = [
  ['Balances', '/money'],
  ['Transfer', '/money/transfer'],
  ['Deposit', '/money/deposit'],
  ['Withdraw', '/money/withdraw'],
  ['Sub-accounts and keys', '/money/sub-accounts'],
  ['Ledger', '/money/ledger'],
] as const;

export default function Palette({ onClose, onKeys }: PaletteProps) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const commands: readonly Command[] = [
    ...(useSymbols().data ?? []).map(({ symbol }) => ({
      name: symbol,
      kind: 'market',
      run: () => navigate(`/trade/${symbol}`),
    })),
    ...pages.map(([name, path]) => ({ name, kind: 'page', run: () => navigate(path) })),
    ...(['dark', 'light', 'system'] as const).map((theme) => ({
      name: `Theme: ${theme}`,
      kind: 'setting',
      run: () => setPreferences({ theme }),
    })),
    { name: 'Keyboard shortcuts', kind: 'help', run: onKeys },
  ];
  const words = text.trim().toLowerCase().split(/\s+/);
  const found = commands
    .filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
    .slice(0, SHOWN_MAX);
  const chosen = Math.min(at, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog isOpen onOpen={(isOpen) => isOpen || onClose()} title="Go to" className="top-[20%] translate-y-0">
      <input
        data-autofocus
        role="combobox"
        aria-label="Market, page or setting"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Market, page or setting"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-9 w-full rounded-md border border-line bg-raised px-2.5 placeholder:text-faint"
      />
      <div id={id} role="listbox" aria-label="Found" className="mt-2 flex flex-col">
        {found.map((command, index) => (
          <button
            key={command.name}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
            className={classNames(
              'flex h-8 items-center justify-between rounded px-2 text-left hover:bg-hover',
              index === chosen && 'bg-hover',
            )}
          >
            {command.name} <span className="text-xs text-faint">{command.kind}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="px-2 text-faint">No match.</p>}
    </Dialog>
  );
}
