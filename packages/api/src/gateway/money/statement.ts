/**
 * The statement of a user or of the house: for each account and currency the opening balance, all entries of the period,
 * and the closing balance. Opening balance and entries always sum exactly to the closing balance, because all of them
 * come from the balances stored in the ledger's entries.
 */

import { type Account, type Exchange, formatUnits, SYSTEM_ACCOUNTS, type SystemAccount } from '@bourse/core';
import { COUNT_MAX, EVERYBODY, type HouseRow, type LedgerRow } from '@bourse/engine';
import { markedId, userId } from '../ids.ts';
import { Refusal } from '../errors/refusal.ts';
import { Type } from '../schema.ts';
import type { Services } from '../services.ts';

const Milliseconds = Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds since 1970' });

export const STATEMENT_QUERY = {
  from: Milliseconds,
  until: Milliseconds,
  format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])),
};

/** Milliseconds; `from` is inclusive, `until` exclusive. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface StatementEntry {
  /** The record's sequence and the entry's number in the users' or the house's ledger. */
  readonly id: string;
  readonly time: string;
  readonly kind: LedgerRow['cause'];
  readonly reference: string;
  readonly counterAccount: string;
  readonly amount: string;
  /** Part of the amount. */
  readonly fee: string;
  readonly balance: string;
}

export interface AccountStatement {
  readonly account: 'main' | 'trade' | SystemAccount;
  readonly currency: string;
  readonly opening: string;
  readonly entries: readonly StatementEntry[];
  readonly closing: string;
}

export interface Statement {
  /** Exclusive. Earlier than requested if the period has not ended yet. */
  readonly until: number;
  readonly accounts: readonly AccountStatement[];
}

/** Long lists are scheduled as work of user `reader`. */
export async function statementOf(
  services: Services,
  user: number,
  { from, until }: Period,
  reader: number,
): Promise<Statement> {
  const { history, longLists } = services;
  const begun = (): number => services.catalogue.user(user)!.createdAt;
  const { period, found: accounts } = await readPeriod(services, { from, until }, begun, (exchange) =>
    exchange.accounts(user),
  );
  const filter = { user, from, until: period.until - 1 };
  if (history.countLedger(filter) >= COUNT_MAX) throw tooLong();
  const rows = await longLists.collect({
    user: reader,
    page: { limit: COUNT_MAX, ascending: true },
    read: (piece) => history.ledger({ ...filter, ...piece }),
    show: (piece) => piece.map((row) => shownRow(services, row, row.fee, otherSide(services, row))),
  });
  const byAccount = Map.groupBy(rows, ({ row }) => `${row.account} ${row.currency}`);
  return {
    until: period.until,
    accounts: accounts.map((account) => {
      const own = byAccount.get(`${account.type} ${account.currency}`) ?? [];
      const opening = openingOf(own) ?? balanceAt(services, user, account, period.from);
      return showAccount(services, account.type, account.currency, opening, own);
    }),
  };
}

/** Over the statements of all users and of the house, both opening and closing balances sum to zero. */
export async function houseStatementOf(services: Services, asked: Period): Promise<Statement> {
  const { catalogue, history, longLists } = services;
  // Before the user existed there was no money.
  const begun = (): number => catalogue.user(0)?.createdAt ?? Infinity;
  const systemAccounts = () =>
    catalogue
      .currencies()
      .flatMap(({ number: currency }) => SYSTEM_ACCOUNTS.map((account) => ({ account, currency })));
  const { period, found } = await readPeriod(services, asked, begun, (exchange) =>
    systemAccounts().map((each) => ({ ...each, now: exchange.systemBalance(each.account, each.currency) })),
  );
  const accounts: AccountStatement[] = [];
  let left = COUNT_MAX;
  for (const { account, currency, now } of found) {
    const filter = { account, currency, from: period.from, until: period.until - 1 };
    const rows = await longLists.collect({
      user: EVERYBODY,
      page: { limit: left, ascending: true },
      read: (piece) => history.house({ ...filter, ...piece }),
      show: (piece) => piece.map((row) => shownRow(services, row, 0n, usersSide(services, row))),
    });
    left -= rows.length;
    if (left <= 0) throw tooLong();
    const opening = openingOf(rows) ?? houseBalanceAt(services, account, currency, period.from, now);
    if (rows.length > 0 || opening !== 0n)
      accounts.push(showAccount(services, account, currency, opening, rows));
  }
  return { until: period.until, accounts };
}

/**
 * Reads the exchange's state, and ends the period at the current time at the latest; afterwards history has all of it.
 */
async function readPeriod<Found>(
  services: Services,
  { from, until }: Period,
  begun: () => number,
  read: (exchange: Pick<Exchange, 'accounts' | 'systemBalance'>) => Found,
): Promise<{ readonly period: Period; readonly found: Found }> {
  const { port, clock, historyRetentionMs } = services;
  // Later records have this time or a later one, so history has all of the period once it has this record.
  const { end, found } = await port.read((exchange) => {
    const now = clock.now();
    return { end: exchange.time < now ? now : exchange.time + 1, found: read(exchange) };
  });
  const kept = end - historyRetentionMs;
  if (from < kept && begun() < kept) {
    const msg = `from: history begins at ${kept}, after ${from}. Choose ${kept} or later.`;
    throw new Refusal<string>('value-invalid', msg);
  }
  await services.historyCaughtUp();
  return { period: { from, until: Math.max(from, Math.min(until, end)) }, found };
}

