/**
 * Limits on connections: their number in total and per address (in IPv6 per network), TLS handshakes, the bytes of
 * unread responses, and rejected requests.
 */

import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import type { Clock } from '@bourse/engine';
import { stopReading } from '../../sockets/node-internals.ts';
import { WaitingBytes } from '../../sockets/outlet.ts';
import { networkOf, peerAddress } from '../access/ip-addresses.ts';
import type { HttpLimits } from './limits.ts';
import { abandonRest, inFlight } from './pipeline.ts';

/** A connection with unread responses is destroyed this long after the server began to close. */
export const UNREAD_MS_MAX = 3000;
/**
 * Number of requests that may be aborted per event loop iteration: Node ends each one in flight on a connection
 * separately.
 */
const CUT_IN_A_TURN = 512;
/** The cost of closing a connection itself, in requests. */
const CONNECTION_COUNTED = 16;
const NONE: ReadonlySet<Socket> = new Set();

export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #byNetwork = new Map<string, Set<Socket>>();
  /** Pending requests outside the interface. */
  readonly #unanswered = new Map<IncomingMessage, ServerResponse>();
  /** Websockets, which their owners close. */
  readonly #upgraded = new WeakSet<Socket>();
  /** When the server first tried to close each of them. */
  readonly #endings = new WeakMap<Socket, number>();
  readonly #toCut = new Set<Socket>();
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #isProxy: (address: string) => boolean;

  /**
   * `connected` is the server's event for a new connection. `isProxy`: a proxy's connections belong to many clients,
   * so only the total limit applies to them.
   */
  constructor(
    server: EventEmitter,
    connected: string,
    limits: HttpLimits,
    clock: Clock,
    isProxy: (address: string) => boolean = () => false,
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#isProxy = isProxy;
    server.on(connected, (socket: Socket) => {
      const address = peerAddress(socket);
      this.#add(socket, networkOf(address));
      if (this.areTooMany(address)) socket.destroy();
    });
    server.on('upgrade', (_request: IncomingMessage, socket: Socket) => this.#upgraded.add(socket));
  }

  get count(): number {
    return this.#sockets.size;
  }

  /**
   * Whether there are too many in total or from this address; `others` and `othersOfNetwork` are counted elsewhere.
   */
  areTooMany(address: string, others = 0, othersOfNetwork = 0): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits;
    if (this.count + others > connectionsMax) return true;
    const ofNetwork = this.#byNetwork.get(networkOf(address))?.size ?? 0;
    return ofNetwork + othersOfNetwork > connectionsPerAddressMax && !this.#isProxy(address);
  }

  /**
   * Closes connections without pending requests: at once if all responses have been sent, otherwise when they are, or
   * UNREAD_MS_MAX after the first call. Node itself closes only idle connections that have had a response. `now`:
   * monotonic, in milliseconds.
   */
  endQuiet(now: number): void {
    const awaited = this.#awaited();
    for (const socket of this.#sockets) {
      if (hasPending(socket) || awaited.has(socket) || this.#upgraded.has(socket)) continue;
      const since = this.#endings.get(socket) ?? now;
      this.#endings.set(socket, since);
      if (now - since >= UNREAD_MS_MAX) socket.destroy();
      // Do not close it with unread bytes: responses queued behind them in Node would be lost.
      else if (socket.writableLength === 0 && !socket.writableEnded) socket.destroySoon();
    }
  }

  /** The connections of the same network, including itself. */
  beside(socket: Socket): Iterable<Socket> {
    return this.#byNetwork.get(networkOf(peerAddress(socket))) ?? NONE;
  }

  /** Closes a connection; a limited number per event loop iteration. From now on its input is ignored. */
  cut(socket: Socket): void {
    if (socket.destroyed || this.#toCut.has(socket)) return;
    abandonRest(socket);
    stopReading(socket);
    this.#toCut.add(socket);
    if (this.#toCut.size === 1) this.#clock.soon(this.#cutSome);
  }

  readonly #cutSome = (): void => {
    let cut = 0;
    for (const socket of this.#toCut) {
      if (cut >= CUT_IN_A_TURN) break;
      this.#toCut.delete(socket);
      cut += CONNECTION_COUNTED + inFlight(socket);
      socket.destroy();
    }
    if (this.#toCut.size > 0) this.#clock.soon(this.#cutSome);
  };

  keepUntilAnswered(request: IncomingMessage, response: ServerResponse): void {
    this.#unanswered.set(request, response);
    response.once('close', () => this.#unanswered.delete(request));
  }

  /** Sockets with pending requests outside the interface. */
  #awaited(): Set<Socket> {
    const sockets = new Set<Socket>();
    for (const [request, response] of this.#unanswered) {
      if (request.complete && !response.writableEnded) sockets.add(request.socket);
    }
    return sockets;
  }

  #add(socket: Socket, network: string): void {
    let ofNetwork = this.#byNetwork.get(network);
    if (ofNetwork === undefined) this.#byNetwork.set(network, (ofNetwork = new Set()));
    this.#sockets.add(socket);
    ofNetwork.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      ofNetwork.delete(socket);
      if (ofNetwork.size === 0) this.#byNetwork.delete(network);
    });
  }
}

