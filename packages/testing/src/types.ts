/** Options of a start, and parameters and results of the control API. Times and durations are milliseconds of exchange time. */

export type MarketPreset = 'calm' | 'busy' | 'thin' | 'wild' | 'one-sided' | 'crash' | 'quiet';

export interface User {
  readonly name: string;
  readonly userId: string;
  /** The master's name, for a sub-account. */
  readonly parent: string | null;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly string[];
}

/** The connection file of a sandbox, as `bourse start --config-out` writes it. */
export interface Connection {
  readonly baseUrl: string;
  readonly compatUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly sandboxUrl: string;
  readonly users: readonly User[];
  readonly seed: number;
  readonly market: string;
  readonly clock: string;
}

export interface ClockState {
  readonly mode: 'real' | 'scaled' | 'manual';
  readonly speed: number;
  readonly time: number;
  /** The recent speed of a scaled clock: time waits for the agents. */
  readonly reached?: number;
}

export interface IdleOptions {
  /** Default 100. */
  readonly stepMs?: number;
  /** Wall time; default 50. */
  readonly quietMs?: number;
  /** Maximum exchange time; default ten minutes. */
  readonly maxMs?: number;
}

export interface Advanced extends Position {
  readonly advancedMs: number;
  /** False if requests still arrived after `maxMs`. */
  readonly isIdle: boolean;
}

export interface Fees {
  /** By name or id. */
  readonly user?: string;
  readonly symbol?: string;
  /** Decimals, such as 0.001. */
  readonly maker: string;
  readonly taker: string;
}

/** `userId` and `symbol` are null if the rule applies to all. */
export interface FeeRule {
  readonly userId: string | null;
  readonly symbol: string | null;
  readonly maker: string;
  readonly taker: string;
}

export interface Overview {
  readonly seed: number;
  readonly market: { readonly preset: string; readonly symbols: readonly string[] };
  readonly clock: ClockState;
  /** Sequence of the last record in the log. */
  readonly seq: number;
  readonly snapshots: number;
  readonly forks: number;
  readonly faults: number;
}

/** A position in the log. */
export interface Position {
  readonly seq: number;
  readonly time: number;
}

export interface Snapshot extends Position {
  readonly id: string;
  readonly name: string;
}

export interface ForkOptions {
  /** A snapshot's id or name, or a sequence of the log; default: now. */
  readonly from?: string | number;
  readonly market?: MarketPreset;
  readonly clock?: string;
  readonly seed?: number;
  readonly port?: number;
}

export interface MarketState {
  readonly preset: string;
  readonly seed: number;
  readonly symbols: readonly { readonly symbol: string; readonly value: string; readonly agents: number }[];
}

export interface MarketChange {
  readonly preset?: MarketPreset;
  readonly seed?: number;
  readonly symbols?: readonly string[];
}

export type Shock =
  | { readonly symbol: string; readonly factor: number }
  | { readonly currency: string; readonly factor: number };

export interface Replay {
  readonly symbol: string;
  /** Relative to the directory that `recordings` names. */
  readonly file: string;
  readonly speed?: number;
}

export interface ReplayState {
  readonly playing: boolean;
  /** Oldest first. */
  readonly replays?: readonly (Required<Replay> & { readonly events: number; readonly played: number })[];
  /** The first lines that could not be played, and their number; omitted if there are none. */
  readonly missed?: readonly {
    readonly symbol: string;
    readonly file: string;
    readonly line: number;
    readonly why: string;
  }[];
  readonly missedCount?: number;
  /** How many prices were dropped from recorded books, which keep 10,000 per side; omitted if none was. */
  readonly droppedCount?: number;
}

export interface FaultMatch {
  readonly user?: string;
  readonly apiKey?: string;
  readonly method?: string;
  /** The id of a route in the OpenAPI document, or a path with `*`. */
  readonly route?: string;
  readonly symbol?: string;
  readonly topic?: string;
  readonly dialect?: 'literal' | 'family';
}

