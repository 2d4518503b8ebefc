/** The control API in groups, one method per call. */

import type { Control } from './control.ts';
import type {
  Advanced,
  Assertion,
  ClockState,
  Fault,
  FaultRule,
  FeeRule,
  Fees,
  IdleOptions,
  MarketChange,
  MarketState,
  Position,
  Replay,
  ReplayState,
  Rule,
  Scenario,
  Shock,
  Snapshot,
} from './types.ts';

/** The reason in the audit trail. */
const REASON = 'test';

const named = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`;
const idOf = (thing: string | { readonly id: string }): string =>
  typeof thing === 'string' ? thing : thing.id;

class Tool {
  protected readonly control: Control;

  constructor(control: Control) {
    this.control = control;
  }
}

export class ClockTool extends Tool {
  read(): Promise<ClockState> {
    return this.control.get('/clock');
  }

  /** `speed` only for a scaled clock. Time continues from where it is. */
  set(mode: ClockState['mode'], speed?: number): Promise<ClockState> {
    return this.control.post('/clock', { mode, speed });
  }

  /** Only for a manual clock. Resolves when everything due in between has happened. */
  advance(ms: number): Promise<Position> {
    return this.control.post('/clock/advance', { ms });
  }

  /**
   * Advances a manual clock in steps while the bot under test sends requests or has some in flight; ends after `quietMs` of
   * wall time without any.
   */
  advanceUntilIdle(options: IdleOptions = {}): Promise<Advanced> {
    return this.control.post('/clock/advance-until-idle', options);
  }
}

export class MarketTool extends Tool {
  read(): Promise<MarketState> {
    return this.control.get('/market');
  }

  set(change: MarketChange): Promise<MarketState> {
    return this.control.post('/market', change);
  }

  shock(shock: Shock): Promise<unknown> {
    return this.control.post('/market/shock', shock);
  }

  /** Recordings in other symbols keep playing. */
  startReplay(replay: Replay): Promise<ReplayState> {
    return this.control.post('/market/replay', replay);
  }

  replay(): Promise<ReplayState> {
    return this.control.get('/market/replay');
  }

  /** In one symbol, or in all of them. */
  stopReplay(symbol?: string): Promise<ReplayState> {
    const query = symbol === undefined ? '' : `?symbol=${encodeURIComponent(symbol)}`;
    return this.control.delete(`/market/replay${query}`);
  }
}

export class SnapshotTool extends Tool {
  take(name?: string): Promise<Snapshot> {
    return this.control.post('/snapshots', { name });
  }

  /** By id or name. Restores the complete state; sockets are closed with 1012. */
  restore(snapshot: string | Snapshot): Promise<Position> {
    return this.control.post(`${named('/snapshots', idOf(snapshot))}/restore`);
  }

  list(): Promise<readonly Snapshot[]> {
    return this.control.get('/snapshots');
  }

  async remove(snapshot: string | Snapshot): Promise<void> {
    await this.control.delete(named('/snapshots', idOf(snapshot)));
  }
}

/** The trading state of a symbol, as an operator sets it. */
export class SymbolTool extends Tool {
  /** Rejects every order and cancellation. */
  halt(symbol: string): Promise<unknown> {
    return this.#set(symbol, 'halted');
  }

  /** Rejects orders, accepts cancellations. */
  cancelOnly(symbol: string): Promise<unknown> {
    return this.#set(symbol, 'cancel-only');
  }

  open(symbol: string): Promise<unknown> {
    return this.#set(symbol, 'open');
  }

  #set(symbol: string, state: string): Promise<unknown> {
    return this.control.post(`${named('/v1/symbols', symbol)}/state`, { state, reason: REASON });
  }
}

/** Maker and taker rates. Open orders keep the rates they were placed with. */
export class FeeTool extends Tool {
  list(): Promise<readonly FeeRule[]> {
    return this.control.get('/v1/fees');
  }

  /** For a user, a symbol, both, or everybody; 0.001 is a tenth of a per cent. */
  set({ user: userId, ...fees }: Fees): Promise<readonly FeeRule[]> {
    return this.control.post('/v1/fees', { userId, ...fees, reason: REASON });
  }

  /** Removes the rule for exactly this user, symbol, both or neither. */
  remove({ user, symbol }: Pick<Fees, 'user' | 'symbol'> = {}): Promise<readonly FeeRule[]> {
    const query = new URLSearchParams({
      ...(user !== undefined && { userId: user }),
      ...(symbol !== undefined && { symbol }),
      reason: REASON,
    });
    return this.control.delete(`/v1/fees?${query}`);
  }
}

export class FaultTool extends Tool {
  add(rule: FaultRule): Promise<Fault> {
    return this.control.post('/faults', rule);
  }

  list(): Promise<readonly Fault[]> {
    return this.control.get('/faults');
  }

  async remove(fault: string | Fault): Promise<void> {
    await this.control.delete(named('/faults', idOf(fault)));
  }

  /** All faults, including those of scenarios. */
  async clear(): Promise<void> {
    await this.control.delete('/faults');
  }
}

export class ScenarioTool extends Tool {
  list(): Promise<readonly Scenario[]> {
    return this.control.get('/scenarios');
  }

  async start(name: string): Promise<void> {
    await this.control.post(named('/scenarios', name));
  }

  async end(name: string): Promise<void> {
    await this.control.delete(named('/scenarios', name));
  }
}

export class AssertionTool extends Tool {
  /** Checked at every event from now on: `always` must hold, `never` must not occur. */
  add(name: string, rule: Rule): Promise<Assertion> {
    return this.control.post('/assertions', { name, ...rule });
  }

  list(): Promise<readonly Assertion[]> {
    return this.control.get('/assertions');
  }

  async remove(name: string): Promise<void> {
    await this.control.delete(named('/assertions', name));
  }

  /** Throws unless all hold; the error names the event that broke each one. */
  async verify(): Promise<void> {
    const broken = (await this.list()).filter(({ holds }) => !holds);
    if (broken.length === 0) return;
    throw new Error(
      broken.map(({ name, brokenBy }) => `'${name}' was broken by ${JSON.stringify(brokenBy)}`).join('\n'),
    );
  }
}
