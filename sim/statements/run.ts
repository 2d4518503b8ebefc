/**
 * npm run sim -- statements [--users N] [--records N] [--seed N]
 *
 * A simulated month of users who deposit, trade, transfer and withdraw, and of operators who make
 * corrections: everybody's statements must start at zero, follow each other without a gap, and sum to zero
 * together with the system accounts.
 */

import { parseArgs } from 'node:util';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { currency, symbol } from '@bourse/test-kit/venue.ts';
import {
  type AccountStatement,
  houseStatementOf,
  statementOf,
} from '../../packages/api/src/gateway/money/statement.ts';
import type { Command, LogRecord } from '../../packages/core/src/commands/commands.ts';
import { Exchange } from '../../packages/core/src/exchange.ts';
import { historyRecordOf } from '../../packages/engine/src/history/history-record.ts';
import type { HouseFilter, LedgerFilter, LedgerRow } from '../../packages/engine/src/history/history.ts';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
const BEGIN = 1_700_006_400_000;
const UNIT = 10n ** 6n;
const [BTC, USD] = [0, 1];

export interface StatementReport {
  readonly users: number;
  readonly records: number;
  readonly statements: number;
  readonly entries: number;
  readonly corrections: number;
}

export async function runStatements(users: number, records: number, seed: number): Promise<StatementReport> {
  const random = new Random(seed);
  const exchange = new Exchange();
  const history = new MemoryHistory();
  const recent: Recent = { deposits: [], withdrawals: [] };
  let corrections = 0;
  const apply = (time: number, commands: Command[]): void => {
    const record: LogRecord = { seq: exchange.seq + 1, time, commands };
    const applied = exchange.apply(record);
    for (const event of applied.events.decode()) {
      if (event.kind === 'correction-made') corrections += 1;
      if (event.kind === 'deposit-set') recent.deposits.push(event.deposit);
      if (event.kind === 'withdrawal-set') recent.withdrawals.push(event.withdrawal);
    }
    history.write([historyRecordOf(exchange, applied, record)]);
  };
  apply(BEGIN, world(users));
  for (let step = 1; step <= records; step += 1) {
    const time = BEGIN + Math.floor((step * MONTH_DAYS * DAY_MS) / records);
    apply(time, drawCommands(random, recent, users, step));
  }
  const end = exchange.time + 1;

  const ofUser = new Map<number, LedgerRow[]>();
  for (const entry of history.entries) {
    const own = ofUser.get(entry.user);
    if (own) own.push(entry);
    else ofUser.set(entry.user, [entry]);
  }
  const sources = sourcesOf(exchange, ofUser, history);
  const middle = BEGIN + random.below(MONTH_DAYS * DAY_MS);
  const sums = [BTC, USD].map(() => 0n);
  let entries = 0;
  entries += await addHouse(sources, end, sums, `seed ${seed}`);
  for (let user = 0; user < users; user += 1) {
    const { accounts: whole } = await statementOf(sources, user, { from: BEGIN, until: end }, user);
    const { accounts: first } = await statementOf(sources, user, { from: BEGIN, until: middle }, user);
    const { accounts: second } = await statementOf(sources, user, { from: middle, until: end }, user);
    for (const [at, account] of whole.entries()) {
      const details = `seed ${seed}, user ${user}, ${account.account} ${account.currency}`;
      if (account.opening !== '0') throw new Error(`${details}: opens with ${account.opening}`);
      for (const each of [account, first[at]!, second[at]!]) checkSum(each, details);
      if (first[at]!.closing !== second[at]!.opening) throw new Error(`${details}: a gap at ${middle}`);
      if (second[at]!.closing !== account.closing) throw new Error(`${details}: two ends`);
      const number = account.currency === 'BTC' ? BTC : USD;
      sums[number]! += unitsOf(account.closing);
      entries += account.entries.length;
    }
  }
  sums.forEach((sum, number) => {
    if (sum !== 0n) throw new Error(`seed ${seed}: all statements of currency ${number} sum to ${sum}`);
  });
  return { users, records, statements: 3 * users, entries, corrections };
}

/**
 * The statements of the house, in periods short enough for the row limit, each continuing from the last. Adds the
 * final closing balances to `sums`, and returns the number of entries.
 */
async function addHouse(
  sources: ReturnType<typeof sourcesOf>,
  end: number,
  sums: bigint[],
  details: string,
): Promise<number> {
  const closings = new Map<string, string>();
  let entries = 0;
  let length = end - BEGIN;
  for (let from = BEGIN; from < end; ) {
    const until = Math.min(from + length, end);
    const statement = await houseStatementOf(sources, { from, until }).catch(() => null);
    if (statement === null) {
      length = Math.ceil(length / 2);
      continue;
    }
    for (const account of statement.accounts) {
      const name = `${account.account} ${account.currency}`;
      checkSum(account, `${details}, ${name}`);
      if (account.opening !== (closings.get(name) ?? '0'))
        throw new Error(`${details}, ${name}: a gap at ${from}`);
      closings.set(name, account.closing);
      entries += account.entries.length;
    }
    from = until;
  }
  for (const [name, closing] of closings) sums[name.endsWith(' BTC') ? BTC : USD]! += unitsOf(closing);
  return entries;
}

/** Both currencies have 8 decimals. */
const SCALE = 8;

function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -units : units;
}

function checkSum({ opening, entries, closing }: AccountStatement, details: string): void {
  let balance = unitsOf(opening);
  for (const entry of entries) {
    balance += unitsOf(entry.amount);
    if (balance !== unitsOf(entry.balance)) throw new Error(`${details}: entry ${entry.id} does not follow`);
  }
  if (balance !== unitsOf(closing))
    throw new Error(`${details}: opening and entries are not the closing balance`);
}