/** `ms` is wall time, except for late-order, late-cancel and stale-read. */
export type FaultEffect =
  | { readonly kind: 'delay'; readonly ms: number; readonly before?: boolean }
  | { readonly kind: 'delay'; readonly minMs: number; readonly maxMs: number; readonly before?: boolean }
  | { readonly kind: 'error'; readonly code: string; readonly status?: number; readonly msg?: string }
  | { readonly kind: 'drop-request' | 'drop-reply' }
  | { readonly kind: 'html'; readonly status?: number }
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  | { readonly kind: 'late-order' | 'late-cancel' | 'stale-read' | 'feed-delay'; readonly ms: number }
  | { readonly kind: 'feed-drop' | 'feed-duplicate' | 'feed-reorder' | 'feed-no-pong' }
  | { readonly kind: 'feed-stall'; readonly ms?: number }
  | { readonly kind: 'feed-disconnect' | 'feed-refuse-token'; readonly code?: number };

export interface FaultRule {
  /** Omitted: everybody, and everything that the effect applies to. */
  readonly match?: FaultMatch;
  readonly effect: FaultEffect;
  readonly probability?: number;
  readonly after?: number;
  readonly every?: number;
  readonly times?: number;
  readonly seed?: number;
}

export interface Fault extends FaultRule {
  readonly id: string;
  /** How many requests or messages it was applied to. */
  readonly hits: number;
}

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly running: boolean;
  readonly rules: readonly FaultRule[];
}

export interface RequestFilter {
  readonly user?: string;
  readonly apiKey?: string;
  readonly route?: string;
  readonly status?: number;
  /** The id of the last known request. */
  readonly after?: number;
  /** Default 100, at most 1,000. */
  readonly limit?: number;
}

export interface RequestEntry extends Position {
  readonly id: number;
  readonly wallTime: number;
  readonly user: string | null;
  readonly apiKey: string | null;
  readonly dialect: 'literal' | 'family';
  readonly transport: 'http' | 'order-entry';
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** The status of the response, even of a lost one; 0 if there was none. */
  readonly status: number;
  readonly code: string | null;
  readonly answer: string;
  readonly durationUs: number;
  /** The id of the fault that was applied to this request. */
  readonly fault?: string;
  /** Only if the signature was rejected. */
  readonly signed?: { readonly expected: string };
}

/** A value that a field must have, or a condition on it. */
export type FieldCondition =
  | string
  | number
  | boolean
  | null
  | { readonly gte?: number | string; readonly lte?: number | string }
  | { readonly in: readonly (string | number)[] }
  | { readonly matches: string };

/** By field; all must match. */
export interface Where {
  readonly [field: string]: FieldCondition;
}

export interface ExpectedEvent {
  readonly kind: 'order' | 'fill' | 'trade' | 'balance' | 'request';
  readonly where?: Where;
}

export interface ExpectOptions {
  /** Default 5,000. */
  readonly withinMs?: number;
  /** The clock for `withinMs`. Default: the wall clock, so that waiting ends even while exchange time is paused. */
  readonly clock?: 'exchange' | 'wall';
  /** Includes events after this sequence; omitted: only events from now on. */
  readonly from?: number;
}

export type WatchedEvent = Position & Readonly<Record<string, unknown>> & { readonly kind: string };

export interface Check {
  readonly user?: string;
  readonly openOrdersMax?: number;
  readonly currency?: string;
  readonly balanceMin?: string;
  readonly balanceMax?: string;
  readonly request?: Where;
}

export interface Rule {
  readonly always?: Check;
  readonly never?: Check;
}

export interface Assertion extends Rule {
  readonly name: string;
  readonly holds: boolean;
  /** The first event that broke it. */
  readonly brokenBy: WatchedEvent | null;
}

export interface Deposit {
  readonly user: string;
  readonly currency: string;
  readonly amount: string;
  /** Default `main`. */
  readonly account?: 'main' | 'trade';
}

export interface StartOptions {
  /** Default `quiet`: empty books, so that only the test trades. */
  readonly market?: MarketPreset;
  /** Default `real`; or `manual`, or a speed such as `x10`. */
  readonly clock?: string;
  /** Default 1. */
  readonly seed?: number;
  /** Initial exchange time. */
  readonly time?: number;
  /** A directory with recorded markets. */
  readonly recordings?: string;
  /** Any other setting of the server by its name, such as `{ logLevel: 'warn' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}
