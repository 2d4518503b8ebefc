/** An exchange port that forwards every call to another one; base class for ports that change some of them. */

import type { Command, Exchange } from '@bourse/core';
import type { EngineHealth, ExchangePort, Sender, Waiter } from './exchange-port.ts';

export class ForwardingPort implements ExchangePort {
  readonly #port: ExchangePort;

  constructor(port: ExchangePort) {
    this.#port = port;
  }

  send(command: Command, waiter: Waiter, sender: Sender): void {
    this.#port.send(command, waiter, sender);
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#port.read(query);
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

/** The exchange as a sandbox's agents see it: no client waits for their commands, or sees what they read. */
export class LazyPort extends ForwardingPort {
  readonly #read: ExchangePort['read'];

  constructor(port: ExchangePort, read: ExchangePort['read']) {
    super(port);
    this.#read = read;
  }

  override send(command: Command, { answered, failed }: Waiter, sender: Sender): void {
    super.send(command, { answered, failed, isLazy: true }, sender);
  }

  override read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#read(query);
  }
}
