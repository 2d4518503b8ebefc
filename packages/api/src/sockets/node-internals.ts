/**
 * All undocumented members of Node that Bourse uses; no other file may use any. At start, `testNodeInternals` tries
 * each of them on a real connection. If a release of Node has changed one, the public API takes over: the responses
 * are the same, but HTTP is slower, and the limit on what one connection can make the event loop do at once is
 * weaker.
 */

// Node's own names begin with an underscore.
/* oxlint-disable no-underscore-dangle */

import { on, once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { nodeClock } from '@bourse/engine';

/** If set, selects the public API, so that tests can run whole suites with it. */
const TEST_VARIABLE = 'TEST_WITHOUT_NODE_INTERNALS';
/** Long, so that a busy machine does not accidentally fall back to the public API. */
const TEST_MS_MAX = 30_000;

let isUsed = process.env[TEST_VARIABLE] === undefined;

export const usesNodeInternals = (): boolean => isUsed;

/** Node's handle of a TCP connection. */
interface Handle {
  reading: boolean;
  readStart(): void;
  readStop(): void;
}

export type ReadSocket = Socket & {
  readonly _handle?: Handle | null;
  /** Node has stopped reading because the client does not read its responses; it resumes by itself. */
  readonly _paused?: boolean;
};

/**
 * Stops reading from the kernel. The public `pause` is undone by the next complete request and pauses the parser too;
 * this lets the parser finish what has been read, and the rest stays in the kernel's buffer. A no-op with the public
 * API.
 */
export function stopReading({ _handle: handle }: ReadSocket): void {
  if (!isUsed || !handle?.reading) return;
  handle.reading = false;
  handle.readStop();
}

export function startReading({ _handle: handle, _paused: isPaused }: ReadSocket): void {
  if (!isUsed || !handle || handle.reading || isPaused) return;
  handle.reading = true;
  handle.readStart();
}

/** Whether `stopReading` would have an effect. */
export const isReading = ({ _handle: handle }: ReadSocket): boolean => isUsed && handle?.reading === true;

/** Node's HTTP parser of a connection. */
interface Parser {
  /** Called with the head of each request; the result tells the parser how to continue. */
  onIncoming: (request: UpgradingMessage, keepAlive: boolean) => number;
}

/** `upgrade`: whether the request asks for another protocol; once handled, whether that was granted. */
type UpgradingMessage = IncomingMessage & { upgrade: boolean };

/** Returned for an upgraded request: the parser leaves the bytes after its head alone. */
const STOP = 2;

/**
 * Calls `isTaken` with the head of every request before Node handles it. After one that is not accepted, the
 * connection is no longer parsed. With the public API it is never called, and all requests reach the server's
 * listener.
 */
export function watchRequests(
  socket: Socket & { parser?: Parser | null },
  isTaken: (request: IncomingMessage) => boolean,
): void {
  const { parser } = socket;
  if (!isUsed || !parser) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, keepAlive) => {
    if (isTaken(request)) return onIncoming(request, keepAlive);
    // Otherwise Node would upgrade the connection.
    request.upgrade = false;
    return STOP;
  };
}

/** Node calls `destroySoon` once the last response of a connection has been sent. */
export function atLastResponse(socket: Socket, call: () => void): void {
  socket.destroySoon = call;
}

/** Without this, a client that half-closes its connection after a request loses any response that is not ready yet. */
export function allowHalfOpen(server: object): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Receives a request's body. An object, because a callback would cost one closure per request. */
export interface BodyTaker {
  /** Null when the body is complete. */
  takePiece(chunk: Buffer | null): void;
}

/** Node calls this to discard an unread body after the response. */
interface Dumping {
  _dump(): void;
}

const { _dump: dumpUnread } = IncomingMessage.prototype as unknown as Dumping;

/**
 * A second path, 9 to 12 % of an HTTP order (docs/internals/speed.md): the body is passed on chunk by chunk as the
 * parser finds it. Node turns every body into a stream; ours are small and needed complete.
 */
export class TakenMessage extends IncomingMessage implements Dumping {
  #taker: BodyTaker | undefined;
  #isTaken = false;

