/** A running exchange as a test has it: where it is, who trades there, and all that can be done to it. */

import { BourseClient } from '@bourse/client';
import { type CcxtOptions, ccxtOptions } from './ccxt-options.ts';
import { Control } from './control.ts';
import { expectEvent } from './expectation.ts';
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
  User,
  WatchedEvent,
} from './types.ts';

export class Exchange {
  /** What `bourse start --config-out` would write: addresses, keys, and the settings of the start. */
  readonly connection: Connection;
  /** Of the literal dialect. */
  readonly baseUrl: string;
  /** Of the family dialect, which ccxt and our client speak. */
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

  /** Those of the start, and those made by `newUser`. */
  get users(): readonly User[] {
    return [...this.#users.values()];
  }

  user(name: string): User {
    const user = this.#users.get(name);
    if (user) return user;
    throw new Error(
      `There is no user '${name}'. There are ${[...this.#users.keys()].join(', ')}; newUser makes more.`,
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

  /** Of the last record in the log: `from` of an expectation. */
  async seq(): Promise<number> {
    return (await this.overview()).seq;
  }

  /** Gives a user money, and answers what the account has then. */
  async faucet(deposit: Deposit): Promise<string> {
    return (await this.#control.post<{ readonly balance: string }>('/faucet', deposit)).balance;
  }

  /** With a key that may do everything, and these balances in the TRADE account. */
  async newUser(name: string, balances: Readonly<Record<string, string>> = {}): Promise<User> {
    const user = await this.#control.post<User>('/users', { name, balances });
    this.#users.set(name, user);
    return user;
  }

  /** The last requests that fit, newest last. */
  requests(filter: RequestFilter = {}): Promise<readonly RequestEntry[]> {
    return this.#control.get('/requests', { ...filter });
  }

  /** What a user did, from the log: orders, fills, fees, PnL, inventory, slippage, refusals, rate limits. */
  report(user: string, options: ReportOptions = {}): Promise<Report> {
    return this.#control.get('/report', { user, ...options });
  }

  /** The event, or an `ExpectationFailed` with what came closest. */
  expect(event: ExpectedEvent, options: ExpectOptions = {}): Promise<WatchedEvent> {
    return expectEvent(this.#control, event, options);
  }

  /** A second exchange that goes on from here, or from a snapshot. Its `stop()` ends it; it ends with this one at the latest. */
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

  /** Answers when nothing of it is left. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }
}
