/**
 * The whole state as canonical bytes, and back. Everything is written in an order given by its value (ids, prices and
 * queues), never by the order in which it was added; derived tables are rebuilt. The bytes end with their own hash,
 * which is verified before anything else is read, to detect damage.
 */

import type { UserNote, Note } from '../notes.ts';
import type { Key, User } from '../access/users.ts';
import { assert } from '../values/checks.ts';
import type { MarketState, Once, Spent, SymbolTerms } from '../commands/commands.ts';
import type { HashKey } from '../tables/index-table.ts';
import type { AddressRule, CountedWithdrawal, WithdrawalLimit } from '../ledger/withdrawal-limits.ts';
import type { WalletReport, Address, AskedAddress, FreeAddress } from '../ledger/custody.ts';
import type { Assignment } from '../operators/operate.ts';
import type { Correction, Deposit, Questionnaire } from '../ledger/deposits.ts';
import type { RememberedMovement, TransferRecord, Withdrawal } from '../ledger/movements.ts';
import type { Currency } from '../reference/currencies.ts';
import type { FeeRule } from '../reference/fees.ts';
import type { LimitValues } from '../reference/limits.ts';
import type { Auction, Instrument } from '../reference/instrument.ts';
import type { ClientIdUse } from '../matching/orders/client-ids.ts';
import type { OcoOrder, StopOrder, Switch } from '../matching/stops/stop-table.ts';
import { type Operator, NO_POLICY, type Policy, type Proposal } from '../operators/operators.ts';
import type { Person, Session } from '../people/people.ts';
import type { Notice, ScheduleEntry } from '../reference/announcements.ts';
import { State } from '../state.ts';
import { ByteReader, ByteWriter, type Value, hashBytes } from './bytes.ts';
import {
  readOrders,
  writeOrders,
  listUnfinished,
  restoreUnfinished,
  type UnfinishedSnapshot,
} from './orders.ts';

export const SNAPSHOT_MAGIC = 'BOURSE-SNAPSHOT';
/** Incremented with every change of the format below; an older build refuses a newer snapshot. */
export const SNAPSHOT_VERSION = 1;
/** The length of the hash at the end, in hex digits; the same in every format. */
export const SNAPSHOT_HASH_BYTES = 32;

/** The snapshot of an instrument; currencies by number. */
interface InstrumentEntry {
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly baseIncrement: string;
  readonly terms: SymbolTerms;
  readonly state: MarketState;
  readonly sequence: number;
  readonly trades: number;
  readonly lastPrice: number;
  /** Only if any were counted. */
  readonly messages?: number;
  /** Only if it was removed. */
  readonly removed?: true;
  /** Only during an auction. */
  readonly auction?: Auction;
}

/** All rare state, as one value. */
interface Rare {
  readonly seq: number;
  readonly time: number;
  readonly ids: number;
  readonly limits: LimitValues;
  readonly currencies: readonly Currency[];
  readonly markets: readonly InstrumentEntry[];
  readonly fees: readonly FeeRule[];
  readonly users: readonly User[];
  readonly keys: readonly Key[];
  readonly onceIds: readonly Once[];
  readonly addresses: readonly Address[];
  readonly deposits: readonly Deposit[];
  readonly questionnaires: readonly Questionnaire[];
  readonly transfers: readonly TransferRecord[];
  readonly withdrawals: readonly Withdrawal[];
  readonly movements: readonly RememberedMovement[];
  readonly switches: readonly Switch[];
  readonly stops: readonly StopOrder[];
  readonly ocos: readonly OcoOrder[];
  readonly clientIds: readonly ClientIdUse[];
  /** This and the next field are omitted if empty. */
  readonly notes?: readonly Note[];
  readonly unfinished?: readonly UnfinishedSnapshot[];
  readonly freeAddresses?: readonly FreeAddress[];
  readonly askedAddresses?: readonly AskedAddress[];
  readonly corrections?: readonly Correction[];
  readonly withdrawalLimits?: readonly WithdrawalLimit[];
  /** Today's withdrawals. */
  readonly countedWithdrawals?: readonly CountedWithdrawal[];
  readonly addressRules?: { readonly last: number; readonly list: readonly AddressRule[] };
  readonly wallets?: readonly WalletReport[];
  readonly assignments?: readonly Assignment[];
  readonly userNotes?: readonly UserNote[];
  readonly people?: readonly Person[];
  readonly sessions?: readonly Session[];
  readonly spent?: readonly Spent[];
  readonly policy?: Policy;
  /** `last` of this and the next two: the latest number, which may be of one that was removed. */
  readonly proposals?: { readonly last: number; readonly list: readonly Proposal[] };
  readonly operators?: {
    readonly last: number;
    readonly isRootClosed: boolean;
    readonly list: readonly Operator[];
  };
  readonly notices?: { readonly last: number; readonly list: readonly Notice[] };
  readonly isPaused?: true;
  readonly schedule?: { readonly last: number; readonly list: readonly ScheduleEntry[] };
}

