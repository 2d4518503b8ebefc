/** Whether the page hears the exchange. When it does not, a banner says so, and that the page tries again by itself. */

import { useConnectionState } from '../exchange/live-tickers.ts';
import { classNames } from '../ui/class-names.ts';
import { LOST_ASK_MS, useIsUserFeedLost } from '../user/user-feed.ts';

const words = {
  connecting: { text: 'Connecting', dot: 'bg-warning animate-pulse-soft' },
  live: { text: 'Live', dot: 'bg-good' },
  lost: { text: 'Connection lost', dot: 'bg-danger animate-pulse-soft' },
} as const;

export function ConnectionState() {
  const state = useConnectionState();
  return (
    <p
      role="status"
      data-connection={state}
      className="flex items-center gap-1.5 px-2 text-xs max-sm:px-1 text-muted"
    >
      <span aria-hidden="true" className={classNames('size-2 rounded-full', words[state].dot)} />
      <span className={state === 'live' ? 'max-sm:sr-only' : ''}>{words[state].text}</span>
    </p>
  );
}

/** Over the whole width while the connection is lost, or the user's own. */
export function LostBanner() {
  const state = useConnectionState();
  const isUserFeedLost = useIsUserFeedLost();
  if (state !== 'lost' && !isUserFeedLost) return null;
  return (
    <p role="alert" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      {state === 'lost'
        ? 'The exchange cannot be reached. This page shows the last known state and keeps trying to reconnect.'
        : `Changes of your orders and balances do not arrive by themselves; the page asks for them every ${LOST_ASK_MS / 1000} seconds.`}
    </p>
  );
}
