/** An exchange as the agents of a sandbox see it: nobody outside waits for their commands, nor sees what they read. */

import type { Command } from '@bourse/core';
import type { EngineHealth, ExchangePort, Sender, Waiter } from './exchange-port.ts';

export class LazyPort implements ExchangePort {
  readonly read: ExchangePort['read'];
  readonly #port: ExchangePort;

  constructor(port: ExchangePort, read: ExchangePort['read']) {
    this.#port = port;
    this.read = read;
  }

  send(command: Command, { answered, failed }: Waiter, sender: Sender): void {
    this.#port.send(command, { answered, failed, isLazy: true }, sender);
  }

  subscribe(listener: Parameters<ExchangePort['subscribe']>[0]): () => void {
    return this.#port.subscribe(listener);
  }

  historyCaughtUp(): Promise<void> {
    return this.#port.historyCaughtUp();
  }

  get health(): EngineHealth {
    return this.#port.health;
  }

  acceptClock(): void {
    this.#port.acceptClock();
  }

  get aheadMs(): number {
    return this.#port.aheadMs;
  }
}
