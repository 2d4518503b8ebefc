/**
 * The result of a route while its command is in flight. It replaces a promise at the cost of one
 * object: the outcome is passed directly to the pending request.
 */

import type { Command } from '@bourse/core';
import type { CommandResult, ExchangePort, Sender, Waiter } from '@bourse/engine';

/** A request that waits for the result of its route. */
export interface Awaiting {
  succeed(data: unknown): void;
  refuse(error: unknown): void;
}

export class SentCommand implements Waiter {
  readonly #show: (answer: CommandResult) => unknown;
  #awaiting: Awaiting | undefined;

  /** Throws refusals, like `show`, which converts the outcome into the route's result: data, or a promise of it. */
  constructor(
    port: Pick<ExchangePort, 'send'>,
    command: Command,
    sender: Sender,
    show: (answer: CommandResult) => unknown,
  ) {
    this.#show = show;
    port.send(command, this, sender);
  }

  /** Call it before the port can respond: in the event loop iteration in which the route returned this. */
  giveTo(awaiting: Awaiting): void {
    this.#awaiting = awaiting;
  }

  answered(answer: CommandResult): void {
    const awaiting = this.#awaiting!;
    let given: unknown;
    try {
      given = this.#show(answer);
    } catch (error) {
      awaiting.refuse(error);
      return;
    }
    settle(given, awaiting);
  }

  failed(error: Error): void {
    this.#awaiting!.refuse(error);
  }
}

/** Passes the result of a route to the request: at once, or when it resolves. */
export function settle(given: unknown, awaiting: Awaiting): void {
  if (given instanceof SentCommand) given.giveTo(awaiting);
  else if (given instanceof Promise) {
    given.then(
      (data: unknown) => awaiting.succeed(data),
      (error: unknown) => awaiting.refuse(error),
    );
  } else awaiting.succeed(given);
}

/** The same as a promise. */
export function settled(given: unknown): Promise<unknown> {
  return new Promise((succeed, refuse) => settle(given, { succeed, refuse }));
}
