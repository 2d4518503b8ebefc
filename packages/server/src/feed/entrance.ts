/** Who may come in: tokens, how many connections, how many new ones, and for how long. */

import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { type FeedTokens, NOBODY, type TokenOwner } from '../gateway/access/feed-tokens.ts';
import type { Upgrade } from '../gateway/http/upgrades.ts';
import type { Clock } from '../io/clock.ts';
import type { Catalogue } from '../views/catalogue.ts';
import { FrameError } from './frame-errors.ts';
import { CLOSE, Session, type SessionParts } from './session.ts';

const MINUTE_MS = 60_000;
/** How often connections are looked at for age and silence. */
const SWEEP_MS = 1000;
const ID_LENGTH_MAX = 128;
/** How long a peer may take to answer a close before the connection is destroyed. */
const CLOSE_TIMEOUT_MS = 2000;

interface Arrivals {
  since: number;
  count: number;
}

export class Entrance {
  /** Connections that were cut off because they did not keep up. */
  cut = 0;
  private readonly parts: SessionParts;
  private readonly tokens: FeedTokens;
  private readonly server: WebSocketServer;
  private readonly sessions = new Set<Session>();
  private readonly counts = new Map<string, number>();
  private readonly arrivals = new Map<string, Arrivals>();
  private cancelSweep: (() => void) | undefined;
  private isClosed = false;
  /** Of the connections that are gone. */
  private goneBytesMost = 0;
  private emptied: (() => void) | undefined;

  constructor(parts: SessionParts, tokens: FeedTokens) {
    this.parts = parts;
    this.tokens = tokens;
    const { feedMessageBytesMax, feedFragmentsMax } = parts.limits;
    // Without compression nothing waits inside ws, and frames may be written beside it.
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: feedMessageBytesMax,
      maxFragments: feedFragmentsMax,
      closeTimeout: CLOSE_TIMEOUT_MS,
      // Sessions answer pings themselves: what waits for a reader is bounded there.
      autoPong: false,
    };
    this.server = new WebSocketServer(options);
  }

  get count(): number {
    return this.sessions.size;
  }

  /** For all readers together; what several wait for is one piece of memory. */
  get waitingBytes(): number {
    let sum = 0;
    for (const { outlet } of this.sessions) sum += outlet.waitingBytes;
    return sum;
  }

  /** The most that has waited for one reader since the start. */
  get waitingBytesMost(): number {
    let most = this.goneBytesMost;
    for (const { outlet } of this.sessions) most = Math.max(most, outlet.waitingBytesMost);
    return most;
  }

  readonly take = ({ request, socket: stream, head, ip }: Upgrade): void => {
    this.server.handleUpgrade(request, stream, head, (socket) => {
      // What a broken client sends is its own affair: ws closes the connection, and nobody else is told.
      socket.on('error', () => undefined);
      this.enter(socket, stream, queryOf(request.url ?? ''), ip);
    });
  };

  private enter(socket: WebSocket, stream: Duplex, query: URLSearchParams, address: string): void {
    const id = (query.get('connectId') ?? '').slice(0, ID_LENGTH_MAX).toWellFormed() || randomUUID();
    const opened = this.tokens.open(query.get('token') ?? '');
    const owner = typeof opened === 'string' ? NOBODY : opened;
    const place = owner.user < 0 ? `address ${networkOf(address)}` : `user ${owner.user}`;
    const refusal = this.refusal(opened, place);
    if (refusal !== null) {
      socket.send(refusal.toFrame(id));
      socket.close(CLOSE.policy, refusal.text);
      return;
    }
    const session = new Session(this.parts, socket, stream, { id, owner, onCut: () => this.cut++ });
    this.sessions.add(session);
    this.counts.set(place, (this.counts.get(place) ?? 0) + 1);
    socket.on('close', () => {
      session.leave();
      this.sessions.delete(session);
      this.goneBytesMost = Math.max(this.goneBytesMost, session.outlet.waitingBytesMost);
      const left = (this.counts.get(place) ?? 1) - 1;
      if (left > 0) this.counts.set(place, left);
      else this.counts.delete(place);
      if (this.sessions.size === 0) this.emptied?.();
    });
    this.cancelSweep ??= this.clock.after(SWEEP_MS, this.sweep);
  }

  /** The key that a connection was opened with is gone. */
  expel(key: string): void {
    for (const session of this.sessions) {
      if (session.owner.key === key) session.close(CLOSE.policy, 'the API key was removed');
    }
  }

  /** Resolves when all connections are gone. */
  close(): Promise<void> {
    this.isClosed = true;
    this.cancelSweep?.();
    const gone =
      this.sessions.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => (this.emptied = resolve));
    for (const session of this.sessions) session.close(CLOSE.goingAway, 'the exchange is shutting down');
    return gone;
  }

  private refusal(opened: TokenOwner | 'invalid' | 'expired', place: string): FrameError | null {
    if (opened === 'expired') return new FrameError('token-expired');
    if (opened === 'invalid' || !isKnown(opened, this.parts.catalogue))
      return new FrameError('token-invalid');
    const { limits } = this.parts;
    const isPublic = opened.user < 0;
    const max = isPublic ? limits.feedConnectionsPerAddressMax : limits.feedConnectionsPerUserMax;
    if (this.isClosed) return new FrameError('connects-many');
    if ((this.counts.get(place) ?? 0) >= max) return new FrameError('connections-many', { max });
    const perMinuteMax = isPublic ? limits.feedConnectsPerAddressMax : limits.feedConnectsPerUserMax;
    return this.arrive(place) > perMinuteMax ? new FrameError('connects-many') : null;
  }

  /** How many have come from there within the minute. */
  private arrive(place: string): number {
    const now = this.clock.elapsed();
    let arrivals = this.arrivals.get(place);
    if (arrivals === undefined || now - arrivals.since >= MINUTE_MS) {
      arrivals = { since: now, count: 0 };
      this.arrivals.set(place, arrivals);
    }
    return ++arrivals.count;
  }

  private readonly sweep = (): void => {
    this.cancelSweep = undefined;
    const { feedIdleMsMax, feedAgeMsMax } = this.parts.limits;
    const now = this.clock.elapsed();
    for (const session of this.sessions) {
      if (now - session.heardAt > feedIdleMsMax) session.refuse(new FrameError('ping-timeout'), CLOSE.policy);
      else if (now - session.openedAt > feedAgeMsMax)
        session.close(CLOSE.normal, 'the connection is 24 hours old');
    }
    for (const [place, { since }] of this.arrivals) if (now - since >= MINUTE_MS) this.arrivals.delete(place);
    if (this.sessions.size > 0 || this.arrivals.size > 0)
      this.cancelSweep = this.clock.after(SWEEP_MS, this.sweep);
  };

  private get clock(): Clock {
    return this.parts.clock;
  }
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** A token lasts no longer than the key it was asked for with. */
function isKnown({ user, key }: TokenOwner, catalogue: Catalogue): boolean {
  return user < 0 || catalogue.key(key)?.user === user;
}
