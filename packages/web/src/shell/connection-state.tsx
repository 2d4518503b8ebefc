/** Whether the page hears the exchange. When it does not, a banner says so, and that the page tries again by itself. */

import { useConnectionState } from '../exchange/live-tickers.ts';
import { classNames } from '../ui/class-names.ts';

const words = {
  connecting: { text: 'Connecting', dot: 'bg-warning animate-pulse-soft' },
  live: { text: 'Live', dot: 'bg-good' },
  lost: { text: 'Connection lost', dot: 'bg-danger animate-pulse-soft' },
} as const;

export function ConnectionState() {
  const state = useConnectionState();
  return (
    <p role="status" data-connection={state} className="flex items-center gap-1.5 px-2 text-xs text-muted">
      <span aria-hidden="true" className={classNames('size-2 rounded-full', words[state].dot)} />
      <span className={state === 'live' ? 'max-sm:sr-only' : ''}>{words[state].text}</span>
    </p>
  );
}

/** Over the whole width while the connection is lost. */
export function LostBanner() {
  const state = useConnectionState();
  if (state !== 'lost') return null;
  return (
    <p role="alert" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      The exchange cannot be reached. This page shows the last known state and keeps trying to reconnect.
    </p>
  );
}
