/**
 * Order entry over websockets: the same orders, rules, rate limits and responses as over HTTP, without a signature
 * per request.
 */

import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Published } from '@bourse/engine';
import type { OpenedSession } from '../gateway/access/authenticate.ts';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { LogTags } from '../gateway/ids.ts';
import { parseQuery } from '../gateway/http/routing.ts';
import { renderRefusal, statusOf } from '../gateway/result.ts';
import type { GatewayParts } from '../gateway/gateway.ts';
import type { Upgrade } from '../gateway/http/upgrades.ts';
import { toRefusal } from '../gateway/errors/refusal.ts';
import { openSocket } from '../sockets/paced-reading.ts';
import { closeSocket, REFUSED_BYTES_MAX, WaitingBytes } from '../sockets/outlet.ts';
import { WorkScheduler } from '../sockets/work-scheduler.ts';
import type { OrderEntryContext } from './request.ts';
import { OrderEntryError } from './errors.ts';
import { DEFAULT_ORDER_ENTRY_LIMITS, type OrderEntryLimits } from './limits.ts';
import { operationsOf } from './operations.ts';
import { OrderEntrySession } from './session.ts';

const ORDER_ENTRY_PATH = '/v1/private';

const LOOK_MS = 1000;
const POLICY = 1008;
/** How long a peer may take to reply to a close frame before its connection is destroyed. */
const CLOSING_MS_MAX = 2000;
/** Maximum number of frames per message, as on the feed: many small ones cost more than they carry. */
const FRAGMENTS_MAX = 64;

/** An extension of the gateway. */
export function serveOrderEntry(
  app: FastifyInstance,
  parts: GatewayParts,
  limits: Partial<OrderEntryLimits> = {},
): void {
  const entry = new OrderEntry(parts, limits);
  app.addHook('preClose', () => entry.close());
}

export class OrderEntry {
  readonly #context: OrderEntryContext;
  readonly #server: WebSocketServer;
  readonly #sessions = new Set<OrderEntrySession>();
  readonly #sessionsByUser = new Map<number, number>();
  #isClosing = false;
  readonly #tags: LogTags;
  #cancelLook: () => void;
  #emptied: (() => void) | undefined;

