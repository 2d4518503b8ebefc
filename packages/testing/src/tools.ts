/** The control interface in groups, one method for each call. */

import type { Control } from './control.ts';
import type {
  Assertion,
  ClockState,
  Fault,
  FaultRule,
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

  /** `speed` only of a scaled clock. Time goes on from where it is. */
  set(mode: ClockState['mode'], speed?: number): Promise<ClockState> {
    return this.control.post('/clock', { mode, speed });
  }

  /** Everything due in between has happened when it answers. Only of a manual clock. */
  advance(ms: number): Promise<Position> {
    return this.control.post('/clock/advance', { ms });
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

  /** Beside those that play in other symbols. */
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

  /** Everything is as it was; sockets are closed with 1012. */
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

  /** All of them, those of scenarios too. */
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
  /** Checked at every event from now on: what `always` says must hold, what `never` says must not come. */
  add(name: string, rule: Rule): Promise<Assertion> {
    return this.control.post('/assertions', { name, ...rule });
  }

  list(): Promise<readonly Assertion[]> {
    return this.control.get('/assertions');
  }

  async remove(name: string): Promise<void> {
    await this.control.delete(named('/assertions', name));
  }

  /** Throws unless all hold; the error says which was broken by what. */
  async verify(): Promise<void> {
    const broken = (await this.list()).filter(({ holds }) => !holds);
    if (broken.length === 0) return;
    throw new Error(
      broken.map(({ name, brokenBy }) => `'${name}' was broken by ${JSON.stringify(brokenBy)}`).join('\n'),
    );
  }
}
