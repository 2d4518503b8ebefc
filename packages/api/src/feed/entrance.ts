/** Admission of feed connections: tokens, limits on connections and on new ones, and maximum age. */

import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '@bourse/engine';
import { checkIpAllowed, checkPermission } from '../gateway/access/authenticate.ts';
import { networkOf, senderOf } from '../gateway/access/ip-addresses.ts';
import { type FeedTokens, NOBODY, type TokenOwner } from '../gateway/access/feed-tokens.ts';
import type { Upgrade } from '../gateway/http/upgrades.ts';
import { FrameError } from './frame-errors.ts';
import type { Refusal } from '../gateway/errors/refusal.ts';
import { openSocket } from '../sockets/paced-reading.ts';
import { closeSocket, REFUSED_BYTES_MAX, WaitingBytes } from '../sockets/outlet.ts';
import { CLOSE, FeedSession, type SessionParts } from './session.ts';

const MINUTE_MS = 60_000;
/** Interval of the checks for age, idle time and keys that expire. */
const SWEEP_MS = 1000;
const ID_LENGTH_MAX = 128;
/** The permission that a key needs for a private token. */
const TOKEN_PERMISSION = 'general';
const MESSAGES_WINDOW_MS = 10_000;
/** How long a peer may take to reply to a close before the connection is destroyed. */
const CLOSE_TIMEOUT_MS = 2000;

interface Arrivals {
  since: number;
  count: number;
}

export class Entrance {
  /** Connections that were closed because they did not keep up. */
  cut = 0;
  readonly #parts: SessionParts;
  readonly #tokens: FeedTokens;
  readonly #server: WebSocketServer;
  readonly #sessions = new Set<FeedSession>();
  readonly #counts = new Map<string, number>();
  readonly #arrivals = new Map<string, Arrivals>();
  /** Messages in the current window, by user or address. */
  readonly #messages = new Map<string, Arrivals>();
  readonly #waiting: WaitingBytes;
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;
  /** The most bytes ever queued for one reader, among closed connections. */
  #goneBytesMost = 0;
  #emptied: (() => void) | undefined;

