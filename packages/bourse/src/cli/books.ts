/**
 * `bourse address-rules`, `withdrawal-limits`, `statements`, `wallets`, `addresses`: the tools of compliance
 * and finance.
 */

import { nodeClock, readText, systemSentence } from '@bourse/engine';
import { Command } from 'commander';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient, timeOption } from './operator-client.ts';
import { each, queryOf, REASON, show, tierOf } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly currency?: string;
  readonly chain?: string;
  readonly user?: string;
  readonly tier?: string;
  readonly from?: string;
  readonly until?: string;
  readonly at?: string;
}

type Row = Record<string, unknown>;

export function addressRulesCommand(): Command {
  const rules = new Command('address-rules')
    .description('blocked withdrawal addresses, and exceptions')
    .addHelpText(
      'after',
      `
Examples:
  bourse address-rules list
  bourse address-rules block 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed \\
    --reason 'on the sanctions list'
  bourse address-rules allow 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed \\
    --currency USDT --reason 'cleared'
  bourse address-rules remove 7 --reason 'no longer listed'

The most specific matching rule decides.
${EXIT_HELP}`,
    );
  each(rules, 'list', 'all address rules').action(async (options: Options) => {
    const answer = await (await OperatorClient.open(options)).get('/v1/address-rules');
    if (options.json) printJson(answer);
    else printTable(answer as Row[], ['ruleId', 'rule', 'address', 'currency', 'chain', 'by', 'reason']);
  });
  for (const rule of ['block', 'allow'] as const) {
    const about =
      rule === 'block' ? 'blocks withdrawals to an address' : 'allows an address despite a broader block';
    each(rules, `${rule} <address>`, about)
      .option('--currency <code>', 'only for this currency')
      .option('--chain <chain>', 'only on this chain, by id or name')
      .requiredOption(...REASON)
      .action(async (address: string, options: Options) => {
        const { currency, chain, reason } = options;
        const client = await OperatorClient.open(options);
        show(options, await client.post('/v1/address-rules', { address, rule, currency, chain, reason }));
      });
  }
  each(rules, 'remove <number>', 'removes a rule')
    .requiredOption(...REASON)
    .action(async (number: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/address-rules/${encodeURIComponent(number)}`, options.reason));
    });
  return rules;
}

export function withdrawalLimitsCommand(): Command {
  const limits = new Command('withdrawal-limits')
    .description('limits on withdrawals per day (UTC)')
    .addHelpText(
      'after',
      `
Examples:
  bourse withdrawal-limits show dave
  bourse withdrawal-limits set EUR 1000 --user dave --reason 'new account'
  bourse withdrawal-limits set EUR none --tier 2 --reason 'as published'

\`none\` removes a limit; a user without a limit of its own has the tier's.
${EXIT_HELP}`,
    );
  each(limits, 'show <user>', 'the limits of a user, and the amounts left today').action(
    async (user: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const answer = await client.get(`/v1/users/${encodeURIComponent(user)}/limits`);
      if (options.json) printJson(answer);
      else printTable(answer as Row[], ['currency', 'withdrawalPerDay', 'usedToday', 'leftToday', 'of']);
    },
  );
  each(limits, 'set <currency> <amount>', 'sets the limit of a user or of a tier')
    .option('--user <user>', 'by id or name')
    .option('--tier <number>', '0 to 12')
    .requiredOption(...REASON)
    .action(async (currency: string, amount: string, options: Options) => {
      const { user, tier, reason } = options;
      const withdrawalPerDay = { [currency]: amount === 'none' ? null : amount };
      if ((user === undefined) === (tier === undefined)) {
        throw new CommandFailed('Give either --user or --tier.', EXIT.usage);
      }
      const [path, ofTier] =
        user === undefined
          ? ['/v1/limits', { tier: tierOf(tier!) }]
          : [`/v1/users/${encodeURIComponent(user)}/limits`, {}];
      const client = await OperatorClient.open(options);
      const answer = await client.post(path, { ...ofTier, withdrawalPerDay, reason });
      if (options.json || !Array.isArray(answer)) show(options, answer);
      else printTable(answer as Row[], ['currency', 'withdrawalPerDay', 'usedToday', 'leftToday', 'of']);
    });
  return limits;
}

interface AccountStatement {
  readonly account: string;
  readonly currency: string;
  readonly opening: string;
  readonly entries: readonly Row[];
  readonly closing: string;
}

export function statementsCommand(): Command {
  const statements = new Command('statements')
    .description('statements of users and of the house')
    .addHelpText(
      'after',
      `
Examples:
  bourse statements show dave --from 2026-11-01 --until 2026-12-01
  bourse statements show dave --from 2026-11-01 --until 2026-12-01 --json
  bourse statements house --from 2026-11-01 --until 2026-12-01

--from is inclusive, --until exclusive. The house has four accounts: fees, suspense,
waiting (deposits) and outside. Together with all users they sum to zero.
${EXIT_HELP}`,
    );
  const ofPeriod = (usage: string, description: string): Command =>
    each(statements, usage, description)
      .requiredOption('--from <time>', 'a date (UTC), a time with its zone, or milliseconds')
      .requiredOption('--until <time>', 'as for --from; exclusive');
  ofPeriod('show <user>', 'opening balance, entries and closing balance of each account').action(
    (user: string, options: Options) => printStatement(`/v1/users/${encodeURIComponent(user)}`, options),
  );
  ofPeriod('house', 'the same of the system accounts: fees, suspense, waiting and outside').action(
    (options: Options) => printStatement('/v1', options),
  );
  return statements;
}

async function printStatement(path: string, options: Options): Promise<void> {
  const client = await OperatorClient.open(options);
  const query = queryOf({
    from: String(timeOption('from', options.from)),
    until: String(timeOption('until', options.until)),
  });
  const answer = await client.get(`${path}/statement?${query}`);
  if (options.json) {
    printJson(answer);
    return;
  }
  for (const statement of (answer as { accounts: AccountStatement[] }).accounts) {
    const { account, currency, opening, closing, entries } = statement;
    printLine(`${account} ${currency}: ${opening} to ${closing}`);
    printTable([...entries], ['time', 'kind', 'reference', 'counterAccount', 'amount', 'fee', 'balance']);
  }
}

export function walletsCommand(): Command {
  const wallets = new Command('wallets')
    .description("reconciliation of external wallets with the exchange's liabilities")
    .addHelpText(
      'after',
      `
Examples:
  bourse wallets report EUR 125000 --reason 'bank statement'
  bourse wallets compare

A negative difference means that the wallets hold less than the exchange owes.
${EXIT_HELP}`,
    );
  each(wallets, 'report <currency> <balance>', 'reports the total balance of all wallets in a currency')
    .option('--at <time>', 'when the balance was read (default: now)')
    .requiredOption(...REASON)
    .action(async (currency: string, balance: string, options: Options) => {
      const at = timeOption('at', options.at) ?? nodeClock.now();
      const client = await OperatorClient.open(options);
      show(options, await client.post('/v1/wallets', { currency, balance, at, reason: options.reason }));
    });
  each(wallets, 'compare', 'compares wallets and liabilities by currency')
    .option('--at <time>', 'use only balances read up to this time (default: now)')
    .action(async (options: Options) => {
      const at = timeOption('at', options.at);
      const query = queryOf({ at: at === undefined ? undefined : String(at) });
      const answer = await (await OperatorClient.open(options)).get(`/v1/reconciliation?${query}`);
      if (options.json) printJson(answer);
      else printTable(answer as Row[], ['currency', 'liabilities', 'wallets', 'difference', 'at', 'by']);
    });
  return wallets;
}

// `bourse addresses`: the sources of a venue's deposit addresses.

interface AddressOptions extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly key?: string;
  readonly memo?: string;
}

