/** A client for bots and pages: HTTP, the feed with its order books, order entry. */

export { BourseClient } from './client.ts';
export {
  ApiError,
  type Asked,
  ConnectionLost,
  type Credentials,
  HttpClient,
  type HttpOptions,
  type Method,
  type RateLimit,
  Signer,
} from './http.ts';
export { Feed, type FeedMessage, type FeedOptions } from './feed.ts';
export { OrderBook } from './order-book.ts';
export { OrderEntry, type OrderEntryOptions } from './order-entry.ts';
export type { OpenSocket, Socket } from './socket.ts';
export type * from './types.ts';