export function writeSnapshot(state: State): Uint8Array {
  const writer = new ByteWriter();
  writer.letters(SNAPSHOT_MAGIC);
  writer.int(SNAPSHOT_VERSION);
  writer.value(rareOf(state) as unknown as Value);
  writeBalances(state, writer);
  writeOrders(state, writer);
  writer.letters(hashBytes(writer.written));
  return writer.written;
}

export function readSnapshot(bytes: Uint8Array, hashKey: HashKey): State {
  const reader = new ByteReader(bytes);
  assert(reader.letters(SNAPSHOT_MAGIC.length) === SNAPSHOT_MAGIC, 'these bytes are a snapshot');
  const version = reader.int();
  assert(
    version >= 1 && version <= SNAPSHOT_VERSION,
    `the snapshot has format ${version}, this build reads 1 to ${SNAPSHOT_VERSION}`,
  );
  const body = bytes.subarray(0, Math.max(0, bytes.length - SNAPSHOT_HASH_BYTES));
  const hash = new ByteReader(bytes.subarray(body.length)).letters(bytes.length - body.length);
  assert(hash === hashBytes(body), 'the snapshot is undamaged');
  const state = new State(hashKey);
  const rare = reader.value() as unknown as Rare;
  restoreRare(state, rare);
  readBalances(state, reader);
  readOrders(state, reader);
  restoreUnfinished(state, rare.unfinished ?? []);
  reader.letters(SNAPSHOT_HASH_BYTES);
  assert(reader.isAtEnd, 'nothing follows the snapshot');
  return state;
}

