/** A sandbox's exchange without a server, log or disk: commands go directly to the core, and the test sets the time. */

import { type Command, Exchange } from '@bourse/core';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { type CommandResult, type ExchangePort, PublishedRecord } from '../../../engine/src/exchange-port.ts';
import { seedCommands } from '../../../sandbox/src/seed.ts';

/** 2026-01-01. */
const START_MS = 1_767_225_600_000;

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
