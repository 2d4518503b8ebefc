/** Whether the page hears the exchange. When it does not, that is said, and that it will come back by itself. */

import { useLine } from '../exchange/live-tickers.ts';
import { classNames } from '../ui/class-names.ts';

const words = {
  connecting: { text: 'Connecting', dot: 'bg-warning animate-pulse-soft' },
  live: { text: 'Live', dot: 'bg-good' },
  lost: { text: 'Connection lost', dot: 'bg-danger animate-pulse-soft' },
} as const;

export function LineState() {
  const line = useLine();
  return (
    <p role="status" data-line={line} className="flex items-center gap-1.5 px-2 text-xs text-muted">
      <span aria-hidden="true" className={classNames('size-2 rounded-full', words[line].dot)} />
      <span className={line === 'live' ? 'max-sm:sr-only' : ''}>{words[line].text}</span>
    </p>
  );
}

/** Over the whole width while nothing is heard. */
export function LostBanner() {
  const line = useLine();
  if (line !== 'lost') return null;
  return (
    <p role="alert" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      The exchange cannot be reached. What you see is how things stood before; the page tries again by itself
      and is right as soon as it is back.
    </p>
  );
}
