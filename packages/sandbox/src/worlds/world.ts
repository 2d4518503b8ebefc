/**
 * A world is an exchange with all state around it: engine, views, feed, gateway and clock. A sandbox has one at a
 * time; restoring a snapshot creates another world at the same address.
 */

import type { Dialect, Route, Services, Throttle, ThrottleState, TickerMark } from '@bourse/api';
import type { Engine } from '@bourse/engine';
import type { LivingMarket } from '../market/living-market.ts';
import type { ClockState, SandboxClock } from '../clock/sandbox-clock.ts';

/** The state of a world that is not in its data directory. */
export interface WorldState {
  readonly clock: ClockState;
  readonly throttle: ThrottleState;
  /** When each symbol's ticker last changed. */
  readonly tickerTimes: readonly TickerMark[];
}

/** A route as one dialect has it, with its mount. */
export interface WorldRoute extends Pick<Route, 'id' | 'path' | 'method' | 'pool'> {
  readonly dialect: Dialect['name'];
  /** Whether its requests may name a symbol. */
  readonly namesSymbol: boolean;
}

export interface World {
  readonly dir: string;
  readonly clock: SandboxClock;
  readonly engine: Engine;
  readonly services: Services;
  readonly throttle: Throttle;
  readonly routes: readonly WorldRoute[];
  readonly living: LivingMarket;
  /** HTTP requests in flight. */
  readonly inFlight: number;
  /** Copies all of its durable state into a directory that does not exist yet. */
  copyTo(dir: string): Promise<{ readonly seq: number; readonly state: WorldState }>;
  /** Gives a copy of the log through `seq` its own origin, which names the log that the records are from. */
  nameCopy(dir: string, seq: number): Promise<void>;
  /** Routes requests to this world. */
  serve(): void;
  /** Closes at once: pending requests fail, sockets are closed with 1012. Resolves when its memory is released. */
  discard(why: string): Promise<void>;
}

export const worldStateOf = ({ clock, throttle, services }: World): WorldState => ({
  clock: clock.state,
  throttle: throttle.state,
  tickerTimes: services.market.marks,
});

/** A fork: a separate exchange at another address. */
export interface ForkOptions {
  readonly id: string;
  readonly dir: string;
  readonly state: WorldState;
  /** The settings of the start; default: those of the origin. */
  readonly market?: string;
  readonly seed?: number;
  readonly clock?: string;
  readonly port?: number;
}

export interface RunningFork {
  /** The content of a connection file. */
  readonly connection: object;
  close(): Promise<void>;
}

/** Creates worlds. */
export interface WorldOpener {
  /** Ready, but not served yet. */
  open(dir: string, state: WorldState): Promise<World>;
  fork(options: ForkOptions): Promise<RunningFork>;
}
