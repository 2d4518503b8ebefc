/** Text for use elsewhere: copied, scanned as a QR code, or shown only once. */

import { encode } from 'uqr';
import { Button, IconButton } from './button.tsx';
import { showToast } from './toast.tsx';

export interface CopyButtonProps {
  /** What the text is, such as "Address". */
  readonly label: string;
  readonly text: string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  return (
    <IconButton
      icon="copy"
      size="small"
      label={`Copy: ${label}`}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => showToast('done', `${label} copied`),
          () => showToast('refused', 'Not copied', 'The browser did not allow it. Select the text instead.'),
        )
      }
    />
  );
}

interface ShownOnceProps {
  readonly title: string;
  /** Names and values; a name may be ''. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly onDone: () => void;
}

/** Secrets that the exchange returns only once; dismissing them removes them from the page. */
export function ShownOnce({ title, facts, onDone }: ShownOnceProps) {
  const all = facts.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n');
  return (
    <div role="status" className="w-full max-w-xl rounded-md bg-warning-tint p-3 text-xs">
      <p className="mb-2 font-medium text-warning">{title}</p>
      <ul className="mb-3 flex flex-col gap-1">
        {facts.map(([name, value]) => (
          <li key={value} className="flex items-center gap-2">
            {name !== '' && <span className="w-20 shrink-0 text-muted">{name}</span>}
            <code className="min-w-0 font-mono break-all">{value}</code>
            {name !== '' && <CopyButton label={name} text={value} />}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" kind="primary" onClick={onDone}>
          I have written it down
        </Button>
        <span className="flex items-center text-muted">
          Copy all <CopyButton label="All" text={all} />
        </span>
      </div>
    </div>
  );
}

const SIZE = 148;
const BORDER = 2;

/** A QR code, black on white in every theme, because not every camera reads the inverse. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={SIZE}
      height={SIZE}
      shapeRendering="crispEdges"
      className="shrink-0 rounded-md bg-white"
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}
