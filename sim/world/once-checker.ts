/** Promise 9: one effect per request with an idempotency key and one order per client id, whatever is resent. */

import type { LogRecord, Outcome, OrdersOutcome } from '@bourse/core';
import { violated } from '../checkers/violation.ts';

interface Placed {
  readonly user: number;
  readonly clientId?: string | undefined;
}

export class OnceChecker {
  readonly #untilById = new Map<string, number>();
  readonly #placedAt = new Map<string, number>();
  /** The shortest window ever in force: within it a client id cannot have become free. */
  #windowMs = Number.POSITIVE_INFINITY;

  afterRecord({ time, commands }: LogRecord, outcomes: readonly Outcome[]): void {
    commands.forEach((command, at) => {
      const outcome = outcomes[at] as Outcome;
      if (outcome.kind === 'rejected' || outcome.kind === 'waits') return;
      if (command.once !== undefined) this.#once(command.once, time);
      if (command.kind === 'set-limits')
        this.#windowMs = Math.min(this.#windowMs, command.lookupWindowMs ?? 0);
      if (command.kind === 'place-order') this.#place(command, time);
      if (command.kind !== 'place-orders' || outcome.kind === 'unfinished') return;
      (outcome as OrdersOutcome).outcomes.forEach(({ kind }, index) => {
        const order = command.orders[index];
        if (kind === 'order') this.#place({ user: command.user, clientId: order?.clientId }, time);
      });
    });
  }

  #once({ id, until }: { id: string; until: number }, time: number): void {
    const before = this.#untilById.get(id);
    if (before !== undefined && time <= before) violated('one effect per request', { id, time });
    this.#untilById.set(id, until);
  }

  #place({ user, clientId }: Placed, time: number): void {
    if (clientId === undefined || clientId === '') return;
    const key = `${user} ${clientId}`;
    const before = this.#placedAt.get(key);
    if (before !== undefined && time - before < this.#windowMs) {
      violated('one order per client id', { user, clientId, before, time });
    }
    this.#placedAt.set(key, time);
  }
}
