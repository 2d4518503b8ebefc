/** The complete state of the naive exchange, as plain objects. Every other file here reads and changes it. */

import type {
  AccountType,
  AddAddressRule,
  Chain,
  FreezeLevel,
  NoticeChange,
  Permission,
  ScheduledChange,
  Transfer,
} from '../../packages/core/src/commands/commands.ts';
import type { FinishedCommand } from '../../packages/core/src/commands/outcomes.ts';
import type {
  AddressSet,
  CorrectionMade,
  DepositSet,
  Event,
  LimitsSet,
  QuestionnaireSet,
  SystemAccount,
  WithdrawalSet,
} from '../../packages/core/src/events/events.ts';
import type { Instrument, Oco, Order } from './instrument.ts';

export type Changeable<T> = { -readonly [K in keyof T]: T[K] };

export interface Balance {
  available: bigint;
  hold: bigint;
}

export type Account = AccountType | SystemAccount;

export interface Currency {
  readonly number: number;
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
  name: string;
  fullName: string;
  confirms: number | null;
  contractAddress: string | null;
  isMarginEnabled: boolean;
  isDebitEnabled: boolean;
  chains: readonly Chain[];
  removed: boolean;
}

export interface Switch {
  readonly timeoutSec: number;
  readonly triggerAt: number;
  readonly symbols: readonly number[];
}

/** The latest order or stop order with this client id; `doneAt` is null while it is active. */
export interface ClientIdUse {
  readonly id: number;
  doneAt: number | null;
}

/** `since`: when it was remembered; null: forever. */
export interface MadeTransfer {
  readonly id: number;
  readonly command: Transfer;
  readonly since: number | null;
}

export interface User {
  readonly number: number;
  readonly name: string;
  /** -1 for a master. */
  readonly parent: number;
  tier: number;
  /** The level of the freeze, and whether it covers sub-accounts. */
  freeze: { readonly level: FreezeLevel; readonly withSubAccounts: boolean } | null;
  closed: boolean;
  /** Orders in the book, ascending by id. */
  readonly orders: Order[];
  readonly clientIds: Map<string, ClientIdUse>;
  readonly transfers: Map<string, MadeTransfer>;
  switch: Switch | null;
}

export interface Key {
  readonly key: string;
  readonly user: number;
  readonly version: number;
  permissions: readonly Permission[];
  ipAllowList: readonly string[];
  note: string;
}

export interface Deposit extends Changeable<Omit<DepositSet, 'kind' | 'deposit'>> {
  readonly id: number;
  readonly questionnaires: Questionnaire[];
}

export interface Questionnaire extends Changeable<Omit<QuestionnaireSet, 'kind' | 'questionnaire'>> {
  readonly id: number;
  readonly deposit: Deposit;
}

export interface Withdrawal extends Changeable<Omit<WithdrawalSet, 'kind' | 'withdrawal'>> {
  readonly id: number;
  /** When it was closed and thus remembered; null while it is open. */
  since: number | null;
}

export interface Rates {
  readonly maker: number;
  readonly taker: number;
}

export type LimitValues = Omit<LimitsSet, 'kind'>;

export interface DoneId {
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
}