const PENDING = Symbol('pending');

type CountedSocket = Socket & { [PENDING]?: number };

/** The number of a connection's requests in flight. Stored on the socket object, which is faster than a map. */
export function addPending(socket: Socket, change: 1 | -1): void {
  const counted: CountedSocket = socket;
  counted[PENDING] = (counted[PENDING] ?? 0) + change;
}

function hasPending(socket: Socket): boolean {
  return ((socket as CountedSocket)[PENDING] ?? 0) > 0;
}

const SECOND_MS = 1000;

/**
 * Connections in their TLS handshake. The HTTP server learns of a connection only afterwards, so it is counted here
 * until then: clients that open connections and send nothing get no more of them than without TLS. A handshake costs
 * more than a request and comes before authentication, so handshakes are rate-limited per address.
 */
export interface HandshakeLimits {
  readonly connections: Connections;
  /** Per second. */
  readonly perAddressMax: number;
  /** Trusted proxies, which connect on behalf of many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Returns a function that ends the handshakes in progress. */
export function limitHandshakes(server: Server, limits: HandshakeLimits): () => void {
  const { connections, perAddressMax, isProxy, clock } = limits;
  const begun = new Map<string, number>();
  let second = 0;
  const isTooOften = (address: string, network: string): boolean => {
    const now = Math.floor(clock.elapsed() / SECOND_MS);
    if (now !== second) begun.clear();
    second = now;
    const count = (begun.get(network) ?? 0) + 1;
    begun.set(network, count);
    return count > perAddressMax && !isProxy(address);
  };
  const byNetwork = new Map<string, Map<string, Socket>>();
  let count = 0;

  const end = (name: string, network: string): void => {
    const ofNetwork = byNetwork.get(network);
    if (!ofNetwork?.delete(name)) return;
    count--;
    if (ofNetwork.size === 0) byNetwork.delete(network);
  };

  server.on('connection', (socket: Socket) => {
    // It is already closed.
    if (socket.remoteAddress === undefined) return;
    const [name, address] = [nameOf(socket), peerAddress(socket)];
    const network = networkOf(address);
    if (isTooOften(address, network)) {
      socket.destroy();
      return;
    }
    // A reset connection may have been followed by another one from the same port before it was closed here.
    end(name, network);
    let ofNetwork = byNetwork.get(network);
    if (ofNetwork === undefined) byNetwork.set(network, (ofNetwork = new Map()));
    ofNetwork.set(name, socket);
    count++;
    socket.once('close', () => {
      if (byNetwork.get(network)?.get(name) === socket) end(name, network);
    });
    if (connections.areTooMany(address, count, ofNetwork.size)) socket.destroy();
  });
  server.on('secureConnection', (socket) => end(nameOf(socket), networkOf(peerAddress(socket))));
  // A client that does not trust the certificate, or does not speak TLS: not a fault that operators need to act on.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return () => {
    for (const ofNetwork of byNetwork.values()) for (const socket of ofNetwork.values()) socket.destroy();
  };
}

const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

const WAITING = Symbol('waiting');

/** Its buffered bytes, stored on the socket itself, because a map would cost more. */
type UnreadSocket = Socket & { [WAITING]?: number };

/**
 * Node buffers responses until the client reads them, so a client that only sends would fill the memory. Buffered bytes
 * are counted per connection, per address and in total. A connection that exceeds a limit is closed.
 */