function rareOf(state: State): Rare {
  const { operators, proposals } = state;
  const notes = state.notes.list();
  const unfinished = listUnfinished(state);
  const freeAddresses = state.addresses.listFree();
  const askedAddresses = state.addresses.listAsked();
  const corrections = state.corrections.list();
  const withdrawalLimits = state.withdrawalLimits.list();
  const countedWithdrawals = state.withdrawalLimits.listCounted(state.time);
  const { addressRules } = state;
  const wallets = state.wallets.list();
  const assignments = Array.from(state.assignments, ([id, to]) => ({ id, to })).toSorted(
    (a, b) => a.id - b.id,
  );
  const userNotes = state.userNotes.list();
  const people = state.people.list();
  const sessions = state.people.listSessions();
  const spent = state.people.listSpent(state.time);
  return {
    seq: state.seq,
    time: state.time,
    ids: state.idsGiven,
    limits: state.limits.values,
    currencies: state.currencies.all,
    markets: state.instruments.all.map(entryOf),
    fees: state.fees.list(),
    users: state.users.all,
    keys: state.users.listKeys(),
    onceIds: state.onceIds.list(state.time),
    addresses: state.addresses.list(),
    deposits: state.deposits.list(),
    questionnaires: state.deposits.listQuestionnaires(),
    transfers: state.transfers.list(),
    withdrawals: state.withdrawals.list(),
    movements: state.movements.list(),
    switches: state.switches.list(),
    stops: state.stops.list(),
    ocos: state.ocos.list(),
    clientIds: state.clientIds.listDone(),
    ...(notes.length > 0 && { notes }),
    ...(unfinished.length > 0 && { unfinished }),
    ...(freeAddresses.length > 0 && { freeAddresses }),
    ...(askedAddresses.length > 0 && { askedAddresses }),
    ...(corrections.length > 0 && { corrections }),
    ...(withdrawalLimits.length > 0 && { withdrawalLimits }),
    ...(countedWithdrawals.length > 0 && { countedWithdrawals }),
    ...(addressRules.last > 0 && {
      addressRules: { last: addressRules.last, list: addressRules.list() },
    }),
    ...(wallets.length > 0 && { wallets }),
    ...(assignments.length > 0 && { assignments }),
    ...(userNotes.length > 0 && { userNotes }),
    ...(people.length > 0 && { people }),
    ...(sessions.length > 0 && { sessions }),
    ...(spent.length > 0 && { spent }),
    ...((operators.last > 0 || operators.isRootClosed) && {
      operators: {
        last: operators.last,
        isRootClosed: operators.isRootClosed,
        list: operators.list(),
      },
    }),
    ...(proposals.policy !== NO_POLICY && { policy: proposals.policy }),
    ...(proposals.last > 0 && { proposals: { last: proposals.last, list: proposals.list() } }),
    ...(state.schedule.last > 0 && {
      schedule: { last: state.schedule.last, list: state.schedule.list() },
    }),
    ...(state.instruments.isPaused && { isPaused: true as const }),
    ...(state.notices.last > 0 && { notices: { last: state.notices.last, list: state.notices.list() } }),
  };
}

function entryOf({ identity, terms, state, book, removed, auction }: Instrument): InstrumentEntry {
  return {
    code: identity.code,
    base: identity.base.number,
    quote: identity.quote.number,
    baseIncrement: identity.baseIncrement,
    terms,
    state,
    sequence: book.sequence,
    trades: book.trades,
    lastPrice: book.lastPrice,
    ...(book.messages > 0 && { messages: book.messages }),
    ...(removed && { removed }),
    ...(auction && { auction }),
  };
}

