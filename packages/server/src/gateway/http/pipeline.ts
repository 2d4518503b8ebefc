/**
 * The requests of one connection that are under way: read, and not yet answered in full. Node reads up to 64 KiB of a
 * connection at once and parses every request in it, thousands of small ones, before the first answer leaves; and when
 * the connection ends, each of them costs an error with its stack. So their number is bounded: behind the last one that
 * is taken nothing of the connection is parsed any more. Everything is kept on the socket object, which is faster than a
 * map.
 */

import type { Socket } from 'node:net';

const UNDER_WAY = Symbol('under way');
const IS_LEFT = Symbol('is left');
const DROPPED = Symbol('dropped');
/** A client that says nothing for so long after its last answer has its connection closed. */
const LINGER_MS = 2000;
/** Reads of up to 64 KiB. */
const DROPPED_READS_MAX = 64;

/** What Node's server gives every connection. It is missing in Node's types. */
interface Parser {
  /** Called with the head of each request; the result says how to go on. */
  onIncoming: (request: unknown, keepAlive: boolean) => number;
}

type PipelinedSocket = Socket & {
  parser?: Parser | null;
  [UNDER_WAY]?: number;
  [IS_LEFT]?: boolean;
  [DROPPED]?: number;
};

/** What Node answers for a request that becomes a websocket: what comes behind its head is not parsed. */
const STOP = 2;

/** To be called with every connection of an HTTP server. `onDropped`: something was read that is not taken. */
export function watchPipeline(socket: PipelinedSocket, onDropped: (socket: Socket) => void): void {
  const { parser } = socket;
  if (!parser) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, keepAlive) => {
    if (!isLeft(socket)) return onIncoming(request, keepAlive);
    onDropped(socket);
    return STOP;
  };
}

/** A request has come. Returns how many are under way now. */
export function enterPipeline(socket: PipelinedSocket): number {
  return (socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1);
}

export function underWay(socket: PipelinedSocket): number {
  return socket[UNDER_WAY] ?? 0;
}

/** The answer of the first one has been sent. */
export function leavePipeline(socket: PipelinedSocket): void {
  socket[UNDER_WAY]!--;
}

/**
 * No further request of the connection is taken. What comes is read and dropped until the client has seen that this was
 * the end: the system throws away answers on their way when a connection is closed with bytes that nobody has read.
 */
export function leaveRest(socket: PipelinedSocket): void {
  socket[IS_LEFT] = true;
  // Node calls this when the last answer has been sent.
  socket.destroySoon = () => {
    socket.end();
    socket.setTimeout(LINGER_MS);
  };
}

/** Whether its further requests are not taken. */
export function isLeft(socket: PipelinedSocket): boolean {
  return socket.destroyed || socket[IS_LEFT] === true;
}

/** Something of a connection that was left was read: up to a bound that is waited for. */
export function drop(socket: PipelinedSocket): void {
  socket[DROPPED] = (socket[DROPPED] ?? 0) + 1;
  if (socket[DROPPED] > DROPPED_READS_MAX) socket.destroy();
}
