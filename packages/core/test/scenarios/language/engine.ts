import type { Event, LogRecord, Outcome } from '../../../src/index.ts';
import type { State } from './state.ts';

/** All that a scenario needs of an exchange. */
export interface Engine {
  apply(record: LogRecord): { readonly outcomes: readonly Outcome[]; readonly events: readonly Event[] };
  /** Compares what the engine answers when asked with what its events said; throws where they differ. */
  verify?(state: State): void;
}

export type EngineFactory = () => Engine;
