/**
 * A service on a free port, with the sandbox's initial state, for tests. Engine and service are wired as in
 * production, with a log and a history in memory; `Client` signs as users do.
 */

import { createHmac } from 'node:crypto';
import type { Settings } from '../../bourse/src/config/settings.ts';
import { type Engine, type EngineOptions, openEngine } from '../../engine/src/engine.ts';
import type { ExchangePort } from '../../engine/src/exchange-port.ts';
import { snapshotsIn } from '../../engine/src/file-storage.ts';
import { type FollowerLimits, openFollower } from '../../engine/src/follower.ts';
import type { FeedLimits } from '../../api/src/feed/limits.ts';
import type { FeedTokens } from '../../api/src/gateway/access/feed-tokens.ts';
import type { Quotas } from '../../api/src/gateway/access/throttle.ts';
import { DIALECTS, type Route } from '../../api/src/gateway/route.ts';
import type { HttpLimits } from '../../api/src/gateway/http/limits.ts';
import { makeLog } from '../../api/src/gateway/http/log.ts';
import { allRoutes } from '../../api/src/gateway/routes/all.ts';
import type { Services } from '../../api/src/gateway/services.ts';
import { type Clock, nodeClock } from '../../engine/src/io/clock.ts';
import { Mailbox } from '../../api/src/identity/mail/mail.ts';
import { KEYS } from '../../sandbox/src/users.ts';
import { prepareSandbox } from '../../bourse/src/startup/sandbox.ts';
import { openService, type Service, type ServiceOptions } from '../../bourse/src/startup/service.ts';
import type { RunningExchange } from '../../bourse/src/startup/running-exchange.ts';
import { startExchange } from '../../bourse/src/startup/start.ts';
import { LossyDisk } from './disk/lossy-disk.ts';
import { MemoryHistory } from './memory-history.ts';
import { MemoryLog } from './memory-log.ts';
import { Random } from './random.ts';
import { settingsOf } from './limits.ts';

export interface ServerOptions {
  /** Added to the standard routes, or replacing those with the same id. */
  readonly routes?: (services: Services) => readonly Route[];
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<HttpLimits>;
  readonly quotas?: Partial<Quotas>;
  readonly feed?: Partial<FeedLimits>;
  readonly engine?: Partial<EngineOptions>;
  readonly followerLimits?: Partial<FollowerLimits>;
  readonly isSandbox?: boolean;
  readonly extensions?: ServiceOptions['extensions'];
  /** The folder of built pages. */
  readonly pageFolder?: string;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  readonly logLines?: (line: string) => void;
  readonly wrapPort?: (port: ExchangePort) => ExchangePort;
  readonly isHistoryEmpty?: boolean;
}

export interface TestServer extends Pick<Service, 'services' | 'feed'> {
  readonly url: string;
  readonly port: number;
  readonly log: MemoryLog;
  readonly tokens: FeedTokens;
  readonly mailbox: Mailbox;
  close(): Promise<void>;
}

/** History catches up on request; otherwise so rarely that it delays no test. */
const FOLLOW_PAUSE_MS = 60_000;

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { settings: changes, limits, feed, quotas, isSandbox = true, wrapPort, logLines } = options;
  const { routes, extensions, pageFolder, isHistoryEmpty = false } = options;
  const settings = {
    ...defaultSettings({ port: '0' }),
    // Tests cause many rejections from one address, which would otherwise be disconnected.
    refusalsPerAddressMax: 1e9,
    ...limits,
    ...feed,
    ...quotaSettings(quotas ?? {}),
    ...changes,
  };
  const log = new MemoryLog();
  const engine = await openMemoryEngine(log, options);
  const live = portOf(engine);
  const mailbox = new Mailbox();
  const prepared = await prepareSandbox(
    settings,
    { operatorReadToken: settings.operatorReadToken, smtpUrl: '' },
    live,
  );
  const service = await openService({
    settings,
    port: wrapPort?.(live) ?? live,
    history: engine.history,
    isHistoryEmpty,
    clock: options.clock ?? nodeClock,
    log: logLines ? makeLog('info', { write: logLines }) : makeLog('silent'),
    credentials: { ...prepared, isSandbox },
    ...(routes && { routes: (services) => withOthers(routes(services), allRoutes(services)) }),
    ...(extensions && { extensions }),
    ...(pageFolder && { pageFolder }),
    identity: { dir: '', mailbox, home: { baseUrl: '' } },
  });
  const { address: url, services } = service;
  return {
    url,
    port: Number(new URL(url).port),
    services,
    log,
    mailbox,
    feed: service.feed,
    tokens: services.feedTokens.tokens,
    async close() {
      await service.close();
      await engine.close();
    },
  };
}

function withOthers(routes: readonly Route[], all: readonly Route[]): Route[] {
  const ids = new Set(routes.map(({ id }) => id));
  return [...routes, ...all.filter(({ id }) => !ids.has(id))];
}

