/**
 * A gateway on a free port, with the sandbox's beginning: what tests talk to. The engine's sequencer is the real one,
 * on a log in memory; `client` signs as users do.
 */

import { createHmac } from 'node:crypto';
import { Exchange } from '@bourse/core';
import { loadSettings } from '../src/config/load.ts';
import type { Settings } from '../src/config/settings.ts';
import { Digest } from '../src/engine/digest.ts';
import type { EngineHealth, ExchangePort } from '../src/engine/exchange-port.ts';
import { Sequencer, type SequencerLimits } from '../src/engine/sequencer.ts';
import { Feed } from '../src/feed/feed.ts';
import { DEFAULT_FEED_LIMITS, type FeedLimits } from '../src/feed/limits.ts';
import { DIALECTS } from '../src/gateway/dialects.ts';
import { UnownedAddresses } from '../src/gateway/money/custody.ts';
import { FeedTokens } from '../src/gateway/access/feed-tokens.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../src/gateway/http/limits.ts';
import { makeLog } from '../src/gateway/http/log.ts';
import type { Route } from '../src/gateway/route.ts';
import { allRoutes } from '../src/gateway/routes/all.ts';
import { SecretBox } from '../src/gateway/access/secrets.ts';
import { Gateway, type GatewayOptions } from '../src/gateway/http/server.ts';
import type { Services } from '../src/gateway/services.ts';
import { DEFAULT_QUOTAS, type Quotas } from '../src/gateway/access/throttle.ts';
import { nodeClock } from '../src/io/node-clock.ts';
import { type RunningExchange, startExchange } from '../src/startup/start.ts';
import { SANDBOX_SECRET_KEY, seedCommands } from '../src/sandbox/seed.ts';
import { KEYS } from '../src/sandbox/users.ts';
import { Catalogue } from '../src/views/catalogue.ts';
import { MarketView } from '../src/views/market.ts';
import { StatisticsView } from '../src/views/statistics.ts';
import { noHistory } from './support/no-history.ts';
import { MemoryLog } from './support/memory-log.ts';

export interface ServerOptions {
  /** All there are, unless others are given. */
  readonly routes?: (services: Services) => readonly Route[];
  readonly limits?: Partial<HttpLimits>;
  readonly quotas?: Partial<Quotas>;
  readonly feed?: Partial<FeedLimits>;
  readonly sequencer?: Partial<SequencerLimits>;
  readonly gateway?: Partial<GatewayOptions>;
  /** Besides the feed. */
  readonly extensions?: GatewayOptions['extensions'];
  readonly logLines?: (line: string) => void;
  readonly wrapPort?: (port: ExchangePort) => ExchangePort;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly services: Services;
  readonly log: MemoryLog;
  readonly gateway: Gateway;
  readonly feed: Feed;
  readonly tokens: FeedTokens;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const secrets = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex'));
  const log = new MemoryLog();
  const exchange = new Exchange();
  const sequencer = new Sequencer({
    log,
    exchange,
    clock: nodeClock,
    digest: new Digest(),
    ...(options.sequencer && { limits: options.sequencer }),
  });
  const live = portOf(sequencer, exchange);
  const port = options.wrapPort?.(live) ?? live;
  for (const command of seedCommands((secret, passphrase) => secrets.seal(secret, passphrase))) {
    const { outcome } = await live.submit(command);
    if (outcome.kind === 'rejected') throw new Error(JSON.stringify(outcome.rejection));
  }
  const feedLimits = { ...DEFAULT_FEED_LIMITS, ...options.feed };
  const tokens = new FeedTokens(nodeClock);
  const services: Services = {
    port,
    history: noHistory,
    historyCaughtUp: async () => undefined,
    catalogue: await Catalogue.follow(live),
    market: await MarketView.follow(live, noHistory),
    statistics: await StatisticsView.follow(live, noHistory),
    custody: new UnownedAddresses(),
    feedTokens: { tokens, publicUrl: '', pings: feedLimits },
    secrets,
    clock: nodeClock,
    lookupWindowMs: 3 * 24 * 3600 * 1000,
  };
  const feed = await Feed.follow({ services, tokens, limits: feedLimits });
  const gateway = new Gateway({
    services,
    routes: (options.routes ?? allRoutes)(services),
    dialects: DIALECTS,
    limits: { ...DEFAULT_HTTP_LIMITS, ...options.limits },
    quotas: { ...DEFAULT_QUOTAS, ...options.quotas },
    skewMsMax: 5000,
    secrets,
    isSandbox: true,
    log: options.logLines ? makeLog('info', { write: options.logLines }) : makeLog('silent'),
    trustedProxies: [],
    extensions: [feed.attach, ...(options.extensions ?? [])],
    ...options.gateway,
  });
  const url = await gateway.listen('127.0.0.1', 0);
  return {
    url,
    port: Number(new URL(url).port),
    services,
    log,
    gateway,
    feed,
    tokens,
    async close() {
      await gateway.close();
      await sequencer.close();
    },
  };
}

function portOf(sequencer: Sequencer, exchange: Exchange): ExchangePort {
  return {
    submit: (command) => sequencer.submit(command),
    read: (query) => sequencer.read(query),
    subscribe: (listener) => sequencer.subscribe(listener),
    get health(): EngineHealth {
      return {
        state: sequencer.state,
        seq: exchange.seq,
        waiting: sequencer.waiting,
        historyLag: 0,
        snapshotSeq: 0,
      };
    },
    get aheadMs() {
      return sequencer.aheadMs;
    },
  };
}

/** The whole exchange, with engine and history, on a directory: what `npm start` runs. */
export function startWhole(dir: string, changes: Partial<Settings> = {}): Promise<RunningExchange> {
  const { settings } = loadSettings({
    flags: { data: dir, port: '0', logLevel: 'silent', market: 'quiet' },
    env: {},
  });
  return startExchange({ ...settings, ...changes });
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

/** A client of one dialect: with a name it signs, without it does not. */
export class Client {
  private readonly url: string;
  private readonly who: Credentials | undefined;
  private readonly mount: string;
  private readonly prefix: string;

  constructor(url: string, who?: string, dialect: 'literal' | 'family' = 'literal') {
    const row = DIALECTS.find(({ name }) => name === dialect)!;
    this.url = url;
    this.who = who === undefined ? undefined : credentials(who);
    this.mount = row.mount;
    this.prefix = row.prefix;
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
    const signed = this.who && sign(this.who, method, path, body ?? '', { prefix: this.prefix });
    const response = await fetch(`${this.url}${this.mount}${path}`, {
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
