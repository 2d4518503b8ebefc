/**
 * How much of a connection is read: the number of its requests in flight, and the time they take of one iteration of the
 * event loop.
 *
 * A request is in flight from when it is read until it is completely answered. Node reads up to 64 KiB of a connection
 * at once and parses every request in it, thousands of small ones, before the first response is sent; and when the
 * connection closes, each of them creates an error with a stack trace. So their number is limited: after the last
 * accepted one, the connection is no longer parsed. All state is stored on the socket object, which is faster than a map.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@bourse/engine';
import {
  atLastResponse,
  isReading,
  startReading,
  stopReading,
  watchRequests,
} from '../../sockets/node-internals.ts';

const IN_FLIGHT = Symbol('in flight');
const IS_ABANDONED = Symbol('is abandoned');
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
  [IN_FLIGHT]?: number;
  [IS_ABANDONED]?: boolean;
  [DROPPED]?: number;
  /** The response to the latest request. */
  [LATEST]?: ServerResponse | undefined;
  [AT_END]?: { readonly inFlight: number; readonly call: () => void } | undefined;
  [ON_DROPPED]?: () => void;
};

type DeclinedMessage = IncomingMessage & { [IS_DECLINED]?: boolean };

/** Call it for every connection of an HTTP server. `onDropped`: called when discarded data was read. */
export function watchPipeline(socket: PipelinedSocket, onDropped: (socket: Socket) => void): void {
  socket[ON_DROPPED] = () => onDropped(socket);
  watchRequests(socket, () => {
    if (!isAbandoned(socket)) return true;
    onDropped(socket);
    return false;
  });
}

/** Adds a request by its `response`. Returns the number in flight. */
export function enterPipeline(socket: PipelinedSocket, response: ServerResponse): number {
  socket[LATEST] = response;
  return (socket[IN_FLIGHT] = (socket[IN_FLIGHT] ?? 0) + 1);
}

export function inFlight(socket: PipelinedSocket): number {
  return socket[IN_FLIGHT] ?? 0;
}

/** Removes the first request, whose response has been sent. */
export function leavePipeline(socket: PipelinedSocket): void {
  const left = --socket[IN_FLIGHT]!;
  if (left === 0 && socket[LATEST]?.req.complete) socket[LATEST] = undefined;
  const atEnd = socket[AT_END];
  if (atEnd === undefined || left > atEnd.inFlight) return;
  socket[AT_END] = undefined;
  atEnd.call();
}

/** The response to a request with an incomplete body; undefined if all requests are complete. */
export function unfinished({ [LATEST]: latest }: PipelinedSocket): ServerResponse | undefined {
  return latest?.req.complete === false ? latest : undefined;
}

/** Accepts no more requests. `then` is called when every complete request has its response, possibly at once. */
export function endPipeline(socket: PipelinedSocket, then: () => void): void {
  abandonRest(socket);
  const waitsForBody = awaitsBody(socket) ? 1 : 0;
  if (inFlight(socket) <= waitsForBody) then();
  else socket[AT_END] = { inFlight: waitsForBody, call: then };
}

/**
 * Accepts no more requests of the connection. Further data is read and dropped until the client has noticed
 * the end: the kernel discards responses in flight if a connection is closed with unread data.
 */
export function abandonRest(socket: PipelinedSocket): void {
  socket[IS_ABANDONED] = true;
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
  abandonRest(request.socket);
}

export const isDeclined = (request: DeclinedMessage): boolean => request[IS_DECLINED] === true;

/** Whether an accepted request has an incomplete body and no response yet. */
export function awaitsBody(socket: PipelinedSocket): boolean {
  return unfinished(socket)?.writableEnded === false;
}

/** Whether it accepts no more requests. */
export function isAbandoned(socket: PipelinedSocket): boolean {
  return socket.destroyed || socket[IS_ABANDONED] === true;
}

/** Called for data on an abandoned connection; destroys it after a limited number of reads. */
export function drop(socket: PipelinedSocket): void {
  socket[DROPPED] = (socket[DROPPED] ?? 0) + 1;
  if (socket[DROPPED] > DROPPED_READS_MAX) socket.destroy();
}

/** An order takes about 0.05 ms, and a bystander waits for at most two iterations; the promised maximum is 50 ms. */
const TURN_MS = 8;

const TURN = Symbol('turn');
const IN_TURN = Symbol('in turn');
const OVER = Symbol('over');

/** Stored on the socket object, which is faster than a map. */
type CountedSocket = Socket & {
  /** The last iteration with requests of the connection, and their number. */
  [TURN]?: number;
  [IN_TURN]?: number;
  /** The last iteration in which this connection caused its network to be paused. */
  [OVER]?: number;
};

/**
 * Limits the share of an event loop iteration that requests may take. In one iteration Node reads all readable
 * connections, so a client that sends on a hundred of them would starve the others until all are answered. Once
 * requests have taken TURN_MS of an iteration, the network of the next request is not read again in this iteration, on
 * any of its connections, including websockets: its data stays in the kernel, and others, whose connections are still
 * read, are served in between. A single connection is not read again in an iteration after its maximum number of
 * requests.
 */
export class ReadTurns {
  readonly #clock: Clock;
  readonly #perConnectionMax: number;
  readonly #connectionsBeside: (socket: Socket) => Iterable<Socket>;
  /** Undefined before the first request of this iteration. */
  #startedAt: number | undefined;
  #turn = 0;
  readonly #stopped: Socket[] = [];

  /** `connectionsBeside`: all connections of the same network. */
  constructor(
    clock: Clock,
    perConnectionMax: number,
    connectionsBeside: (socket: Socket) => Iterable<Socket>,
  ) {
    this.#clock = clock;
    this.#perConnectionMax = perConnectionMax;
    this.#connectionsBeside = connectionsBeside;
  }

  /**
   * Call it for every request before it is handled, and for any other data that was read. Returns the connection's
   * count in this iteration.
   */
  note(socket: CountedSocket): number {
    const now = this.#clock.elapsed();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      this.#turn++;
      this.#clock.soon(this.#endTurn);
    } else if (now - this.#startedAt > TURN_MS && socket[OVER] !== this.#turn) {
      socket[OVER] = this.#turn;
      for (const each of this.#connectionsBeside(socket)) this.#stop(each);
    }
    if (socket[TURN] !== this.#turn) {
      socket[TURN] = this.#turn;
      socket[IN_TURN] = 0;
    }
    const count = ++socket[IN_TURN]!;
    if (count === this.#perConnectionMax) this.#stop(socket);
    return count;
  }

  #stop(socket: Socket): void {
    if (!isReading(socket)) return;
    stopReading(socket);
    this.#stopped.push(socket);
  }

  readonly #endTurn = (): void => {
    this.#startedAt = undefined;
    for (const socket of this.#stopped) startReading(socket);
    this.#stopped.length = 0;
  };
}
