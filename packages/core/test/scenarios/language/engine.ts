import type { Event, LogRecord, Outcome } from '../../../src/index.ts';
import type { State } from './state.ts';

/** The part of an exchange that a scenario needs. */
export interface Engine {
  apply(record: LogRecord): { readonly outcomes: readonly Outcome[]; readonly events: readonly Event[] };
  /** Compares queries with events; throws if they differ. */
  verify?(state: State): void;
}

export type EngineFactory = () => Engine;
