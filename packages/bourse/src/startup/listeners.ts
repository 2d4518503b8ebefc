/** The service's listeners: public and, on a venue, for operators. */

import { type Gateway, HttpListener } from '@bourse/api';
import type { Clock } from '@bourse/engine';
import { operatorListenAddress } from '../config/operator-listen.ts';
import type { Settings } from '../config/settings.ts';

/** The operators' listener could not be opened; a setting other than `port` determines it. */
export class OperatorListenFailed extends Error {
  override readonly name = 'OperatorListenFailed';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? '';
  }
}

export interface Addresses {
  /** Such as http://127.0.0.1:8080. */
  readonly address: string;
  /** The same, if operators have no separate listener. */
  readonly operatorAddress: string;
}

export class Listeners {
  readonly front: HttpListener;
  readonly operators: HttpListener | undefined;
  readonly #settings: Settings;
  readonly #clock: Clock;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.front = new HttpListener(settings, clock);
    if (operatorListenAddress(settings)) this.operators = new HttpListener(settings, clock);
  }

  /** Operators first: when the public port responds, the exchange can be operated. */
  async open(gateway: Gateway): Promise<Addresses> {
    const { host, port } = this.#settings;
    this.front.serve(gateway);
    if (this.operators === undefined) {
      const address = await this.front.listen({ host, port });
      return { address, operatorAddress: address };
    }
    this.operators.serve(gateway.operatorServing);
    let operatorAddress: string;
    try {
      operatorAddress = await this.operators.listen(operatorListenAddress(this.#settings)!);
    } catch (error) {
      throw new OperatorListenFailed(error as NodeJS.ErrnoException);
    }
    try {
      return { address: await this.front.listen({ host, port }), operatorAddress };
    } catch (error) {
      await this.operators.close(this.#clock, async () => undefined);
      throw error;
    }
  }

  /** Lets pending requests finish, then ends all connections. */
  async close(gateway: Gateway): Promise<void> {
    const closed = gateway.close();
    await Promise.all([this.front, this.operators].map((each) => each?.close(this.#clock, () => closed)));
  }
}
