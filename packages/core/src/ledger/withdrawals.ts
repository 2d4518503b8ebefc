/**
 * Withdrawals: `processing` while the money is held and the user may cancel, `paying` while claimed, then `sent`, `failed`
 * or `cancelled`, and kept for a while.
 */

import type { WithdrawalSet } from '../events/events.ts';

export type Withdrawal = Omit<WithdrawalSet, 'kind'>;

/** Whether its money is still held. */
export const isOpen = ({ state }: Withdrawal): boolean => state === 'processing' || state === 'paying';

export class Withdrawals {
  readonly #byId = new Map<number, Withdrawal>();
  /** The number of pending ones, by master. */
  readonly #open = new Map<number, number>();
  readonly #masterOf: (user: number) => number;

  constructor(masterOf: (user: number) => number) {
    this.#masterOf = masterOf;
  }

  /** The number of pending ones of the user's master and its sub-accounts. */
  openOf(user: number): number {
    return this.#open.get(this.#masterOf(user)) ?? 0;
  }

  get(id: number): Withdrawal | null {
    return this.#byId.get(id) ?? null;
  }

  set(withdrawal: Withdrawal): void {
    const before = this.#byId.get(withdrawal.withdrawal);
    const opened = Number(isOpen(withdrawal)) - Number(before !== undefined && isOpen(before));
    if (opened !== 0) {
      const master = this.#masterOf(withdrawal.user);
      this.#open.set(master, (this.#open.get(master) ?? 0) + opened);
    }
    this.#byId.set(withdrawal.withdrawal, withdrawal);
  }

  /** Removes it and returns its user. */
  forget(id: number): number {
    const { user } = this.#byId.get(id) as Withdrawal;
    this.#byId.delete(id);
    return user;
  }

  list(): Withdrawal[] {
    return [...this.#byId.values()].toSorted((a, b) => a.withdrawal - b.withdrawal);
  }
}
