/**
 * Movements that are kept for a while: transfers, because their request may be sent again, and withdrawals. How long, and
 * how many, is bounded (`rememberMovement`, `forgetMovements`).
 */

import type { Users } from '../access/users.ts';
import type { Transfer } from '../commands/commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import type { WithdrawalSet } from '../events/events.ts';
import type { Limits } from '../reference/limits.ts';
import type { HashKey } from '../tables/index-table.ts';
import { DueHeap, Shares } from '../tables/ordered.ts';
import { pick } from '../values/checks.ts';

export interface TransferRecord {
  readonly id: number;
  readonly command: Transfer;
}

/** Completed transfers by the caller's client id: a replayed request moves nothing while it is kept. */
export class Transfers {
  readonly #byCaller = new Map<string, TransferRecord>();
  readonly #byId = new Map<number, TransferRecord>();

  find(user: number, clientId: string): TransferRecord | null {
    return this.#byCaller.get(transferKey(user, clientId)) ?? null;
  }

  add({ id, command }: TransferRecord): void {
    const made = { id, command: pick(command, FIELDS) };
    this.#byCaller.set(transferKey(command.user, command.clientId), made);
    this.#byId.set(id, made);
  }

  /** Null if there is none with this id. */
  userOf(id: number): number | null {
    return this.#byId.get(id)?.command.user ?? null;
  }

  /** Removes it and returns its user; null if there is none with this id. */
  forget(id: number): number | null {
    const made = this.#byId.get(id);
    if (made === undefined) return null;
    const { user, clientId } = made.command;
    this.#byId.delete(id);
    this.#byCaller.delete(transferKey(user, clientId));
    return user;
  }

  list(): TransferRecord[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }
}

const transferKey = (user: number, clientId: string) => `${user} ${clientId}`;

const FIELDS = [
  'kind',
  'user',
  'type',
  'clientId',
  'currency',
  'amount',
  'from',
  'to',
  'fromUser',
  'toUser',
] as const satisfies readonly (keyof Transfer)[];

export function isSameTransfer(a: Transfer, b: Transfer): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

export type Withdrawal = Omit<WithdrawalSet, 'kind'>;

/** Whether its money is still held. */
export const isOpen = ({ state }: Withdrawal): boolean => state === 'processing' || state === 'paying';

/**
 * Withdrawals: `processing` while the money is held and the user may cancel, `paying` while claimed, then `sent`, `failed`
 * or `cancelled`, and kept for a while.
 */
export class Withdrawals {
  readonly #byId = new Map<number, Withdrawal>();
  /** The pending ones, by user: a bounded number, however many are kept. */
  readonly #open = new Map<number, Set<number>>();
  /** Their number, by master. */
  readonly #openCounts = new Map<number, number>();
  readonly #masterOf: (user: number) => number;

  constructor(masterOf: (user: number) => number) {
    this.#masterOf = masterOf;
  }

  /** The number of pending ones of the user's master and its sub-accounts. */
  openOf(user: number): number {
    return this.#openCounts.get(this.#masterOf(user)) ?? 0;
  }

