/**
 * npm run bench:bounds [-- --json] [-- --entries N]
 *
 * Bytes of memory that one entry of each bound of docs/internals/bounds.md takes in the core. Each is measured in a
 * separate process, because memory freed by another row would hide the use of this one.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Command, Exchange, RULES_VERSION } from '@bourse/core';
import { bytesInUse } from '../core/memory.ts';
import { limitOrder, LOT, Venue } from '../core/venue.ts';

export interface Entry {
  readonly name: string;
  /** Number of users to create before measuring `count` entries. */
  readonly users: (count: number) => number;
  /** The command that creates entry `at`. */
  readonly make: (at: number, users: number) => Command;
  /** Applied for each user before the first measurement. */
  readonly prepare?: (user: number) => Command;
  /** The most entries that the core accepts, if limited. */
  readonly most?: number;
  /** Entries per command. */
  readonly each?: number;
}

const START = 1_700_000_000_000;
const BATCH = 100;
/** In the form of a UUID, which most clients send. */
const uuid = (at: number): string => `${String(at).padStart(8, '0')}-89ab-4def-8123-456789abcdef`;
const hex = (at: number, length: number): string => at.toString(16).padStart(length, '0');
const few = (): number => 20;
/** Enough users that none reaches its own bound. */
const perUser = (most: number) => (count: number) => Math.ceil(count / most);

const doneOrder = (at: number, users: number, clientId: string): Command => ({
  ...limitOrder(at % users, 0, 0, 1, 100_000, 'IOC'),
  clientId,
});
const resting = (at: number, users: number): Command =>
  limitOrder(at % users, 0, 0, 1 + (at % 1000), 100_000, 'GTC');

const ENTRIES: readonly Entry[] = [
  { name: 'active order', users: perUser(200), make: resting },
  {
    name: 'active order with a client id of 36',
    users: perUser(200),
    make: (at, users) => ({ ...resting(at, users), clientId: uuid(at) }) as Command,
  },
  {
    name: 'stop order',
    users: perUser(20),
    make: (at, users) => ({
      ...limitOrder(at % users, 0, 0, 1000, LOT, 'GTC'),
      kind: 'place-stop-order',
      stop: 'entry',
      stopPrice: 1000 * (1000 + (at % 1000)),
    }),
  },
  {
    name: 'client id of a done order, 20 characters',
    users: few,
    make: (at, users) => doneOrder(at, users, hex(at, 20)),
  },
  {
    name: 'client id of a done order, 36 characters',
    users: few,
    make: (at, users) => doneOrder(at, users, uuid(at)),
  },
  {
    name: 'transfer',
    users: few,
    make: (at, users) => ({
      kind: 'transfer',
      user: at % users,
      type: 'internal',
      clientId: uuid(at),
      currency: 0,
      amount: 10n ** 4n,
      from: 'trade',
      to: 'main',
    }),
  },
  {
    name: 'withdrawal that is not over',
    users: few,
    prepare: (user) => ({
      kind: 'transfer',
      user,
      type: 'internal',
      clientId: `back-${user}`,
      currency: 0,
      amount: 10n ** 18n,
      from: 'trade',
      to: 'main',
    }),
    make: (at, users) => ({
      kind: 'request-withdrawal',
      user: at % users,
      currency: 0,
      chain: 'chain',
      amount: 10n ** 4n,
      address: `0x${hex(at, 40)}`,
      memo: '',
    }),
  },
  {
    name: 'id of a request',
    users: few,
    make: (at, users) => ({
      kind: 'cancel-orders',
      user: at % users,
      once: { id: hex(at, 44), until: START + 50_000 },
    }),
  },
  { name: 'user', users: few, make: (at) => ({ kind: 'add-user', name: `another-${hex(at, 12)}` }) },
  {
    name: 'sub-account',
    users: perUser(100),
    make: (at, users) => ({ kind: 'add-user', name: `another-${hex(at, 12)}`, parent: at % users }),
  },
  {
    name: 'key',
    users: few,
    make: (at, users) => ({
      kind: 'add-key',
      user: at % users,
      key: hex(at, 24),
      version: 3,
      permissions: ['general', 'spot'],
      ipAllowList: [],
      // Secret and passphrase, encrypted.
      secret: hex(at, 160),
      note: 'a bot',
    }),
  },
  {
    name: 'address of a user',
    users: (count) => count,
    make: (at) => ({
      kind: 'add-address',
      user: at,
      currency: 0,
      chain: 'chain',
      address: `0x${hex(at, 40)}`,
      memo: '',
    }),
  },
  {
    name: 'loaded address',
    users: few,
    most: 90_000,
    each: 1000,
    make: (at) => ({
      kind: 'load-addresses',
      chain: 'chain',
      addresses: Array.from({ length: 1000 }, (_, i) => ({
        address: `0x${hex(at * 1000 + i, 40)}`,
        memo: '',
      })),
    }),
  },
  {
    name: 'address request',
    users: (count) => count,
    make: (at) => ({ kind: 'ask-address', user: at, currency: 0, chain: 'chain' }),
  },
  {
    name: 'deposit',
    users: few,
    make: (at, users) => ({
      kind: 'report-deposit',
      user: at % users,
      currency: 0,
      chain: 'chain',
      amount: 10n ** 6n,
      txId: hex(at, 64),
      travelRule: false,
    }),
  },
];

/** Bytes per entry of that name, with `wanted` entries. */
function measure(name: string, wanted: number): number {
  const entry = ENTRIES.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`Unknown entry '${name}'.`);
  const { make, prepare, each = 1, most = Infinity } = entry;
  const entries = Math.min(wanted, most);
  const users = entry.users(entries + entries / 50);
  const exchange = venueOf(users);
  const apply = (commands: readonly Command[]): void => {
    const seq = exchange.seq + 1;
    const record = { seq, time: Math.max(exchange.time, START), rules: RULES_VERSION, commands };
    const { outcomes } = exchange.apply(record);
    // The engine does so as soon as history has it.
    exchange.forgetDone(seq);
    const [first] = outcomes.decode();
    if (first?.kind === 'rejected') throw new Error(`${name}: ${first.rejection.code}`);
  };
  if (prepare) for (let user = 0; user < users; user++) apply([prepare(user)]);
  const fill = (from: number, through: number): void => {
    for (let at = from; at < through; at += BATCH) {
      apply(Array.from({ length: Math.min(BATCH, through - at) }, (_, i) => make(at + i, users)));
    }
  };
  // Excludes one-time allocations of a first record, such as compiled code.
  const warmUp = Math.ceil(entries / each / 50);
  fill(0, warmUp);
  const before = bytesInUse();
  fill(warmUp, warmUp + entries / each);
  const bytes = (bytesInUse() - before) / entries;
  if (exchange.seq < 2) throw new Error('nothing was measured');
  return bytes;
}

const venueOf = (users: number): Exchange => new Venue(users, 1).exchange;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    entries: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '1' },
    row: { type: 'string' },
  },
});
const count = Number(values.entries);

function bytesOf(row: string): number {
  const args = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    '--row',
    row,
    '--entries',
    String(count),
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${row}: ${stderr}`);
  return Number(stdout);
}

if (values.row !== undefined) console.log(measure(values.row, count));
else {
  const report: Record<string, number> = {};
  for (const { name } of ENTRIES) {
    const all = Array.from({ length: Number(values.turns) }, () => bytesOf(name)).toSorted((a, b) => a - b);
    report[name] = Math.round(all[all.length >> 1]!);
    console.log(`${name.padEnd(44)} ${report[name]} bytes`);
  }
  if (values.json) console.log(JSON.stringify(report));
}
