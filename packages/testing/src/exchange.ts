/** A running exchange in a test: its addresses, its users, and everything that can be done to it. */

import { Agent } from 'node:http';
import { BourseClient } from '@bourse/client';
import { Control } from './control.ts';
import type { Report, ReportOptions } from './report.ts';
import {
  AssertionTool,
  ClockTool,
  FaultTool,
  FeeTool,
  MarketTool,
  ScenarioTool,
  SnapshotTool,
  SymbolTool,
} from './tools.ts';
import type {
  Connection,
  Deposit,
  ExpectedEvent,
  ExpectOptions,
  ForkOptions,
  Overview,
  RequestEntry,
  RequestFilter,
  StartOptions,
  User,
  WatchedEvent,
} from './types.ts';

export class Exchange {
  /** As in `bourse start --config-out`: addresses, keys, and the settings of the start. */
  readonly connection: Connection;
  /** The address of the literal dialect. */
  readonly baseUrl: string;
  /** The address of the family dialect, which ccxt and our client speak. */
  readonly compatUrl: string;
  readonly clock: ClockTool;
  readonly market: MarketTool;
  readonly symbols: SymbolTool;
  readonly fees: FeeTool;
  readonly snapshots: SnapshotTool;
  readonly faults: FaultTool;
  readonly scenarios: ScenarioTool;
  readonly assertions: AssertionTool;
  readonly #control: Control;
  readonly #users: Map<string, User>;
  readonly #end: () => Promise<void>;
  #stopped: Promise<void> | undefined;

  constructor(connection: Connection, end: () => Promise<void>) {
    this.connection = connection;
    this.baseUrl = connection.baseUrl;
    this.compatUrl = connection.compatUrl;
    this.#end = end;
    this.#users = new Map(connection.users.map((user) => [user.name, user]));
    const control = new Control(connection.sandboxUrl, connection.operatorToken);
    this.#control = control;
    this.clock = new ClockTool(control);
    this.market = new MarketTool(control);
    const operator = new Control(connection.operatorUrl, connection.operatorToken);
    this.symbols = new SymbolTool(operator);
    this.fees = new FeeTool(operator);
    this.snapshots = new SnapshotTool(control);
    this.faults = new FaultTool(control);
    this.scenarios = new ScenarioTool(control);
    this.assertions = new AssertionTool(control);
  }

