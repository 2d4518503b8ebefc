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
  /** The pending ones, by master: a bounded number, however many are kept. */
  readonly #open = new Map<number, Set<number>>();
  readonly #masterOf: (user: number) => number;

  constructor(masterOf: (user: number) => number) {
    this.#masterOf = masterOf;
  }

  /** The number of pending ones of the user's master and its sub-accounts. */
  openOf(user: number): number {
    return this.#open.get(this.#masterOf(user))?.size ?? 0;
  }

  /** The user's own pending ones, ascending by id. */
  listOpenOf(user: number): Withdrawal[] {
    const ids = this.#open.get(this.#masterOf(user)) ?? [];
    const own = Array.from(ids, (id) => this.#byId.get(id) as Withdrawal).filter(
      (each) => each.user === user,
    );
    return own.toSorted((a, b) => a.withdrawal - b.withdrawal);
  }

  get(id: number): Withdrawal | null {
    return this.#byId.get(id) ?? null;
  }

  set(withdrawal: Withdrawal): void {
    const { withdrawal: id, user } = withdrawal;
    const master = this.#masterOf(user);
    const open = this.#open.get(master) ?? new Set();
    if (isOpen(withdrawal)) this.#open.set(master, open.add(id));
    else if (open.delete(id) && open.size === 0) this.#open.delete(master);
    this.#byId.set(id, withdrawal);
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
