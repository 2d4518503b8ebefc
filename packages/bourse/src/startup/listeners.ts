/** The service's listeners: public and, on a venue, for operators. */

import { type Certificate, type Gateway, HttpListener } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import type { Clock, ListenAddress } from '@bourse/engine';
import { operatorListenAddress } from '../config/operator-listen.ts';
import type { Settings } from '../config/settings.ts';
import { followCertificate } from './certificate.ts';

/** The operators' listener could not be opened; a setting other than `port` determines it. */
export class OperatorListenFailed extends Error {
  override readonly name = 'OperatorListenFailed';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? '';
  }
}

export interface ListenAddresses {
  /** Such as http://127.0.0.1:8080, or with https. */
  readonly address: string;
  /** The same, if operators have no separate listener. */
  readonly operatorAddress: string;
}

/** Then no certificate of a public name fits its address, and nobody else can listen in. */
const isOfThisMachine = (address: ListenAddress): boolean =>
  'path' in address || /^(localhost|127\..*|::1)$/.test(address.host);

export class Listeners {
  readonly front: HttpListener;
  readonly operators: HttpListener | undefined;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #leaveCertificate: () => void;

  constructor(settings: Settings, clock: Clock, log: GatewayLog, certificate?: Certificate) {
    this.#settings = settings;
    this.#clock = clock;
    const { trustedProxies } = settings;
    this.front = new HttpListener(settings, clock, { certificate, trustedProxies });
    const secured = [this.front];
    const operators = operatorListenAddress(settings);
    if (operators && isOfThisMachine(operators))
      this.operators = new HttpListener(settings, clock, { trustedProxies });
    else if (operators)
      secured.push((this.operators = new HttpListener(settings, clock, { certificate, trustedProxies })));
    this.#leaveCertificate = followCertificate(settings, secured, clock, log, certificate);
  }

  /** Operators first: when the public port responds, the exchange can be operated. */
  async open(gateway: Gateway): Promise<ListenAddresses> {
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
    this.#leaveCertificate();
    const closed = gateway.close();
    await Promise.all([this.front, this.operators].map((each) => each?.close(this.#clock, () => closed)));
  }
}
