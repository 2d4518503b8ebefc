/**
 * The page's connections to the exchange: a client without a key and one websocket for what is public. What belongs to a user
 * goes over the client and the websocket of the session.
 */

import { BourseClient, Feed, type FeedMessage } from '@bourse/client';

export const publicClient = new BourseClient({ url: location.origin });
export const marketFeed = new Feed(publicClient);

const RETRY_MS = 1_000;

/** A subscription that is wanted until it is stopped: also when the exchange cannot be reached at first. */
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
