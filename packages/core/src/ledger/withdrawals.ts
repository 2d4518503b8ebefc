/** Withdrawals: `processing` while the money is held, then `sent`, `failed` or `cancelled`, and remembered for a while. */

import type { WithdrawalSet } from '../events/events.ts';

export type Withdrawal = Omit<WithdrawalSet, 'kind'>;

export class Withdrawals {
  private readonly byId = new Map<number, Withdrawal>();

  get(id: number): Withdrawal | null {
    return this.byId.get(id) ?? null;
  }

  set(withdrawal: Withdrawal): void {
    this.byId.set(withdrawal.withdrawal, withdrawal);
  }

  /** Whose it was. */
  forget(id: number): number {
    const { user } = this.byId.get(id) as Withdrawal;
    this.byId.delete(id);
    return user;
  }

  list(): Withdrawal[] {
    return [...this.byId.values()].toSorted((a, b) => a.withdrawal - b.withdrawal);
  }
}