const LOADED_MAX = 1000;
const COLUMNS = ['chain', 'source', 'free', 'nextIndex', 'requests', 'warning'];

export function addressesCommand(): Command {
  const addresses = new Command('addresses').description("deposit addresses of a venue's chains").addHelpText(
    'after',
    `
Examples:
  bourse addresses sources
  bourse addresses source btc list --reason 'our custodian'
  bourse addresses load btc addresses.csv --reason 'from our custodian'
  bourse addresses source eth key --key xpub6... --reason 'our wallet'
  bourse addresses source sol program --reason 'our custodian has an interface'
  bourse addresses requests
  bourse addresses give dave SOL sol 4Nd1m... --reason 'made by the custodian'

A file has one address in a line, with a memo behind a comma where the chain has one. Each is given to one user.
${EXIT_HELP}`,
  );
  const list = (path: string, columns: readonly string[]) => async (options: AddressOptions) => {
    const rows = (await (await OperatorClient.open(options)).get(path)) as Row[];
    if (options.json) printJson(rows);
    else printTable(rows, [...columns]);
  };
  each(addresses, 'sources', 'where the addresses of each chain come from').action(
    list('/v1/address-sources', COLUMNS),
  );
  each(addresses, 'requests', 'users who wait for an address').action(
    list('/v1/address-requests', ['userId', 'currency', 'chain']),
  );
  each(addresses, 'source <chain> <source>', 'sets it: list, key, program or none')
    .option('--key <xpub>', 'an extended public key, never a private one')
    .requiredOption(...REASON)
    .action(async (chain: string, source: string, { key, ...options }: AddressOptions) => {
      const client = await OperatorClient.open(options);
      const { reason } = options;
      show(options, await client.post('/v1/address-sources', { chain, source, key, reason }));
    });
  each(addresses, 'load <chain> <file>', 'loads addresses from a CSV file')
    .requiredOption(...REASON)
    .action(async (chain: string, file: string, options: AddressOptions) => {
      const client = await OperatorClient.open(options);
      const rows = parseList(await readList(file));
      for (let at = 0; at < rows.length; at += LOADED_MAX) {
        const part = { chain, addresses: rows.slice(at, at + LOADED_MAX), reason: options.reason };
        const answer = await client.post('/v1/address-lists', part);
        if (at + LOADED_MAX >= rows.length) show(options, answer);
      }
    });
  each(addresses, 'give <user> <currency> <chain> <address>', 'gives a user an address')
    .option('--memo <memo>', 'where the chain has one')
    .requiredOption(...REASON)
    .action(
      async (userId: string, currency: string, chain: string, address: string, options: AddressOptions) => {
        const client = await OperatorClient.open(options);
        const { memo, reason } = options;
        show(options, await client.post('/v1/addresses', { userId, currency, chain, address, memo, reason }));
      },
    );
  return addresses;
}

/** One `address` or `address,memo` per line; the first line may be a heading. */
function parseList(text: string): { address: string; memo: string }[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line, at) => line !== '' && !(at === 0 && /^address\b/i.test(line)))
    .map((line) => {
      const [address, memo = ''] = line.split(',').map((part) => part.trim());
      return { address, memo };
    });
}

const readList = (file: string): Promise<string> =>
  readText(file).catch((error: unknown) => {
    throw new CommandFailed(
      systemSentence(error, file) ?? `${file}: ${(error as Error).message}.`,
      EXIT.usage,
    );
  });