  /** From now on chunks go to `taker`, which may be replaced. */
  takeBody(taker: BodyTaker): void {
    const isFirst = this.#taker === undefined;
    this.#taker = taker;
    if (isUsed || !isFirst) return;
    this.on('data', (chunk: Buffer) => this.#taker!.takePiece(chunk));
    this.on('end', () => this.#taker!.takePiece(null));
  }

  /** Node reads this after the response, and releases the request if it is true. */
  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get readableEnded(): boolean {
    return this.#isTaken || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
  }

  /** Node's parser calls this with each chunk, and with null at the end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (!isUsed || this.#taker === undefined) return super.push(chunk, encoding);
    this.#isTaken = chunk === null;
    this.#taker.takePiece(chunk);
    // If the response was sent before the body arrived, Node waits for this event to release the request.
    if (chunk === null) this.emit('end');
    return true;
  }

  _dump(): void {
    if (!isUsed || this.#taker === undefined) dumpUnread.call(this);
  }
}

/** What Node's `end` uses. */
interface Sending {
  _header: string | null;
  _headerSent: boolean;
  finished: boolean;
  readonly outputData: readonly unknown[];
  readonly _hasBody: boolean;
  readonly _expect_continue: boolean;
  readonly _keepAliveTimeout: number;
  readonly _maxRequestsPerSocket: number | null;
  readonly maxRequestsOnConnectionReached?: boolean;
  _writeRaw(data: string, encoding: 'latin1' | 'utf8', callback: () => void): boolean;
  _finish(): void;
}

interface SendingSocket {
  readonly _httpMessage?: unknown;
  readonly _hadError?: boolean;
}

/** Whether `sendWhole` may be used: the connection stays open after the response, and the response may have a body. */
export function canSendWhole(response: ServerResponse): boolean {
  const sending = response as unknown as Sending;
  return (
    isUsed &&
    response.shouldKeepAlive &&
    sending._header === null &&
    sending._hasBody &&
    !sending._expect_continue &&
    !sending.maxRequestsOnConnectionReached
  );
}

/** The values of the `Keep-Alive` header. */
export function keepAliveOf(response: ServerResponse): { timeoutMs: number; requestsMax: number } {
  const { _keepAliveTimeout: timeoutMs, _maxRequestsPerSocket: max } = response as unknown as Sending;
  return { timeoutMs, requestsMax: max ?? 0 };
}

/** Sends head and body with one write; `onWritten` is called once they have been sent. */
export function sendWhole(
  response: ServerResponse,
  head: string,
  text: string,
  encoding: 'latin1' | 'utf8',
  onWritten: () => void,
): void {
  const sending = response as unknown as Sending;
  sending._header = head;
  sending._headerSent = true;
  sending._writeRaw(head + text, encoding, onWritten);
  sending.finished = true;
  const socket = response.socket as SendingSocket | null;
  if (sending.outputData.length === 0 && socket?._httpMessage === response) sending._finish();
}

export const hadError = (socket: Socket | null): boolean =>
  (socket as SendingSocket | null)?._hadError === true;

/** The original methods of an intercepted stream: `push` passes bytes on, `read` asks the kernel for more. */
export interface StreamEnds {
  readonly push: Duplex['push'];
  readonly read: () => void;
}

/**
 * From now on inbound bytes go to `take`, which returns whether it wants more; nothing is read unless `mayRead`.
 * There is no public counterpart: with the public API the stream is left alone.
 */
export function interceptReading(
  stream: Duplex,
  take: (bytes: Buffer | null) => boolean,
  mayRead: () => boolean,
): StreamEnds {
  const { push, _read: read } = stream;
  Object.assign(stream, {
    push: take,
    _read: (size: number) => {
      if (mayRead()) read.call(stream, size);
    },
  });
  return { push: push.bind(stream), read: () => read.call(stream, 0) };
}

let tested: Promise<string | null> | undefined;

/**
 * Tries everything above, once per process. Resolves to null, or to the member that failed; then the public API is
 * used from now on.
 */
export function testNodeInternals(): Promise<string | null> {
  tested ??= tryInternals().then((fault) => {
    if (fault !== null) isUsed = false;
    return fault;
  });
  return tested;
}

type TestServer = Server<typeof TakenMessage>;

async function tryInternals(): Promise<string | null> {
  if (!isUsed) return `${TEST_VARIABLE} is set`;
  const server = createServer({ IncomingMessage: TakenMessage });
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const cancel = nodeClock.after(TEST_MS_MAX, () => fail(new Error(`no result within ${TEST_MS_MAX} ms`)));
  server.on('error', fail);
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  allowHalfOpen(server);
  try {
    const seen = serveTest(server, fail);
    await Promise.race([converse(server, fail), failed]);
    const wrong = (Object.keys(EXPECTED) as (keyof Seen)[]).find((what) => seen[what] !== EXPECTED[what]);
    return wrong === undefined ? null : `${wrong}: ${seen[wrong]} instead of ${EXPECTED[wrong]}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    cancel();
    // The server no longer tracks an upgraded connection.
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

interface Seen {
  requestsWatched: number;
  responsesSent: number;
  lastResponses: number;
  streamsIntercepted: number;
}

const EXPECTED: Seen = { requestsWatched: 4, responsesSent: 3, lastResponses: 1, streamsIntercepted: 1 };
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n';
const UPGRADE = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n';
const LAST = 'ghi';
const post = (body: string): string => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n${body}`;

/** Two pipelined requests; then an upgrade; then, on a second connection, a request before the client half-closes it. */
async function converse(server: TestServer, fail: (error: Error) => void): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = [1, 2].map(() => connect({ port, host: '127.0.0.1' }).on('error', fail));
  const [first, last] = clients;
  try {
    first.write(post('abc') + post('def'));
    await receive(first, `${HEAD}abc${HEAD}def`);
    first.write(`${UPGRADE}one`);
    await receive(first, 'one');
    first.write('two');
    await receive(first, 'two');
    last.end(post(LAST));
    await receive(last, HEAD + LAST);
    if (!last.closed) await once(last, 'close');
  } finally {
    for (const client of clients) client.destroy();
  }
}

async function receive(socket: Socket, expected: string): Promise<void> {
  let received = '';
  for await (const [bytes] of on(socket, 'data', { close: ['close'] })) {
    received += (bytes as Buffer).toString('latin1');
    if (received === expected) return;
    if (!expected.startsWith(received)) break;
  }
  throw new Error(`received ${JSON.stringify(received)} instead of ${JSON.stringify(expected)}`);
}

/** Echoes bodies, and all bytes after an upgrade. */
function serveTest(server: TestServer, fail: (error: Error) => void): Seen {
  const seen: Seen = { requestsWatched: 0, responsesSent: 0, lastResponses: 0, streamsIntercepted: 0 };
  const failing =
    <Values extends unknown[]>(work: (...values: Values) => void) =>
    (...values: Values): void => {
      try {
        work(...values);
      } catch (error) {
        fail(error as Error);
      }
    };
  const onConnection = (socket: ReadSocket): void => {
    watchRequests(socket, () => ++seen.requestsWatched > 0);
    if (!isReading(socket)) throw new Error('a new connection is not being read');
    stopReading(socket);
    if (isReading(socket)) throw new Error('a connection is still read after readStop');
    startReading(socket);
  };
  const respond = (response: ServerResponse, body: string): void => {
    if (!canSendWhole(response)) throw new Error('an ordinary response does not look like one');
    if (!(keepAliveOf(response).timeoutMs > 0)) throw new Error('a response has no keep-alive timeout');
    sendWhole(response, HEAD, body, 'latin1', () => {
      seen.responsesSent++;
      response.emit('finish');
    });
  };
  const respondLast = (response: ServerResponse): void => {
    const { socket } = response.req;
    atLastResponse(socket, () => {
      seen.lastResponses++;
      socket.end();
    });
    socket.once(
      'end',
      failing(() => respond(response, LAST)),
    );
  };
  const onRequest = (request: TakenMessage, response: ServerResponse): void => {
    let body = '';
    request.takeBody({
      takePiece: failing((chunk) => {
        if (chunk !== null) body += chunk.toString('latin1');
        else if (body === LAST) respondLast(response);
        else respond(response, body);
      }),
    });
  };
  const onUpgrade = (_: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('data', (bytes: Buffer) => socket.write(bytes));
    const pass = (bytes: Buffer | null): boolean => {
      seen.streamsIntercepted = 1;
      return ends.push(bytes);
    };
    const ends = interceptReading(socket, pass, () => true);
    ends.push(head);
  };
  server.on('connection', failing(onConnection));
  server.on('request', failing(onRequest));
  server.on('upgrade', failing(onUpgrade));
  return seen;
}