  /** The user's own pending ones, ascending by id. */
  listOpenOf(user: number): Withdrawal[] {
    const own = Array.from(this.#open.get(user) ?? [], (id) => this.#byId.get(id) as Withdrawal);
    return own.toSorted((a, b) => a.withdrawal - b.withdrawal);
  }

  get(id: number): Withdrawal | null {
    return this.#byId.get(id) ?? null;
  }

  set(withdrawal: Withdrawal): void {
    const { withdrawal: id, user } = withdrawal;
    const open = this.#open.get(user) ?? new Set();
    const before = open.size;
    if (isOpen(withdrawal)) this.#open.set(user, open.add(id));
    else if (open.delete(id) && open.size === 0) this.#open.delete(user);
    const count = this.openOf(user) + open.size - before;
    if (count > 0) this.#openCounts.set(this.#masterOf(user), count);
    else this.#openCounts.delete(this.#masterOf(user));
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

export interface RememberedMovement {
  readonly id: number;
  readonly since: number;
}

/**
 * The kept transfers and withdrawals that may be removed, with the start of their window: for a transfer when it was made, for a
 * withdrawal when it was settled.
 */
export class Movements {
  readonly #hashKey: HashKey;
  readonly #masterOf: (user: number) => number;
  readonly #since: DueHeap;
  /** Those that may be removed, by master. */
  readonly #ofMasters = new Map<number, DueHeap>();
  readonly shares: Shares;

  /** Sub-accounts count towards their master. */
  constructor(hashKey: HashKey, masterOf: (user: number) => number) {
    this.#hashKey = hashKey;
    this.#masterOf = masterOf;
    this.#since = new DueHeap(hashKey);
    this.shares = new Shares(hashKey);
  }

  /** Starts its window. */
  remember(user: number, id: number, since: number): void {
    const master = this.#masterOf(user);
    let own = this.#ofMasters.get(master);
    if (!own) {
      own = new DueHeap(this.#hashKey);
      this.#ofMasters.set(master, own);
    }
    this.#since.set(id, since);
    own.set(id, since);
    this.shares.add(master);
  }

  /** The oldest one from the given time or before; 0 if there is none. */
  oldestUntil(until: number): number {
    return this.#since.firstRank > until ? 0 : this.#since.firstKey;
  }

  /** The master must have at least one. */
  oldestOf(master: number): number {
    return (this.#ofMasters.get(master) as DueHeap).firstKey;
  }

  forget(user: number, id: number): void {
    this.#since.delete(id);
    const master = this.#masterOf(user);
    const own = this.#ofMasters.get(master) as DueHeap;
    own.delete(id);
    if (own.size === 0) this.#ofMasters.delete(master);
    this.shares.remove(master);
  }

  /** Ascending by id. */
  list(): RememberedMovement[] {
    return this.#since.list().map(({ key, rank }) => ({ id: key, since: rank }));
  }
}

/** The part of the exchange's state that the bounds below concern. */
interface MovementState {
  readonly time: number;
  readonly limits: Limits;
  readonly users: Users;
  readonly transfers: Transfers;
  readonly withdrawals: Withdrawals;
  readonly movements: Movements;
}

/**
 * Whether the user may have one more withdrawal. Only open withdrawals of the same master count, so that other users
 * can never block a withdrawal. Transfers have no such limit.
 */
export function checkWithdrawalRoom(state: MovementState, user: number): Rejection | null {
  const { movementsPerUserMax: max } = state.limits.values;
  return state.withdrawals.openOf(user) >= max ? reject('movements-per-user', { max }) : null;
}

/**
 * Starts the window of a completed movement. If its master then has more than `movementsPerUserMax`, the master's oldest
 * is dropped; if there are more than `movementsMax` in all, the oldest of the master with the most. At most two of each:
 * one makes room for the new movement, the second reduces the excess after a limit was lowered.
 */
export function rememberMovement(state: MovementState, user: number, id: number): void {
  const { movements } = state;
  movements.remember(user, id, state.time);
  const { movementsPerUserMax, movementsMax } = state.limits.values;
  const { shares } = movements;
  const master = state.users.masterOf(user);
  for (let left = 2; left > 0 && shares.countOf(master) > movementsPerUserMax; left--) {
    drop(state, movements.oldestOf(master));
  }
  for (let left = 2; left > 0 && shares.count > movementsMax; left--) {
    drop(state, movements.oldestOf(shares.heaviest));
  }
}

/** Removes up to `max` of the oldest whose window has passed. */
export function forgetMovements(state: MovementState, max: number): void {
  const until = state.time - state.limits.values.movementWindowMs;
  for (let left = max; left > 0; left--) {
    const id = state.movements.oldestUntil(until);
    if (id === 0) return;
    drop(state, id);
  }
}

function drop(state: MovementState, id: number): void {
  state.movements.forget(state.transfers.forget(id) ?? state.withdrawals.forget(id), id);
}