  /** The initial users, and those added by `newUser`. */
  get users(): readonly User[] {
    return [...this.#users.values()];
  }

  user(name: string): User {
    const user = this.#users.get(name);
    if (user) return user;
    throw new Error(
      `Unknown user '${name}'. Expected one of: ${[...this.#users.keys()].join(', ')}; newUser adds more.`,
    );
  }

  /** For `new ccxt.kucoin(options)` and `new ccxt.pro.kucoin(options)`. */
  ccxt(name: string): CcxtOptions {
    return ccxtOptions(this.compatUrl, this.user(name));
  }

  client(name: string): BourseClient {
    const { apiKey, apiSecret, apiPassphrase } = this.user(name);
    return new BourseClient({ url: this.baseUrl, credentials: { apiKey, apiSecret, apiPassphrase } });
  }

  overview(): Promise<Overview> {
    return this.#control.get('/');
  }

  /** The sequence of the last record in the log; use it as `from` of an expectation. */
  async seq(): Promise<number> {
    return (await this.overview()).seq;
  }

  /** Funds a user, and returns the new balance. */
  async faucet(deposit: Deposit): Promise<string> {
    return (await this.#control.post<{ readonly balance: string }>('/faucet', deposit)).balance;
  }

  /** Adds a user with a key that has all permissions, and these balances in the TRADE account. */
  async newUser(name: string, balances: Readonly<Record<string, string>> = {}): Promise<User> {
    const user = await this.#control.post<User>('/users', { name, balances });
    this.#users.set(name, user);
    return user;
  }

  /** The most recent matching requests, newest last. */
  requests(filter: RequestFilter = {}): Promise<readonly RequestEntry[]> {
    return this.#control.get('/requests', { ...filter });
  }

  /** A user's report from the log: orders, fills, fees, PnL, inventory, slippage, rejections, rate limits. */
  report(user: string, options: ReportOptions = {}): Promise<Report> {
    return this.#control.get('/report', { user, ...options });
  }

  /** Returns the event, or throws `ExpectationFailed` with the closest one. */
  expect(event: ExpectedEvent, options: ExpectOptions = {}): Promise<WatchedEvent> {
    return expectEvent(this.#control, event, options);
  }

  /** Forks a second exchange from here, or from a snapshot. It stops with its own `stop()` or with this one. */
  async fork(options: ForkOptions = {}): Promise<Exchange> {
    const { id, ...connection } = await this.#control.post<Connection & { readonly id: string }>(
      '/forks',
      options,
    );
    const users = [
      ...new Map([...connection.users, ...this.users].map((user) => [user.name, user])).values(),
    ];
    return new Exchange({ ...connection, users }, async () => {
      if (this.#stopped) await this.#stopped;
      else await this.#control.delete(`/forks/${encodeURIComponent(id)}`);
    });
  }

  /** Resolves when everything is cleaned up. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }
}

const WITHIN_MS = 5000;

/** The expected event did not arrive in time. */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  /** Events of the kind that arrived, best match first. */
  readonly closest: readonly WatchedEvent[];

  constructor(message: string, closest: readonly WatchedEvent[]) {
    super(message);
    this.closest = closest;
  }
}

type Met =
  | { readonly met: true; readonly event: WatchedEvent }
  | { readonly met: false; readonly closest: readonly WatchedEvent[] };

/** Waiting for an event, and the error if it does not arrive. */
async function expectEvent(
  control: Control,
  event: ExpectedEvent,
  { withinMs = WITHIN_MS, clock = 'wall', from }: ExpectOptions,
): Promise<WatchedEvent> {
  const met = await control.post<Met>('/expect', { event, withinMs, clock, from });
  if (met.met) return met.event;
  const { kind, where = {} } = event;
  const [nearest] = met.closest;
  throw new ExpectationFailed(
    `No ${kind} with ${JSON.stringify(where)} within ${withinMs} ms; ` +
      (nearest === undefined ? `no ${kind} at all.` : `closest: ${JSON.stringify(nearest)}.`),
    met.closest,
  );
}

/** ccxt has an address for each part of KuCoin's API. An omitted one would be KuCoin's own. */
export const CCXT_ADDRESSES = [
  'public',
  'private',
  'futuresPublic',
  'futuresPrivate',
  'webExchange',
  'broker',
  'earn',
  'uta',
  'utaV2',
  'utaPrivate',
] as const;

/** The options that make `new ccxt.kucoin(options)` trade here. */
export interface CcxtOptions {
  readonly apiKey: string;
  readonly secret: string;
  readonly password: string;
  readonly urls: { readonly api: Readonly<Record<string, string>> };
  /** ccxt.pro opens no websocket without TLS unless it has an agent. */
  readonly httpAgent: Agent;
}

function ccxtOptions(compatUrl: string, { apiKey, apiSecret, apiPassphrase }: User): CcxtOptions {
  return {
    apiKey,
    secret: apiSecret,
    password: apiPassphrase,
    urls: { api: Object.fromEntries(CCXT_ADDRESSES.map((part) => [part, compatUrl])) },
    httpAgent: new Agent(),
  };
}

// The same methods for an exchange that runs in another process, such as `bourse start --config-out FILE`.

/** `stop()` does nothing here: the exchange belongs to whoever started it. */
export function connect(connection: Connection): Exchange {
  if (connection.sandboxUrl === undefined) {
    throw new Error(
      'The connection has no sandboxUrl. Venues, clusters and services behind a proxy have no control API.',
    );
  }
  return new Exchange(connection, async () => undefined);
}

/** Starts an exchange on a free port and in a temporary directory. */

const NODE_MAJOR_MIN = 24;

/** In this process or, on an older Node, in a child process with the Node in this package. */
export async function startExchange(options: StartOptions = {}): Promise<Exchange> {
  const { connection, close } = await start(options);
  return new Exchange(connection, close);
}

/** Both are loaded lazily: an older Node cannot load the exchange. */
async function start(options: StartOptions) {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    return (await import('./beside.ts')).startBeside(options);
  }
  return (await import('./in-process.ts')).startInProcess(options);
}
