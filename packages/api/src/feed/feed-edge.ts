/** What may stand between the feed and its readers: a sandbox's faults. A venue has nothing there. */

import type { TokenOwner } from '../gateway/access/feed-tokens.ts';
import type { Address } from './address.ts';

/** A connection, as far as faults look at it. */
export interface FeedSocket {
  readonly owner: TokenOwner;
  /** What it listens to. */
  readonly addresses: Iterable<Address>;
  close(code: number, reason: string): void;
}

export interface FeedEdge {
  /** Whether messages go through `deliver`. */
  readonly isActive: boolean;
  opened(socket: FeedSocket): void;
  closed(socket: FeedSocket): void;
  /** The code of the refusal; undefined where the token is taken. */
  refusal(owner: TokenOwner): number | undefined;
  /** It listens to something new. */
  subscribed(socket: FeedSocket): void;
  answersPing(socket: FeedSocket): boolean;
  /** `give` may be called at once, later, several times or never. */
  deliver(
    socket: FeedSocket,
    address: Address,
    texts: readonly string[],
    give: (texts: readonly string[]) => void,
  ): void;
}