function restoreRare(state: State, rare: Rare): void {
  state.seq = rare.seq;
  state.time = rare.time;
  state.idsGiven = rare.ids;
  state.limits.values = rare.limits;
  state.instruments.isPaused = rare.isPaused ?? false;
  for (const currency of rare.currencies) state.currencies.restore(currency);
  rare.markets.forEach((entry, number) => restoreInstrument(state, entry, number));
  for (const rule of rare.fees) state.fees.restore(rule);
  for (const user of rare.users) state.users.restore(user);
  for (const key of rare.keys) state.users.restoreKey(key);
  for (const once of rare.onceIds) state.onceIds.restore(once);
  for (const correction of rare.corrections ?? []) state.corrections.add(correction);
  for (const limit of rare.withdrawalLimits ?? []) state.withdrawalLimits.set(limit);
  for (const counted of rare.countedWithdrawals ?? []) state.withdrawalLimits.count(counted, rare.time);
  state.addressRules.last = rare.addressRules?.last ?? 0;
  for (const rule of rare.addressRules?.list ?? []) state.addressRules.add(rule);
  for (const report of rare.wallets ?? []) state.wallets.add(report);
  for (const { id, to } of rare.assignments ?? []) state.assignments.set(id, to);
  for (const note of rare.userNotes ?? []) state.userNotes.restore(note);
  for (const person of rare.people ?? []) state.people.set(person);
  for (const session of rare.sessions ?? []) state.people.setSession(session);
  for (const spent of rare.spent ?? []) state.people.spend(spent, rare.time);
  if (rare.operators) {
    state.operators.last = rare.operators.last;
    state.operators.isRootClosed = rare.operators.isRootClosed;
    for (const operator of rare.operators.list) state.operators.set(operator);
  }
  if (rare.policy) state.proposals.policy = rare.policy;
  state.proposals.last = rare.proposals?.last ?? 0;
  for (const proposal of rare.proposals?.list ?? []) state.proposals.set(proposal);
  for (const address of rare.addresses) state.addresses.add(address);
  for (const place of rare.freeAddresses ?? []) state.addresses.load(place);
  for (const asked of rare.askedAddresses ?? []) state.addresses.ask(asked);
  for (const deposit of rare.deposits) state.deposits.set(deposit);
  for (const questionnaire of rare.questionnaires) state.deposits.setQuestionnaire(questionnaire);
  for (const transfer of rare.transfers) state.transfers.add(transfer);
  for (const withdrawal of rare.withdrawals) state.withdrawals.set(withdrawal);
  const userOf = (id: number) => state.transfers.userOf(id) ?? state.withdrawals.get(id)?.user;
  for (const { id, since } of rare.movements) {
    state.movements.remember(userOf(id) as number, id, since);
  }
  for (const entry of rare.switches) state.switches.set(entry);
  for (const note of rare.notes ?? []) state.notes.restore(note);
  state.schedule.last = rare.schedule?.last ?? 0;
  for (const entry of rare.schedule?.list ?? []) state.schedule.set(entry);
  state.notices.last = rare.notices?.last ?? 0;
  for (const notice of rare.notices?.list ?? []) state.notices.set(notice);
  for (const { user, clientId, id, doneAt } of rare.clientIds) {
    state.clientIds.claim(user, clientId, id);
    state.clientIds.finish(user, clientId, doneAt);
  }
  for (const stop of rare.stops) {
    state.stops.add(stop);
    if (stop.request.clientId) state.clientIds.claim(stop.user, stop.request.clientId, stop.id);
  }
  for (const oco of rare.ocos) {
    state.ocos.add(oco);
    if (oco.clientId !== '') state.clientIds.claim(oco.user, oco.clientId, oco.id);
  }
  for (const { isOpen, number, book } of state.instruments.all) {
    if (isOpen && state.stops.anyDue(number, book.lastPrice)) state.steps.defer(number);
  }
}

function restoreInstrument(state: State, entry: InstrumentEntry, number: number): void {
  const { all } = state.currencies;
  const { code, baseIncrement, terms } = entry;
  const identity = { code, base: all[entry.base], quote: all[entry.quote], baseIncrement };
  const instrument = state.instruments.restore(number, identity, terms, entry.state, entry.removed ?? false);
  const { book } = instrument;
  if (entry.auction) {
    instrument.auction = entry.auction;
    state.auctions.set(number, entry.auction.endsAt);
  }
  book.sequence = entry.sequence;
  book.trades = entry.trades;
  book.lastPrice = entry.lastPrice;
  book.messages = entry.messages ?? 0;
}

/** Balances in a snapshot: every account that was ever used, by user, type and currency. */
function writeBalances(state: State, writer: ByteWriter): void {
  const { ledger } = state;
  const accounts = [...Array(ledger.accountCount).keys()]
    .map((number) => ({ number, ...ledger.owner(number) }))
    .filter(({ used }) => used)
    .toSorted((a, b) => a.user - b.user || a.type - b.type || a.currency - b.currency);
  writer.int(accounts.length);
  for (const { number, user, type, currency } of accounts) {
    writer.int(user);
    writer.byte(type);
    writer.int(currency);
    for (const value of ledger.balanceOf(number)) writer.number(value);
  }
}

function readBalances(state: State, reader: ByteReader): void {
  const { ledger } = state;
  for (let left = reader.int(); left > 0; left--) {
    const account = ledger.restore(reader.int(), reader.byte(), reader.int());
    const balance = ledger.balanceOf(account);
    for (let i = 0; i < balance.length; i++) balance[i] = reader.number();
  }
}
