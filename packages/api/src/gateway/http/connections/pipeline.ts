/**
 * The requests in flight on one connection: read, but not yet completely answered. Node reads up to 64 KiB of a
 * connection at once and parses every request in it, thousands of small ones, before the first response is sent; and
 * when the connection closes, each of them creates an error with a stack trace. So their number is limited: after the
 * last accepted one, the connection is no longer parsed. All state is stored on the socket object, which is faster
 * than a map.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { atLastResponse, watchRequests } from '../../../sockets/node-internals.ts';

const UNDER_WAY = Symbol('under way');
const IS_LEFT = Symbol('is left');
const DROPPED = Symbol('dropped');
const LATEST = Symbol('latest');
const AT_END = Symbol('at end');
const ON_DROPPED = Symbol('on dropped');
const IS_DECLINED = Symbol('is declined');
/** A connection is closed after this silence following its last response. */
const LINGER_MS = 2000;
/** Reads of up to 64 KiB. */
const DROPPED_READS_MAX = 64;

type PipelinedSocket = Socket & {
  [UNDER_WAY]?: number;
  [IS_LEFT]?: boolean;
  [DROPPED]?: number;
  /** The response to the latest request. */
  [LATEST]?: ServerResponse | undefined;
  [AT_END]?: { readonly underWay: number; readonly call: () => void } | undefined;
  [ON_DROPPED]?: () => void;
};

type DeclinedMessage = IncomingMessage & { [IS_DECLINED]?: boolean };

/** Call it for every connection of an HTTP server. `onDropped`: called when discarded data was read. */
export function watchPipeline(socket: PipelinedSocket, onDropped: (socket: Socket) => void): void {
  socket[ON_DROPPED] = () => onDropped(socket);
  watchRequests(socket, () => {
    if (!isLeft(socket)) return true;
    onDropped(socket);
    return false;
  });
}

/** Adds a request by its `response`. Returns the number in flight. */
export function enterPipeline(socket: PipelinedSocket, response: ServerResponse): number {
  socket[LATEST] = response;
  return (socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1);
}

export function underWay(socket: PipelinedSocket): number {
  return socket[UNDER_WAY] ?? 0;
}

/** Removes the first request, whose response has been sent. */
export function leavePipeline(socket: PipelinedSocket): void {
  const left = --socket[UNDER_WAY]!;
  if (left === 0 && socket[LATEST]?.req.complete) socket[LATEST] = undefined;
  const atEnd = socket[AT_END];
  if (atEnd === undefined || left > atEnd.underWay) return;
  socket[AT_END] = undefined;
  atEnd.call();
}

/** The response to a request with an incomplete body; undefined if all requests are complete. */
export function unfinished({ [LATEST]: latest }: PipelinedSocket): ServerResponse | undefined {
  return latest?.req.complete === false ? latest : undefined;
}

/** Accepts no more requests. `then` is called when every complete request has its response, possibly at once. */
export function endPipeline(socket: PipelinedSocket, then: () => void): void {
  leaveRest(socket);
  const waitsForBody = awaitsBody(socket) ? 1 : 0;
  if (underWay(socket) <= waitsForBody) then();
  else socket[AT_END] = { underWay: waitsForBody, call: then };
}

/**
 * Accepts no more requests of the connection. Further data is read and dropped until the client has noticed
 * the end: the kernel discards responses in flight if a connection is closed with unread data.
 */
export function leaveRest(socket: PipelinedSocket): void {
  socket[IS_LEFT] = true;
  atLastResponse(socket, () => {
    socket.end();
    socket.setTimeout(LINGER_MS, () => socket.destroy());
    // Counted instead of parsed: behind a declined upgrade the parser reports no errors.
    socket.removeAllListeners('data');
    socket.on('data', () => socket[ON_DROPPED]?.());
  });
}

/**
 * Call it before serving an upgrade request as an ordinary one; it becomes the last of its connection.
 * Node's parser stops after such a request, and Node drops the rest of the data read with it. It also reports no error
 * of its parser any more, neither for the body nor for anything after it: a body in broken chunks ends with 408.
 */
export function declineUpgrade(request: DeclinedMessage): void {
  request[IS_DECLINED] = true;
  leaveRest(request.socket);
}

export const isDeclined = (request: DeclinedMessage): boolean => request[IS_DECLINED] === true;

/** Whether an accepted request has an incomplete body and no response yet. */
export function awaitsBody(socket: PipelinedSocket): boolean {
  return unfinished(socket)?.writableEnded === false;
}

/** Whether it accepts no more requests. */
export function isLeft(socket: PipelinedSocket): boolean {
  return socket.destroyed || socket[IS_LEFT] === true;
}

/** Called for data on an abandoned connection; destroys it after a limited number of reads. */
export function drop(socket: PipelinedSocket): void {
  socket[DROPPED] = (socket[DROPPED] ?? 0) + 1;
  if (socket[DROPPED] > DROPPED_READS_MAX) socket.destroy();
}
