/** Named operators by token hash, in a synchronous view, because every request needs it. */

import type { Exchange, Operator } from '@bourse/core';
import type { Clock, ExchangePort } from '@bourse/engine';

export class OperatorBook {
  readonly #clock: Clock;
  #byToken: ReadonlyMap<string, Operator> = new Map();
  #byLogin: ReadonlyMap<string, Operator> = new Map();
  #isRootClosed = false;

  private constructor(clock: Clock, exchange: Exchange) {
    this.#clock = clock;
    this.#take(exchange);
  }

  /** Reads the current state, then follows every record. */
  static follow(port: ExchangePort, clock: Clock): Promise<OperatorBook> {
    return port.read((exchange) => {
      const book = new OperatorBook(clock, exchange);
      port.subscribe(({ marketEvents }, now) => {
        for (let at = 0; at < marketEvents.length; at++) {
          if (marketEvents[at].kind === 'operators-changed') book.#take(now);
        }
      });
      return book;
    });
  }

  get isRootClosed(): boolean {
    return this.#isRootClosed;
  }

  /** `token`: its SHA-256 in hex. */
  ofToken(token: string): Operator | undefined {
    return this.#usable(this.#byToken.get(token));
  }

  /** `login`: that of the signed-in person. */
  ofLogin(login: string): Operator | undefined {
    return this.#usable(this.#byLogin.get(login));
  }

  #usable(found: Operator | undefined): Operator | undefined {
    return found && found.usableFrom <= this.#clock.now() ? found : undefined;
  }

  #take({ reference: { operators } }: Exchange): void {
    const all = operators.list();
    this.#byToken = new Map(all.map((each) => [each.token, each]));
    this.#byLogin = new Map(all.filter(({ login }) => login !== '').map((each) => [each.login, each]));
    this.#isRootClosed = operators.isRootClosed;
  }
}
