/**
 * Bounds the bytes that one master with all its sub-accounts writes into the log per rate limit window: a number of
 * bytes for each unit of trading weight in the master's tier. Rate limits count requests, but a batch with long texts
 * costs a hundred times the bytes of a cancellation, and each sub-account has its own rate limit.
 *
 * Cancellations have a separate budget of the same size, so a user who has used up the first one can still cancel.
 */

import type { Command } from '@bourse/core';
import {
  type Clock,
  type ExchangePort,
  ForwardingPort,
  OPERATOR,
  type Sender,
  type Waiter,
} from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { Refusal } from '../errors/refusal.ts';
import { Pools, type Quotas } from './throttle.ts';

/** In addition to the command itself: the request id, and its share of the record. */
const ENVELOPE_BYTES = 32;

const ENDS: ReadonlySet<Command['kind']> = new Set<Command['kind']>([
  'cancel-order',
  'cancel-orders',
  'cancel-stop-order',
  'cancel-oco-order',
  'cancel-withdrawal',
  'reduce-order',
  'set-switch',
]);

export type LogQuotas = Pick<Quotas, 'windowMs' | 'spot' | 'tiers'> & {
  readonly logBytesPerWeight: number;
  /** The approximate size of a command in the log. */
  readonly bytesOf: (command: Command) => number;
};

export class LogBudget extends ForwardingPort {
  readonly #catalogue: Pick<Catalogue, 'user'>;
  readonly #quotas: LogQuotas;
  readonly #begun: Pools<number>;
  readonly #ended: Pools<number>;

  constructor(port: ExchangePort, catalogue: Pick<Catalogue, 'user'>, quotas: LogQuotas, clock: Clock) {
    super(port);
    this.#catalogue = catalogue;
    this.#quotas = quotas;
    // Uses the machine's time, because the disk fills in real time and a sandbox's clock may stand still.
    this.#begun = new Pools(quotas.windowMs, clock.machine);
    this.#ended = new Pools(quotas.windowMs, clock.machine);
  }

  override send(command: Command, waiter: Waiter, sender: Sender): void {
    if (sender !== OPERATOR) this.#spend(command, sender);
    super.send(command, waiter, sender);
  }

  #spend(command: Command, sender: number): void {
    const parent = this.#catalogue.user(sender)?.parent ?? OPERATOR;
    const master = parent === OPERATOR ? sender : parent;
    const { spot, tiers, logBytesPerWeight, bytesOf } = this.#quotas;
    const weight = tiers[this.#catalogue.user(master)?.tier ?? 0]?.spot ?? spot;
    const pools = ENDS.has(command.kind) ? this.#ended : this.#begun;
    const bytes = ENVELOPE_BYTES + bytesOf(command);
    const { allowed, limit, remaining, resetMs } = pools.spend(master, bytes, weight * logBytesPerWeight);
    if (allowed) return;
    throw new Refusal(
      'too-many-requests',
      `This takes ${bytes} bytes of the log; you and your sub-accounts have ${remaining} of ${limit} left, and all of ` +
        `them again in ${resetMs} ms. Orders can still be cancelled.`,
    );
  }
}