export interface State {
  /** The record's time. */
  time: number;
  /** Remaining steps for due work in the record. */
  stepsLeft: number;
  /** Remaining meetings in the record. */
  meetingsLeft: number;
  /** Orders, and batches of them, that the previous record left unfinished; oldest first. */
  readonly unfinished: Unfinished[];
  /** Commands of earlier records that the current one completed. */
  finished: FinishedCommand[];
  /** Symbols whose stop orders the previous record left unchecked. */
  readonly leftOver: Set<number>;
  lastId: number;
  /** Events of the current record, in order. */
  events: Event[];
  /** Symbols whose stop orders must be checked after the current command. */
  readonly stirred: Set<number>;
  readonly currencies: Currency[];
  readonly instruments: Instrument[];
  readonly users: User[];
  readonly keys: Map<string, Key>;
  /** Until when the id of a request is remembered. */
  readonly onceIds: Map<string, number>;
  readonly addresses: AddressSet[];
  /** Loaded, but not assigned yet. */
  freeAddresses: { readonly chain: string; readonly address: string; readonly memo: string }[];
  /** By user, account and currency; the system is user -1. */
  readonly balances: Map<string, Balance>;
  /** Currencies of accounts that ever held any. */
  readonly usedCurrencies: Set<number>;
  /** By user and symbol; -1 means all. */
  readonly rates: Map<string, Rates>;
  limits: LimitValues;
  /** Client ids of done orders, in the order they were done. */
  readonly doneIds: DoneId[];
  /** Ascending by id. */
  readonly ocos: Oco[];
  /** GTT orders in the book. */
  readonly expiring: Order[];
  readonly deposits: Map<string, Deposit>;
  readonly questionnaires: Map<number, Questionnaire>;
  readonly corrections: CorrectionMade[];
  /** By user or tier, and currency. */
  readonly withdrawalLimits: Map<string, bigint>;
  /** Every withdrawal, and when it was requested. */
  readonly requested: {
    readonly user: number;
    readonly currency: number;
    readonly time: number;
    readonly withdrawal: Withdrawal;
  }[];
  readonly addressRules: Map<number, AddAddressRule>;
  lastAddressRule: number;
  readonly withdrawals: Map<number, Withdrawal>;
  /** Names of notes; their texts have no effect. */
  readonly notes: Set<string>;
  /** By number: the change that a notice announces, until it takes effect. */
  readonly notices: Map<number, NoticeChange | null>;
  lastNotice: number;
  paused: boolean;
  /** Pending changes, by number. */
  readonly schedule: Map<number, { readonly at: number; readonly command: ScheduledChange }>;
  /** How many closed ones are remembered. */
  scheduleOver: number;
  lastScheduled: number;
}

export function newState(): State {
  return {
    time: 0,
    stepsLeft: 0,
    meetingsLeft: 0,
    unfinished: [],
    finished: [],
    leftOver: new Set(),
    lastId: 0,
    events: [],
    stirred: new Set(),
    currencies: [],
    instruments: [],
    users: [],
    keys: new Map(),
    onceIds: new Map(),
    addresses: [],
    freeAddresses: [],
    balances: new Map(),
    usedCurrencies: new Set(),
    rates: new Map(),
    limits: {
      lookupWindowMs: 3 * 24 * 60 * 60 * 1000,
      activeOrdersPerSymbolMax: 200,
      activeOrdersPerUserMax: 2000,
      stopOrdersPerSymbolMax: 20,
      stepsPerRecordMax: 1000,
      clientIdsPerUserMax: 1_000_000,
      clientIdsMax: 5_000_000,
      movementWindowMs: 30 * 24 * 60 * 60 * 1000,
      movementsPerUserMax: 50_000,
      movementsMax: 1_000_000,
    },
    doneIds: [],
    ocos: [],
    expiring: [],
    deposits: new Map(),
    questionnaires: new Map(),
    corrections: [],
    withdrawalLimits: new Map(),
    requested: [],
    addressRules: new Map(),
    lastAddressRule: 0,
    withdrawals: new Map(),
    notes: new Set(),
    notices: new Map(),
    lastNotice: 0,
    paused: false,
    schedule: new Map(),
    scheduleOver: 0,
    lastScheduled: 0,
  };
}

/** A sub-account's master; a master's own number. */
export function masterOf(state: State, user: number): number {
  const { parent } = state.users[user]!;
  return parent < 0 ? user : parent;
}

export function takeId(state: State): number {
  state.lastId += 1;
  return state.lastId;
}

// Work that may be interrupted when a record's meetings are used up: a generator that yields at that point.

/** Where a generator stopped: at this order; these symbols are blocked until it is complete. */
export interface Cut {
  readonly order: number;
  readonly symbols: readonly number[];
}

export type Cuttable<T> = Generator<Cut, T, void>;

interface Unfinished {
  readonly run: Cuttable<unknown>;
  readonly user: number;
  /** The first order at which it was interrupted. */
  readonly ticket: number;
  readonly isAwaited: boolean;
  symbols: readonly number[];
}