  constructor(parts: GatewayParts, limits: Partial<OrderEntryLimits>) {
    const { context: gateway, mounted, metrics } = parts;
    // Its frames use the family dialect; if only the literal dialect is enabled, the responses use that.
    const family = mounted.find(({ dialect }) => !dialect.isLiteral) ?? mounted[0];
    const merged = { ...DEFAULT_ORDER_ENTRY_LIMITS, ...limits };
    this.#context = {
      gateway,
      dialect: family.dialect,
      operations: operationsOf(mounted, metrics),
      limits: merged,
      waiting: new WaitingBytes(
        merged.orderEntryBufferedBytesPerAddressMax,
        merged.orderEntryBufferedBytesInAllMax,
      ),
      scheduler: new WorkScheduler(gateway.services.clock.machine),
    };
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      closeTimeout: CLOSING_MS_MAX,
      // Sessions reply to pings themselves, because they bound the data queued for a reader.
      autoPong: false,
      maxPayload: this.#context.limits.orderEntryMessageBytesMax,
      maxFragments: FRAGMENTS_MAX,
      // Messages are validated when they are read.
      skipUTF8Validation: true,
    };
    this.#tags = new LogTags(gateway.services.position !== undefined);
    this.#server = new WebSocketServer(options);
    parts.upgrades.register(ORDER_ENTRY_PATH, (upgrade) => this.#accept(upgrade));
    this.#cancelLook = gateway.services.clock.machine.after(LOOK_MS, this.#look);
    gateway.services.port.subscribe(this.#follow);
  }

  /** A key may be changed or removed during its sessions. */
  readonly #follow = ({ marketEvents }: Published): void => {
    for (let at = 0; at < marketEvents.length; at++) {
      const event = marketEvents[at];
      if (event.kind !== 'key-set' && event.kind !== 'key-removed') continue;
      for (const session of this.#sessions) if (session.key === event.key) session.checkRight();
    }
  };

  /** Resolves once all sessions have their responses and are closed. */
  close(): Promise<void> {
    const { closing } = this.#context.gateway;
    this.#isClosing = true;
    for (const session of this.#sessions) {
      if (closing.isRetired) session.break(closing.code, closing.reason);
      else session.end();
    }
    const gone =
      this.#sessions.size === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => (this.#emptied = resolve));
    return gone.then(() => this.#cancelLook());
  }

  /** Browsers hide why an upgrade failed, so every refusal is sent as a frame before the connection is closed. */
  #accept(upgrade: Upgrade): void {
    const { request, socket, ip } = upgrade;
    const textBytesMax = this.#context.limits.orderEntryMessageBytesMax;
    const opening = { ...upgrade, network: networkOf(ip), textBytesMax };
    openSocket(this.#server, opening, this.#context.scheduler, (ws) => {
      let opened: OpenedSession;
      try {
        opened = this.#open(request.url ?? '', ip);
        if (this.#isClosing) throw new OrderEntryError('sessions-many');
        this.#checkCount(opened.key.user);
      } catch (error) {
        ws.on('error', () => undefined);
        ws.send(error instanceof OrderEntryError ? error.toJson() : this.#renderFailure(error, ip));
        closeSocket(ws, socket, POLICY, '', REFUSED_BYTES_MAX);
        return;
      }
      const tag = this.#tags.next(this.#context.gateway.services.port.health.seq);
      const session = new OrderEntrySession(this.#context, ws, socket, opened, ip, tag);
      this.#sessions.add(session);
      ws.on('close', () => this.#remove(session));
    });
  }

  #open(url: string, ip: string): OpenedSession {
    const { apikey, sign, passphrase, timestamp } = parseQuery(url, this.#context.dialect);
    if (!apikey || !sign || !passphrase || !timestamp) throw new OrderEntryError('url-incomplete');
    const { authentication, services } = this.#context.gateway;
    return authentication.openSession({
      name: apikey,
      // An unencoded `+` of a base64 digest arrives as a space; digests contain no spaces, so it is restored.
      sign: sign.replaceAll(' ', '+'),
      passphrase: passphrase.replaceAll(' ', '+'),
      timestamp,
      ip,
      time: services.clock.now(),
      wallTime: services.clock.machine.now(),
    });
  }

  #renderFailure(error: unknown, ip: string): string {
    const { gateway, dialect } = this.#context;
    const refusal = toRefusal(error);
    const status = statusOf(dialect, refusal.error);
    const line = { request: '', route: 'sign-in', dialect: 'order-entry', status, user: -1, ip, ms: 0 };
    if (status >= 500) gateway.log.failed(line, error);
    return renderRefusal(dialect, 'A', refusal);
  }

  #checkCount(user: number): void {
    const count = this.#sessionsByUser.get(user) ?? 0;
    if (count >= this.#context.limits.orderEntrySessionsPerUserMax)
      throw new OrderEntryError('sessions-many');
    this.#sessionsByUser.set(user, count + 1);
  }

  #remove(session: OrderEntrySession): void {
    this.#sessions.delete(session);
    const left = this.#sessionsByUser.get(session.user)! - 1;
    if (left > 0) this.#sessionsByUser.set(session.user, left);
    else this.#sessionsByUser.delete(session.user);
    if (this.#sessions.size === 0) this.#emptied?.();
  }

  readonly #look = (): void => {
    const { machine } = this.#context.gateway.services.clock;
    const now = machine.elapsed();
    for (const session of this.#sessions) session.look(now);
    this.#cancelLook = machine.after(LOOK_MS, this.#look);
  };
}
