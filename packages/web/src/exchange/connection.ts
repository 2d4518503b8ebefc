/**
 * The page's connections to the exchange: a client without a key and one websocket for what is public. What belongs to a user
 * goes over the client and the websocket of the session.
 */

import { BourseClient, Feed } from '@bourse/client';

export const publicClient = new BourseClient({ url: location.origin });
export const marketFeed = new Feed(publicClient);
