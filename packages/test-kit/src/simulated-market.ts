/**
 * A sandbox without server, log or disk: its market, the agents against the core as fast as both can, and
 * its exchange, where commands go directly to the core and the test sets the time.
 */

import { type Applied, type Command, Exchange, type LogRecord } from '@bourse/core';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { type CommandResult, type ExchangePort, PublishedRecord } from '../../engine/src/exchange-port.ts';
import { agentCommands, fundingCommands } from '../../sandbox/src/market/agents.ts';
import { beginning, currenciesOf } from '../../sandbox/src/market/beginning.ts';
import {
  MARKET_NOTE,
  nextStepAt,
  readState,
  type SimulationState,
  writeState,
} from '../../sandbox/src/market/market-state.ts';
import type { PresetName } from '../../sandbox/src/market/presets.ts';
import { stepCommands } from '../../sandbox/src/market/step.ts';
import { Surroundings } from '../../sandbox/src/market/symbol.ts';
import { NUMERAIRE } from '../../sandbox/src/market/values.ts';
import { SYMBOLS } from '../../sandbox/src/reference-data.ts';
import { seedCommands } from '../../sandbox/src/seed.ts';

/** 2026-01-01. */
export const START_MS = 1_767_225_600_000;

const ALL = SYMBOLS.map(({ code }) => code);

export class SimulatedMarket {
  exchange = new Exchange();
  time = START_MS;
  commands = 0;
  /** All applied records, only on request: a day has many. */
  readonly records: LogRecord[] = [];
  readonly #isRecorded: boolean;
  #surroundings = new Surroundings(this.exchange);

  constructor(preset: PresetName, seed: number, { isRecorded = false, symbols = ALL } = {}) {
    this.#isRecorded = isRecorded;
    this.apply(seedCommands((apiSecret) => apiSecret));
    this.apply(agentCommands(this.exchange));
    this.apply(fundingCommands(this.exchange, [NUMERAIRE, ...currenciesOf(this.exchange, symbols)]));
    this.remember(beginning(this.exchange, { preset, seed, symbols }, this.time, null));
  }

  get state(): SimulationState {
    return readState(this.exchange.reference) as SimulationState;
  }

  /** When the next step is due. */
  get nextAt(): number {
    return nextStepAt(this.exchange.reference.note(MARKET_NOTE));
  }

  remember(state: SimulationState): void {
    this.apply(writeState(state));
  }

  apply(commands: readonly Command[]): Applied {
    this.commands += commands.length;
    const record = { seq: this.exchange.seq + 1, time: this.time, commands };
    if (this.#isRecorded) this.records.push(record);
    return this.exchange.apply(record);
  }

  /** Goes to the next step and takes it. */
  step(): { readonly commands: readonly Command[]; readonly applied: Applied } {
    this.time = this.nextAt;
    const commands = stepCommands(this.#surroundings, this.time);
    return { commands, applied: this.apply(commands) };
  }

  /** Like a restart from a snapshot: keeps only its bytes. */
  restart(): void {
    this.exchange = Exchange.restore(this.exchange.snapshot());
    this.#surroundings = new Surroundings(this.exchange);
  }
}

export interface MemoryPort extends ExchangePort {
  readonly exchange: Exchange;
  readonly clock: ManualClock;
  /** Like a request; throws rejections. */
  execute(command: Command): Promise<void>;
}

export function memoryPort(): MemoryPort {
  const exchange = new Exchange();
  const clock = new ManualClock(START_MS);
  const listeners = new Set<Parameters<ExchangePort['subscribe']>[0]>();
  const apply = (command: Command): CommandResult => {
    const { seq } = exchange;
    const applied = exchange.apply({ seq: seq + 1, time: clock.now(), commands: [command] });
    const [outcome] = applied.outcomes.decode();
    for (const listener of listeners) listener(new PublishedRecord(exchange, applied), exchange);
    return { outcome, seq: exchange.seq, time: exchange.time };
  };
  for (const command of seedCommands((apiSecret) => apiSecret)) apply(command);
  return {
    exchange,
    clock,
    aheadMs: 0,
    acceptClock: () => undefined,
    health: { state: 'open', seq: 0, waiting: 0, historyLag: 0, snapshotSeq: 0 },
    send: (command, waiter) =>
      queueMicrotask(() => {
        let answer: CommandResult;
        try {
          answer = apply(command);
        } catch (error) {
          waiter.failed(error as Error);
          return;
        }
        waiter.answered(answer);
      }),
    read: (query) => Promise.resolve().then(() => query(exchange)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    historyCaughtUp: async () => undefined,
    async execute(command) {
      const { outcome } = apply(command);
      if (outcome.kind === 'rejected') throw new Error(`refused: ${outcome.rejection.code}`);
    },
  };
}
