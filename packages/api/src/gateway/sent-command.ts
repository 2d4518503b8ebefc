/**
 * What a route gives while its command is on its way. It is to a request what a promise would be, at the cost of one
 * object: what becomes of the command is handed straight to the request that waits for it.
 */

import type { Command } from '@bourse/core';
import type { Answer, ExchangePort, Sender, Waiter } from '@bourse/engine';

/** A request that waits for what its route gives. */
export interface Awaiting {
  succeed(data: unknown): void;
  refuse(error: unknown): void;
}

export class SentCommand implements Waiter {
  readonly #show: (answer: Answer) => unknown;
  #awaiting: Awaiting | undefined;

  /** Refuses by throwing, like `show`, which makes of the answer what the route gives: data, or a promise of it. */
  constructor(
    port: Pick<ExchangePort, 'send'>,
    command: Command,
    sender: Sender,
    show: (answer: Answer) => unknown,
  ) {
    this.#show = show;
    port.send(command, this, sender);
  }

  /** To be called before the port can have an answer: in the turn in which the route gave this. */
  giveTo(awaiting: Awaiting): void {
    this.#awaiting = awaiting;
  }

  answered(answer: Answer): void {
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

/** Hands whatever a route gave to the request: at once, or when it is there. */
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