function openMemoryEngine(
  log: MemoryLog,
  { engine, followerLimits, clock = nodeClock }: ServerOptions,
): Promise<Engine> {
  const history = new MemoryHistory();
  const snapshots = snapshotsIn(new LossyDisk(new Random(1)), 'memory');
  return openEngine({
    log,
    snapshots,
    history,
    clock,
    startFollower: () =>
      openFollower({ log, history, snapshots, ...(followerLimits && { limits: followerLimits }) }),
    followPauseMs: FOLLOW_PAUSE_MS,
    ...engine,
  });
}

function defaultSettings(flags: Record<string, string>): Settings {
  return settingsOf({ logLevel: 'silent', ...(flags['venue'] ? {} : { market: 'quiet' }), ...flags });
}

const QUOTA_LIMITS: Partial<Record<string, string>> = {
  windowMs: 'poolWindowMs',
  service: 'servicePoolWeight',
  operator: 'operatorPoolWeight',
  questionnairesPerSecondMax: 'questionnairesPerSecondMax',
};

/** Some quotas are a setting, the others limits. */
function quotaSettings(given: Partial<Quotas>): Partial<Settings> {
  const all = Object.entries(given);
  const limits = all
    .filter(([name]) => QUOTA_LIMITS[name])
    .map(([name, value]) => [QUOTA_LIMITS[name], value]);
  const quotas = Object.fromEntries(all.filter(([name]) => !QUOTA_LIMITS[name]));
  return { ...Object.fromEntries(limits), quotas };
}

/** A plain object, so that tests can replace its members. */
function portOf(engine: Engine): ExchangePort {
  return {
    send: (command, waiter, sender) => engine.send(command, waiter, sender),
    read: (query) => engine.read(query),
    subscribe: (listener) => engine.subscribe(listener),
    historyCaughtUp: () => engine.historyCaughtUp(),
    acceptClock: () => engine.acceptClock(),
    get health() {
      return engine.health;
    },
    get aheadMs() {
      return engine.aheadMs;
    },
  };
}

/** A complete exchange on a directory, with engine and history: what `npm start` runs. */
export function startWhole(dir: string, changes: Partial<Settings> = {}): Promise<RunningExchange> {
  return startExchange({ ...defaultSettings({ data: dir, port: '0', market: 'quiet' }), ...changes });
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

/** By the name of the sandbox's key: alice, bob, carol, alice-sub, alice-viewer. */
export function credentials(name: string): Credentials {
  const key = KEYS.find((each) => each.name === name);
  if (key === undefined) throw new Error(`no key ${name}`);
  return key;
}

const hmac = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** The five headers, for a path without the mount. */
export function sign(
  { apiKey, apiSecret, apiPassphrase }: Credentials,
  method: string,
  path: string,
  body: string | Buffer = '',
  { prefix = 'SVC', timestamp = String(Date.now()), version = '3' } = {},
): Record<string, string> {
  const text = Buffer.concat([Buffer.from(timestamp + method + path), Buffer.from(body)]);
  return {
    [`${prefix}-API-KEY`]: apiKey,
    [`${prefix}-API-SIGN`]: hmac(apiSecret, text),
    [`${prefix}-API-TIMESTAMP`]: timestamp,
    [`${prefix}-API-PASSPHRASE`]: hmac(apiSecret, apiPassphrase),
    [`${prefix}-API-KEY-VERSION`]: version,
  };
}

export type Json = Record<string, unknown> & {
  readonly code?: string;
  readonly msg?: string;
  readonly data?: unknown;
};

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

/** A client of one dialect: with a name or credentials it signs, without it does not. */
export class Client {
  readonly #url: string;
  readonly #who: Credentials | undefined;
  readonly #mount: string;
  readonly #prefix: string;

  constructor(url: string, who?: string | Credentials, dialect: 'literal' | 'family' = 'literal') {
    const row = DIALECTS.find(({ name }) => name === dialect)!;
    this.#url = url;
    this.#who = typeof who === 'string' ? credentials(who) : who;
    this.#mount = row.mount;
    this.#prefix = row.prefix;
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.send('POST', path, body === undefined ? undefined : JSON.stringify(body));
  }

  delete(path: string): Promise<Reply> {
    return this.send('DELETE', path);
  }

  send(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.sendBytes(method, path, body === undefined ? undefined : Buffer.from(body), headers);
  }

  async sendBytes(
    method: string,
    path: string,
    body?: Buffer,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const signed = this.#who && sign(this.#who, method, path, body ?? '', { prefix: this.#prefix });
    const response = await fetch(`${this.#url}${this.#mount}${path}`, {
      method,
      headers: {
        ...signed,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? {} : JSON.parse(text),
    };
  }
}