export class UnreadResponses {
  /** Number of closed connections. */
  cut = 0;
  readonly #bytesPerConnectionMax: number;
  readonly #bytes: WaitingBytes;
  readonly #onCut: (network: string) => void;

  /** `onCut`: called when a connection of the network was closed. */
  constructor(
    { unreadBytesPerConnectionMax, unreadBytesPerAddressMax, unreadBytesMax }: HttpLimits,
    onCut: (network: string) => void,
  ) {
    this.#onCut = onCut;
    this.#bytesPerConnectionMax = unreadBytesPerConnectionMax;
    this.#bytes = new WaitingBytes(unreadBytesPerAddressMax, unreadBytesMax);
  }

  get waitingBytes(): number {
    return this.#bytes.total;
  }

  /** Call it after writing a response. One that is already sent, as almost all are, costs two comparisons. */
  note(socket: UnreadSocket, answer: ServerResponse, bytes: number, ip: string): void {
    // A response queued behind unread ones has no socket yet.
    if (answer.socket !== null && socket.writableLength === 0) return;
    if (socket.destroyed) return;
    const network = networkOf(ip);
    const waiting = this.#waitingOn(socket, network) + bytes;
    socket[WAITING] = waiting;
    this.#bytes.change(network, bytes);
    answer.once('finish', () => {
      // A connection closed in the meantime has already returned its bytes.
      if (socket[WAITING] === 0) return;
      socket[WAITING]! -= bytes;
      this.#bytes.change(network, -bytes);
    });
    // A single response may exceed the limit; only further ones may not.
    if (waiting > bytes && (waiting > this.#bytesPerConnectionMax || !this.#bytes.hasRoom(network, 0))) {
      this.cut++;
      socket.destroy();
      this.#onCut(network);
    }
  }

  #waitingOn(socket: UnreadSocket, network: string): number {
    const waiting = socket[WAITING];
    if (waiting !== undefined) return waiting;
    socket.once('close', () => {
      this.#bytes.change(network, -socket[WAITING]!);
      socket[WAITING] = 0;
    });
    return 0;
  }
}

const WINDOW_MS = 1000;
const OUT_MS = 5000;
/** Reading and checking this many bytes of a body costs as much as another request. */
const BYTES_PER_REFUSAL = 4096;
/** The maximum for one body: a single large upload by mistake is not an attack. */
const BODY_BYTES_COUNTED_MAX = 64 * 1024;

interface Count {
  since: number;
  refusals: number;
  outUntil: number;
}

/**
 * Disconnects senders whose requests are mostly rejected. Rejecting costs time too: Node reads and parses everything,
 * and a thousand pipelined requests on each of a few hundred connections delay everybody, whatever the response. So
 * rejections are counted per sender, large bodies more than small ones. A sender above the limit is blocked for some
 * seconds: its next rejected request on any connection closes that connection. Others at the same address whose
 * requests succeed are not affected.
 */
export class Penalties {
  readonly #counts = new Map<string, Count>();
  readonly #clock: Clock;
  readonly #perSecondMax: number;
  #sweptAt = 0;

  constructor(clock: Clock, perSecondMax: number) {
    this.#clock = clock;
    this.#perSecondMax = perSecondMax;
  }

  /**
   * A request of the sender (see `senderOf`) was rejected before authentication, or because its pool is empty.
   * Returns true if the sender is blocked: close its connection instead of responding.
   */
  note(sender: string, bodyBytes: number): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#sweptAt >= OUT_MS) this.#sweep(now);
    let count = this.#counts.get(sender);
    if (count === undefined) this.#counts.set(sender, (count = { since: now, refusals: 0, outUntil: 0 }));
    if (now - count.since >= WINDOW_MS) {
      count.since = now;
      count.refusals = 0;
    }
    count.refusals += 1 + Math.min(bodyBytes, BODY_BYTES_COUNTED_MAX) / BYTES_PER_REFUSAL;
    if (count.outUntil > now) return true;
    if (count.refusals <= this.#perSecondMax) return false;
    count.outUntil = now + OUT_MS;
    return true;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [sender, { since, outUntil }] of this.#counts) {
      if (now - since >= WINDOW_MS && outUntil <= now) this.#counts.delete(sender);
    }
  }
}
