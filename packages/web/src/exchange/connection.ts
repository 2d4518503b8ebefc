/**
 * The page's connections to the exchange: an unsigned client, and a websocket for public data. A user's own data goes
 * through the client and websocket of the session.
 */

import { BourseClient, Feed, type FeedMessage } from '@bourse/client';

export const publicClient = new BourseClient({ url: location.origin });
export const marketFeed = new Feed(publicClient);

const RETRY_MS = 1_000;

/** Subscribes until stopped, and retries if the exchange cannot be reached at first. */
export function keepSubscribed<T>(
  feed: Feed,
  topic: string,
  take: (message: FeedMessage<T>) => void,
  onConnection: (isConnected: boolean) => void = () => undefined,
): () => void {
  let isWanted = true;
  let stop = (): void => undefined;
  const begin = async (): Promise<void> => {
    try {
      const end = await feed.subscribe(topic, take, onConnection);
      if (!isWanted) return end();
      stop = end;
      onConnection(true);
    } catch {
      onConnection(false);
      if (isWanted) setTimeout(() => isWanted && void begin(), RETRY_MS);
    }
  };
  void begin();
  return () => {
    isWanted = false;
    stop();
  };
}
