/** `bourse users` and `bourse keys`: users, their balances, orders, freezes, notes and API keys. */

import { shortened } from '@bourse/engine';
import { Command } from 'commander';
import { CommandFailed, EXIT, EXIT_HELP, printFields, printJson, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient, withConnection } from './operator-client.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly parent?: string;
  readonly tier?: string;
  readonly search?: string;
  readonly frozen?: string;
  readonly after?: string;
  readonly limit?: string;
  readonly level?: string;
  readonly alone?: boolean;
  readonly withSubAccounts?: boolean;
  readonly symbol?: string;
}

const COLUMNS = ['userId', 'name', 'parentId', 'tier', 'frozen', 'level', 'closed'];
export const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
type Row = Record<string, unknown>;

export function usersCommand(): Command {
  const users = new Command('users').description('users and sub-accounts of a running service').addHelpText(
    'after',
    `
Examples:
  bourse users list
  bourse users add dave --reason 'new customer'
  bourse users add dave-bot --parent dave --reason 'sub-account for a bot'
  bourse users balances alice --json
  bourse users list --search dave --frozen true
  bourse users freeze dave --level withdrawals --reason 'ticket 4711'
  bourse users refusals dave
  bourse users cancel-orders dave --symbol BTC-USDT --reason 'he asked for it'
${EXIT_HELP}`,
  );

  each(users, 'list', 'users in the order they were added, 100 at a time')
    .option('--search <text>', 'part of a name, an id, or an e-mail address')
    .option(
      '--frozen <true|false>',
      'only users to whom a freeze applies (or none), their own or that of their master',
    )
    .option('--tier <tier>', 'only users of this tier')
    .option('--after <user>', 'only users added after this one, for the next page')
    .option('--limit <number>', 'page size, at most 1000')
    .action(async (options: Options) => {
      const { search, frozen, tier, after, limit } = options;
      const query = queryOf({ search, frozen, tier, after, limit });
      const rows = (await (await OperatorClient.open(options)).get(`/v1/users?${query}`)) as UserRow[];
      if (options.json) printJson(rows);
      else
        printTable(
          rows.map((row) => ({ ...row, level: levelsOf(row) })),
          COLUMNS,
        );
    });

  each(users, 'balances <user>', 'the balances of a user').action(async (user: string, options: Options) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get(`/v1/users/${encodeURIComponent(user)}/balances`)) as Row[];
    if (options.json) printJson(rows);
    else printTable(rows, ['currency', 'type', 'balance', 'available', 'holds']);
  });

  each(users, 'add <name>', 'adds a user or a sub-account')
    .option('--parent <user>', 'the master, for a sub-account')
    .requiredOption(...REASON)
    .action(async (name: string, options: Options) => {
      const { reason, parent } = options;
      const body = { name, reason, ...(parent === undefined ? {} : { parentId: parent }) };
      show(options, await (await OperatorClient.open(options)).post('/v1/users', body));
    });

  each(users, 'tier <user> <tier>', 'sets the rate-limit tier, 0 to 12')
    .requiredOption(...REASON)
    .action((user: string, tier: string, options: Options) => change(user, { tier: tierOf(tier) }, options));
  each(users, 'freeze <user>', 'freezes a user and its sub-accounts')
    .option('--level <level>', 'trading (no new orders), withdrawals, or all (cancelling only)', 'all')
    .option('--alone', 'excludes the sub-accounts')
    .requiredOption(...REASON)
    .action((user: string, options: Options) => {
      const { level, alone = false } = options;
      return change(user, { level, withSubAccounts: !alone }, options, '/freeze');
    });
  each(users, 'unfreeze <user>', 'lifts the freeze of a user')
    .option('--with-sub-accounts', 'also lifts the freezes of its sub-accounts')
    .requiredOption(...REASON)
    .action((user: string, options: Options) => {
      const { withSubAccounts = false } = options;
      return change(user, { withSubAccounts }, options, '/unfreeze');
    });
  each(users, 'close <user>', 'permanently closes a user without money or orders')
    .requiredOption(...REASON)
    .action((user: string, options: Options) => change(user, {}, options, '/close'));
  each(users, 'note <user> <text>', 'adds a note that only operators see')
    .requiredOption(...REASON)
    .action(async (user: string, text: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const rows = (await client.post(pathOf(user, '/notes'), { text, reason: options.reason })) as Row[];
      showRows(options, rows, ['time', 'by', 'text']);
    });
  listing(users, 'notes', 'the latest notes about a user', ['time', 'by', 'text']);
  listing(users, 'refusals', 'the last rejected requests of a user', ['time', 'method', 'target', 'text']);
  listing(users, 'sessions', 'sessions of the person who signed up as this user', [
    'sessionId',
    'createdAt',
    'expires',
  ]);
  listing(users, 'activity', 'activity of the person who signed up as this user', [
    'time',
    'kind',
    'sessionId',
  ]);
  listing(users, 'ledger', 'the latest balance changes', [
    'id',
    'time',
    'account',
    'currency',
    'amount',
    'balance',
    'kind',
    'reference',
  ]);
  each(users, 'cancel-orders <user>', 'cancels the orders of a user, and shows the user the reason')
    .option('--symbol <symbol>', 'only orders of this symbol')
    .requiredOption(...REASON)
    .action(async (user: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const query = queryOf({ symbol: options.symbol });
      show(options, await client.delete(pathOf(user, '/orders'), options.reason, query));
    });
  each(users, 'cancel-order <order>', 'cancels one order of any user, and shows the user the reason')
    .requiredOption(...REASON)
    .action(async (order: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/orders/${encodeURIComponent(order)}`, options.reason));
    });
  return users;
}

interface UserRow extends Row {
  readonly freeze: { readonly level: string } | null;
  readonly masterFreeze: { readonly level: string } | null;
}

/** The levels of the freezes that apply to the user, of its own and of its master. */
function levelsOf({ freeze, masterFreeze }: UserRow): string {
  return [
    ...(freeze ? [freeze.level] : []),
    ...(masterFreeze ? [`${masterFreeze.level} (master)`] : []),
  ].join(', ');
}

/** Adds a subcommand that lists something of one user. */
function listing(users: Command, name: string, description: string, columns: string[]): void {
  each(users, `${name} <user>`, description).action(async (user: string, options: Options) => {
    const client = await OperatorClient.open(options);
    showRows(options, (await client.get(pathOf(user, `/${name}`))) as Row[], columns);
  });
}

function showRows(options: Options, rows: Row[], columns: string[]): void {
  if (options.json) printJson(rows);
  else printTable(rows, columns);
}

const pathOf = (user: string, call: string): string => `/v1/users/${encodeURIComponent(user)}${call}`;

/** Without omitted members. */
export function queryOf(asked: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value);
  return query;
}

export function tierOf(text: string): number {
  if (/^([0-9]|1[0-2])$/.test(text)) return Number(text);
  throw new CommandFailed(`tier: '${shortened(text)}' is not an integer from 0 to 12.`, EXIT.usage);
}

async function change(user: string, changes: Row, options: Options, call = ''): Promise<void> {
  const client = await OperatorClient.open(options);
  show(options, await client.post(pathOf(user, call), { ...changes, reason: options.reason }));
}

/** A command for a running service; all of them can print JSON. */
export function each(group: Command, usage: string, description: string): Command {
  return withConnection(group.command(usage).description(description)).option('--json', 'print JSON');
}

export function show(options: { readonly json?: boolean }, answer: unknown): void {
  if (options.json) printJson(answer);
  else printFields(answer as Row);
}

// `bourse keys`: users' API keys.

interface KeyOptions extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly permissions?: string;
  readonly ip?: readonly string[];
  readonly passphrase?: string;
}

const NAMES = 'General,Spot,FlexTransfers,Withdrawal';
const PERMISSIONS = ['--permissions <list>', `of ${NAMES}`] as const;
const ADDRESSES = ['--ip <address...>', 'the IP addresses that may use the key (default: all)'] as const;

export function keysCommand(): Command {
  const keys = new Command('keys').description('API keys of users of a running service').addHelpText(
    'after',
    `
Examples:
  bourse keys list alice
  bourse keys add alice --permissions General,Spot \\
    --reason 'bot on the office server' --ip 203.0.113.7
  bourse keys change 6705f5c311545b000157d3eb --permissions General \\
    --reason 'reads only from now on'
  bourse keys remove 6705f5c311545b000157d3eb --reason 'laptop lost'

A new key's secret and passphrase are shown once; the service keeps them encrypted and shows them to nobody.
${EXIT_HELP}`,
  );

  each(keys, 'list <user>', 'the keys of a user, without secrets').action(
    async (user: string, options: KeyOptions) => {
      const client = await OperatorClient.open(options);
      const rows = (await client.get(`/v1/users/${encodeURIComponent(user)}/keys`)) as Record<
        string,
        unknown
      >[];
      if (options.json) printJson(rows);
      else printTable(rows, ['apiKey', 'version', 'permissions', 'ipAllowList']);
    },
  );

  each(keys, 'add <user>', 'creates a key and prints its secret, once')
    .option(...PERMISSIONS, 'General')
    .option(...ADDRESSES)
    .option('--passphrase <text>', '7 to 32 characters (default: generated)')
    .requiredOption(...REASON)
    .action(async (user: string, options: KeyOptions) => {
      const client = await OperatorClient.open(options);
      const { passphrase } = options;
      const body = {
        ...grants(options),
        ...(passphrase === undefined ? {} : { passphrase }),
        reason: options.reason,
      };
      show(options, await client.post(`/v1/users/${encodeURIComponent(user)}/keys`, body));
    });

  each(keys, 'change <key>', 'changes permissions and addresses of a key')
    .option(...PERMISSIONS)
    .option(...ADDRESSES)
    .requiredOption(...REASON)
    .action(async (key: string, options: KeyOptions) => {
      const client = await OperatorClient.open(options);
      const body = { ...grants(options), reason: options.reason };
      show(options, await client.post(`/v1/keys/${encodeURIComponent(key)}`, body));
    });

  each(keys, 'remove <key>', 'removes a key, immediately and permanently')
    .requiredOption(...REASON)
    .action(async (key: string, options: KeyOptions) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/keys/${encodeURIComponent(key)}`, options.reason));
    });
  return keys;
}

/** An empty list of permissions is more often an unset variable than intended. */
function grants({ permissions, ip }: KeyOptions): Record<string, unknown> {
  const names = permissions?.split(',').filter(Boolean);
  if (names?.length === 0) {
    throw new CommandFailed(`--permissions: name at least one of ${NAMES}.`, EXIT.usage);
  }
  return {
    ...(names === undefined ? {} : { permissions: names }),
    ...(ip === undefined ? {} : { ipAllowList: ip }),
  };
}
