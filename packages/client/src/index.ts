/** A client for bots and pages: HTTP, the feed with its order books, order entry. */

export { BourseClient } from './client.ts';
export { ApiError, ConnectionLost } from './errors.ts';
export { Feed, type FeedMessage, type FeedOptions } from './feed.ts';
export { type Asked, HttpClient, type HttpOptions, type Method, type RateLimit } from './http.ts';
export { OrderBook } from './order-book.ts';
export { OrderEntry, type OrderEntryOptions } from './order-entry.ts';
export { type Credentials, Signer } from './sign.ts';
export type { OpenSocket, Socket } from './socket.ts';
export type * from './types.ts';
