/** Withdrawals: `processing` while the money is held, then `sent`, `failed` or `cancelled`, remembered for ever. */

import type { WithdrawalSet } from '../events.ts';

export type Withdrawal = Omit<WithdrawalSet, 'kind'>;

export class Withdrawals {
  private readonly byId = new Map<number, Withdrawal>();

  get(id: number): Withdrawal | null {
    return this.byId.get(id) ?? null;
  }

  set(withdrawal: Withdrawal): void {
    this.byId.set(withdrawal.withdrawal, withdrawal);
  }

  list(): Withdrawal[] {
    return [...this.byId.values()].toSorted((a, b) => a.withdrawal - b.withdrawal);
  }
}