function sourcesOf(
  exchange: Exchange,
  ofUser: ReadonlyMap<number, readonly LedgerRow[]>,
  history: MemoryHistory,
) {
  const find = (filter: Omit<LedgerFilter, 'limit'>): LedgerRow[] => {
    const { user, currency: number, account, from = 0, until = Infinity } = filter;
    return (ofUser.get(user) ?? []).filter(
      (row) =>
        row.time >= from &&
        row.time <= until &&
        (number === undefined || row.currency === number) &&
        (account === undefined || row.account === account),
    );
  };
  return {
    port: { read: <T>(ask: (exchange: Exchange) => T) => Promise.resolve(ask(exchange)) },
    historyCaughtUp: () => Promise.resolve(),
    history: {
      ledger: (filter: LedgerFilter) => {
        const rows = find(filter);
        return (filter.ascending ? rows : rows.toReversed()).slice(0, filter.limit);
      },
      countLedger: (filter: Omit<LedgerFilter, 'limit'>) => find(filter).length,
      house: (filter: HouseFilter) => history.house(filter),
    },
    longLists: {
      collect: async <Row, Shown>(list: {
        readonly page: { readonly limit: number; readonly ascending?: boolean };
        readonly read: (page: { readonly limit: number; readonly ascending?: boolean }) => readonly Row[];
        readonly show: (rows: readonly Row[]) => readonly Shown[] | Promise<readonly Shown[]>;
      }) => [...(await list.show(list.read(list.page)))],
    },
    clock: { now: () => exchange.time },
    historyRetentionMs: 2 * MONTH_DAYS * DAY_MS,
    catalogue: {
      currencies: () => exchange.reference.currencies,
      user: (number: number) => exchange.reference.users[number],
      currencyAt: (number: number) => exchange.reference.currencies[number]!,
      symbolAt: (number: number) => exchange.reference.symbol(number),
    },
  } as unknown as Parameters<typeof statementOf>[0];
}

function world(users: number): Command[] {
  const deposit = (user: number, number: number): Command[] => {
    const of = { user, currency: number, amount: 10_000n * UNIT * 100n } as const;
    const name = `first-${user}-${number}`;
    return [
      { kind: 'report-deposit', ...of, chain: 'net', txId: name, travelRule: false },
      {
        kind: 'transfer',
        ...of,
        amount: of.amount / 2n,
        type: 'internal',
        clientId: name,
        from: 'main',
        to: 'trade',
      },
    ];
  };
  const all = Array.from({ length: users }, (_, user) => user);
  return [
    currency('BTC', SCALE, SCALE),
    currency('USD', SCALE, SCALE),
    symbol('BTC-USD', BTC, USD),
    ...all.map((user): Command => ({ kind: 'add-user', name: `u${user}` })),
    { kind: 'set-fees', maker: '0.00077777', taker: '0.00133333' },
    ...all.flatMap((user) => [BTC, USD].flatMap((number) => deposit(user, number))),
  ];
}

/** Ids by their last change. */
interface Recent {
  readonly deposits: number[];
  readonly withdrawals: number[];
}

function drawCommands(random: Random, recent: Recent, users: number, step: number): Command[] {
  return Array.from({ length: random.range(1, 6) }, (_, at) =>
    drawCommand(random, recent, random.below(users), `${step}-${at}`),
  );
}

function drawCommand(random: Random, recent: Recent, user: number, name: string): Command {
  const number = random.pick([BTC, USD]);
  const amount = BigInt(random.range(1, 1000)) * UNIT;
  const withdrawal = () => random.pick([undefined, ...recent.withdrawals.slice(-20)]) ?? 1;
  switch (random.below(12)) {
    case 0:
      return {
        kind: 'report-deposit',
        user,
        currency: number,
        chain: 'net',
        amount,
        txId: name,
        travelRule: random.chance(0.2),
      };
    case 1:
      return {
        kind: 'request-withdrawal',
        user,
        currency: number,
        chain: 'net',
        amount,
        address: 'a',
        memo: '',
      };
    case 2:
      return { kind: 'claim-withdrawal', withdrawal: withdrawal() };
    case 3:
      return {
        kind: 'settle-withdrawal',
        withdrawal: withdrawal(),
        sent: true,
        txId: name,
      };
    case 4:
      return {
        kind: 'move-money',
        currency: number,
        amount,
        from: { user, account: 'main' },
        to: random.pick([{ system: 'suspense' }, { system: 'fees' }] as const),
      };
    case 5:
      return random.chance(0.5)
        ? {
            kind: 'reverse-movement',
            deposit: random.pick([undefined, ...recent.deposits.slice(-20)]) ?? 1,
          }
        : { kind: 'reverse-movement', withdrawal: withdrawal() };
    case 6:
      return {
        kind: 'transfer',
        user,
        type: 'internal',
        clientId: name,
        currency: number,
        amount,
        from: 'main',
        to: 'trade',
      };
    default:
      return {
        kind: 'place-order',
        user,
        symbol: 0,
        type: 'limit',
        side: random.pick(['buy', 'sell'] as const),
        price: (1000 + random.range(-20, 20)) * 1000,
        size: random.range(1, 40),
      };
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '1000' },
      records: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const report = await runStatements(Number(values.users), Number(values.records), Number(values.seed));
  console.log(
    `seed ${values.seed}: ${report.users} users, ${report.records} records, ${report.entries} entries, ` +
      `${report.corrections} corrections; ${report.statements} statements sum to zero`,
  );
}