const tooLong = (): Refusal<string> =>
  new Refusal<string>('value-invalid', `The period has ${COUNT_MAX} entries or more. Choose a shorter one.`);

/** Shown as it is read: all rows of a statement at once would block the event loop. */
interface ShownRow {
  readonly row: LedgerRow | HouseRow;
  readonly entry: StatementEntry;
}

function shownRow(
  { catalogue }: Services,
  row: LedgerRow | HouseRow,
  fee: bigint,
  side: Pick<StatementEntry, 'reference' | 'counterAccount'>,
): ShownRow {
  const { scale } = catalogue.currencyAt(row.currency);
  const money = (units: bigint) => formatUnits(units, scale);
  const entry = {
    id: `${row.seq}-${row.id}`,
    time: new Date(row.time).toISOString(),
    kind: row.cause,
    ...side,
    amount: money(row.change),
    fee: money(fee),
    balance: money(row.balance),
  };
  return { row, entry };
}

const openingOf = ([first]: readonly ShownRow[]): bigint | undefined =>
  first && first.row.balance - first.row.change;

function showAccount(
  { catalogue }: Services,
  account: AccountStatement['account'],
  currency: number,
  opening: bigint,
  rows: readonly ShownRow[],
): AccountStatement {
  const { code, scale } = catalogue.currencyAt(currency);
  return {
    account,
    currency: code,
    opening: formatUnits(opening, scale),
    entries: rows.map(({ entry }) => entry),
    closing: formatUnits(rows.at(-1)?.row.balance ?? opening, scale),
  };
}

/** Uses the last entry before that time, else the first one after it; without either, the balance never changed. */
function balanceAt({ history }: Services, user: number, account: Account, time: number): bigint {
  const filter = { user, account: account.type, currency: account.currency, limit: 1 };
  const [before] = history.ledger({ ...filter, until: time - 1 });
  if (before) return before.balance;
  const [after] = history.ledger({ ...filter, from: time, ascending: true });
  return after ? after.balance - after.change : account.available + account.hold;
}

/** Like balanceAt. */
function houseBalanceAt(
  { history }: Services,
  account: SystemAccount,
  currency: number,
  time: number,
  now: bigint,
): bigint {
  const filter = { account, currency, limit: 1 };
  const [before] = history.house({ ...filter, until: time - 1 });
  if (before) return before.balance;
  const [after] = history.house({ ...filter, from: time, ascending: true });
  return after ? after.balance - after.change : now;
}

function usersSide({ catalogue }: Services, row: HouseRow) {
  if (row.cause === 'trade') {
    const { code } = catalogue.symbolAt(row.symbol);
    const trades = row.lastTrade === row.trade ? row.trade : `${row.trade}-${row.lastTrade}`;
    return { reference: `${code}/${trades}`, counterAccount: `market:${code}` };
  }
  const reference = markedId(row.cause, row.reference);
  return { reference, counterAccount: row.user < 0 ? 'correction' : `user:${userId(row.user)}` };
}

function otherSide({ catalogue }: Services, { cause, account, symbol, trade, reference }: LedgerRow) {
  switch (cause) {
    case 'trade': {
      const { code } = catalogue.symbolAt(symbol);
      return { reference: `${code}/${trade}`, counterAccount: `market:${code}` };
    }
    case 'transfer':
      return {
        reference: markedId('transfer', reference),
        counterAccount: account === 'main' ? 'trade' : 'main',
      };
    case 'sub-transfer':
      return { reference: markedId('transfer', reference), counterAccount: 'sub-account' };
    case 'correction':
      return { reference: markedId('correction', reference), counterAccount: 'correction' };
    case 'deposit':
    case 'withdrawal':
      return { reference: markedId(cause, reference), counterAccount: 'outside' };
  }
}

const COLUMNS = [
  'account',
  'currency',
  'id',
  'time',
  'kind',
  'reference',
  'counterAccount',
  'amount',
  'fee',
  'balance',
];

/** Opening and closing balances are separate rows. No cell contains commas or quotes, so none needs escaping. */
export function statementCsv(accounts: readonly AccountStatement[]): string {
  const lines = accounts.flatMap(({ account, currency, opening, entries, closing }) => [
    [account, currency, '', '', 'opening', '', '', '', '', opening],
    ...entries.map((each) => [
      account,
      currency,
      each.id,
      each.time,
      each.kind,
      each.reference,
      each.counterAccount,
      each.amount,
      each.fee,
      each.balance,
    ]),
    [account, currency, '', '', 'closing', '', '', '', '', closing],
  ]);
  return [COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}
