/**
 * The requests of one connection that are under way: read, and not yet answered in full. Node reads up to 64 KiB of a
 * connection at once and parses every request in it, thousands of small ones, before the first answer leaves; and when
 * the connection ends, each of them costs an error with its stack. So their number is bounded: behind the last one that
 * is taken nothing of the connection is parsed any more. Everything is kept on the socket object, which is faster than a
 * map.
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
/** A client that says nothing for so long after its last answer has its connection closed. */
const LINGER_MS = 2000;
/** Reads of up to 64 KiB. */
const DROPPED_READS_MAX = 64;

type PipelinedSocket = Socket & {
  [UNDER_WAY]?: number;
  [IS_LEFT]?: boolean;
  [DROPPED]?: number;
  /** The answer to the request that came last. */
  [LATEST]?: ServerResponse | undefined;
  [AT_END]?: { readonly underWay: number; readonly call: () => void } | undefined;
  [ON_DROPPED]?: () => void;
};

type DeclinedMessage = IncomingMessage & { [IS_DECLINED]?: boolean };

/** To be called with every connection of an HTTP server. `onDropped`: something was read that is not taken. */
export function watchPipeline(socket: PipelinedSocket, onDropped: (socket: Socket) => void): void {
  socket[ON_DROPPED] = () => onDropped(socket);
  watchRequests(socket, () => {
    if (!isLeft(socket)) return true;
    onDropped(socket);
    return false;
  });
}

/** A request has come, which `response` is for. Returns how many are under way now. */
export function enterPipeline(socket: PipelinedSocket, response: ServerResponse): number {
  socket[LATEST] = response;
  return (socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1);
}

export function underWay(socket: PipelinedSocket): number {
  return socket[UNDER_WAY] ?? 0;
}

/** The answer of the first one has been sent. */
export function leavePipeline(socket: PipelinedSocket): void {
  const left = --socket[UNDER_WAY]!;
  if (left === 0 && socket[LATEST]?.req.complete) socket[LATEST] = undefined;
  const atEnd = socket[AT_END];
  if (atEnd === undefined || left > atEnd.underWay) return;
  socket[AT_END] = undefined;
  atEnd.call();
}

/** The answer to a request whose body is still to come; undefined where all requests have come whole. */
export function unfinished({ [LATEST]: latest }: PipelinedSocket): ServerResponse | undefined {
  return latest?.req.complete === false ? latest : undefined;
}

/** Nothing more is taken. `then` is called when every request that was taken whole has its answer; that may be now. */
export function endPipeline(socket: PipelinedSocket, then: () => void): void {
  leaveRest(socket);
  const waitsForBody = awaitsBody(socket) ? 1 : 0;
  if (underWay(socket) <= waitsForBody) then();
  else socket[AT_END] = { underWay: waitsForBody, call: then };
}

/**
 * No further request of the connection is taken. What comes is read and dropped until the client has seen that this was
 * the end: the system throws away answers on their way when a connection is closed with bytes that nobody has read.
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
 * To be called before a request for another protocol is served as an ordinary one; it becomes the last of its connection.
 * Node's parser stops behind such a request, and Node forgets the rest of what was read with it. It also reports no error
 * of its parser any more, neither for the body nor for what follows: a body in broken chunks ends with 408.
 */
export function declineUpgrade(request: DeclinedMessage): void {
  request[IS_DECLINED] = true;
  leaveRest(request.socket);
}

export const isDeclined = (request: DeclinedMessage): boolean => request[IS_DECLINED] === true;

/** Whether a request was taken whose body is still to come, and which has no answer yet. */
export function awaitsBody(socket: PipelinedSocket): boolean {
  return unfinished(socket)?.writableEnded === false;
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