  constructor(parts: SessionParts, tokens: FeedTokens) {
    this.#parts = parts;
    this.#tokens = tokens;
    const { feedMessageBytesMax, feedFragmentsMax } = parts.limits;
    this.#waiting = new WaitingBytes(
      parts.limits.feedBufferedBytesPerAddressMax,
      parts.limits.feedBufferedBytesInAllMax,
    );
    // Without compression ws does not buffer, so we can write frames to the socket directly.
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: feedMessageBytesMax,
      maxFragments: feedFragmentsMax,
      closeTimeout: CLOSE_TIMEOUT_MS,
      // Sessions reply to pings themselves, because they bound the data queued for a reader.
      autoPong: false,
    };
    this.#server = new WebSocketServer(options);
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Sum over all readers. Frames shared by several readers share their memory, so the actual use is lower. */
  get waitingBytes(): number {
    let sum = 0;
    for (const { outlet } of this.#sessions) sum += outlet.waitingBytes;
    return sum;
  }

  /** The most bytes queued for one reader since the start. */
  get waitingBytesMost(): number {
    let most = this.#goneBytesMost;
    for (const { outlet } of this.#sessions) most = Math.max(most, outlet.waitingBytesMost);
    return most;
  }

  readonly take = (upgrade: Upgrade): void => {
    const { request, socket: stream, ip } = upgrade;
    openSocket(this.#server, { ...upgrade, network: networkOf(ip) }, this.#parts.scheduler, (socket) => {
      // ws closes a connection that violates the protocol; nothing else is needed.
      socket.on('error', () => undefined);
      this.#enter(socket, stream, queryOf(request.url ?? ''), ip);
    });
  };

  #enter(socket: WebSocket, stream: Duplex, query: URLSearchParams, address: string): void {
    const id = (query.get('connectId') ?? '').slice(0, ID_LENGTH_MAX).toWellFormed() || randomUUID();
    const staleness = this.#parts.staleness();
    if (staleness !== undefined) {
      closeSocket(socket, stream, CLOSE.restart, staleReason(staleness), REFUSED_BYTES_MAX);
      return;
    }
    const opened = this.#tokens.open(query.get('token') ?? '');
    const owner = typeof opened === 'string' ? NOBODY : opened;
    const place = senderOf(userOf(owner), address);
    const refusal = this.#refusal(opened, place, address);
    if (refusal !== null) {
      socket.send(refusal.toFrame(id));
      closeSocket(socket, stream, CLOSE.policy, refusal.text, REFUSED_BYTES_MAX);
      return;
    }
    const network = networkOf(address);
    const session = new FeedSession(this.#parts, socket, stream, {
      id,
      owner,
      address,
      onCut: () => this.cut++,
      waiting: { bytes: this.#waiting, network },
      isWithinRate: (weight) => this.#isWithinRate(place, weight),
    });
    this.#sessions.add(session);
    this.#parts.faults?.opened(session);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    socket.on('close', () => {
      session.leave();
      this.#sessions.delete(session);
      this.#parts.faults?.closed(session);
      this.#goneBytesMost = Math.max(this.#goneBytesMost, session.outlet.waitingBytesMost);
      const left = (this.#counts.get(place) ?? 1) - 1;
      if (left > 0) this.#counts.set(place, left);
      else this.#counts.delete(place);
      if (this.#sessions.size === 0) this.#emptied?.();
    });
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, this.#sweep);
  }

  /** The key was changed or removed: connections opened with it are closed if the key no longer allows them. */
  recheck(key: string): void {
    for (const session of this.#sessions) {
      if (session.owner.key !== key) continue;
      const ended = endedRight(session.owner, session.address, this.#parts);
      if (ended !== null) session.refuse(ended, CLOSE.policy);
    }
  }

  /** Resolves when all connections are gone. */
  close({ code, reason }: { readonly code: number; readonly reason: string }): Promise<void> {
    this.#isClosed = true;
    this.#cancelSweep?.();
    const gone =
      this.#sessions.size === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => (this.#emptied = resolve));
    for (const session of this.#sessions) session.close(code, reason);
    return gone;
  }

  #refusal(opened: TokenOwner | 'invalid' | 'expired', place: string, address: string): FrameError | null {
    if (opened === 'expired') return new FrameError('token-expired');
    if (opened === 'invalid') return new FrameError('token-invalid');
    const ended = endedRight(opened, address, this.#parts);
    if (ended !== null) return ended;
    const code = this.#parts.faults?.refusal(opened);
    if (code !== undefined) return new FrameError('token-invalid', {}, code);
    const { limits } = this.#parts;
    const isPublic = userOf(opened) < 0;
    const max = isPublic ? limits.feedConnectionsPerAddressMax : limits.feedConnectionsPerUserMax;
    if (this.#isClosed) return new FrameError('connects-many');
    if ((this.#counts.get(place) ?? 0) >= max) return new FrameError('connections-many', { max });
    const perMinuteMax = isPublic ? limits.feedConnectsPerAddressMax : limits.feedConnectsPerUserMax;
    return this.#arrive(place) > perMinuteMax ? new FrameError('connects-many') : null;
  }

  /** Number of new connections from this sender within the minute. */
  #arrive(place: string): number {
    return countIn(this.#arrivals, place, 1, MINUTE_MS, this.#clock.elapsed());
  }

  /** The message rate limit over all connections of a user or an address. */
  #isWithinRate(place: string, weight: number): boolean {
    const count = countIn(this.#messages, place, weight, MESSAGES_WINDOW_MS, this.#clock.elapsed());
    return count <= this.#parts.limits.feedMessagesPerAddressMax;
  }

  readonly #sweep = (): void => {
    this.#cancelSweep = undefined;
    const { feedIdleMsMax, feedAgeMsMax } = this.#parts.limits;
    const now = this.#clock.elapsed();
    const staleness = this.#parts.staleness();
    for (const session of this.#sessions) {
      if (staleness !== undefined) session.close(CLOSE.restart, staleReason(staleness));
      else if (now - session.receivedAt > feedIdleMsMax)
        session.refuse(new FrameError('ping-timeout'), CLOSE.policy);
      else if (now - session.openedAt > feedAgeMsMax)
        session.close(CLOSE.normal, 'the connection is 24 hours old');
      else {
        // A key that expires while its owner is locked is not removed, so no event reports it.
        const ended = endedRight(session.owner, session.address, this.#parts);
        if (ended !== null) session.refuse(ended, CLOSE.policy);
      }
    }
    for (const [place, { since }] of this.#arrivals)
      if (now - since >= MINUTE_MS) this.#arrivals.delete(place);
    for (const [place, { since }] of this.#messages) {
      if (now - since >= MESSAGES_WINDOW_MS) this.#messages.delete(place);
    }
    if (this.#sessions.size > 0 || this.#arrivals.size > 0)
      this.#cancelSweep = this.#clock.after(SWEEP_MS, this.#sweep);
  };

  /** Idle and ping timeouts use the machine's time, because a client does not know how fast exchange time runs. */
  get #clock(): Clock {
    return this.#parts.clock.machine;
  }
}

/** Authenticated clients count per user, even with a token that is valid only for public topics. */
const userOf = ({ user, holder = -1 }: TokenOwner): number => (user < 0 ? holder : user);

/** A close frame holds up to 123 bytes of reason. */
const REASON_LENGTH_MAX = 120;
const staleReason = (staleness: string): string => staleness.slice(0, REASON_LENGTH_MAX);

/** Fixed windows, each starting with its first event. */
function countIn(
  windows: Map<string, Arrivals>,
  place: string,
  weight: number,
  windowMs: number,
  now: number,
): number {
  let window = windows.get(place);
  if (window === undefined || now - window.since >= windowMs) {
    window = { since: now, count: 0 };
    windows.set(place, window);
  }
  return (window.count += weight);
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** A private token is rejected once its key is removed or has expired, loses the permission, or may not be used from this address. */
function endedRight(
  { user, key: name }: TokenOwner,
  address: string,
  { catalogue, sessionKeys }: Pick<SessionParts, 'catalogue' | 'sessionKeys'>,
): FrameError | null {
  if (user < 0) return null;
  const key = catalogue.key(name);
  if (key === undefined || key.user !== user)
    return new FrameError('right-ended', { reason: 'the API key is gone' });
  if (sessionKeys.hasEnded(key)) return new FrameError('right-ended', { reason: 'the API key has expired' });
  try {
    checkIpAllowed(key, address);
    checkPermission(key, TOKEN_PERMISSION);
  } catch (error) {
    return new FrameError('right-ended', { reason: (error as Refusal).detail });
  }
  return null;
}
