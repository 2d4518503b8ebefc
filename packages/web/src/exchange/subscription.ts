/** A subscription that is wanted until it is stopped: also when the exchange cannot be reached at first. */

import type { Feed, FeedMessage } from '@bourse/client';

const RETRY_MS = 1_000;

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
