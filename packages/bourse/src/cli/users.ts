/** `bourse users`: users and their balances. */

import { Command } from 'commander';
import { shortened } from '@bourse/engine';
import { CommandFailed, EXIT, EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient, withConnection } from './operator-client.ts';
import { printFields, printJson, printTable } from './output.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly parent?: string;
  readonly tier?: string;
}

const COLUMNS = ['userId', 'name', 'parentId', 'tier', 'frozen'];
const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
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
  bourse users freeze dave --reason 'ticket 4711'
${EXIT_HELP}`,
  );

  each(users, 'list', 'all users').action(async (options: Options) => {
    const rows = (await (await OperatorClient.open(options)).get('/v1/users')) as Row[];
    if (options.json) printJson(rows);
    else printTable(rows, COLUMNS);
  });

  each(users, 'balances <user>', 'what a user has').action(async (user: string, options: Options) => {
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

  each(users, 'tier <user> <tier>', 'sets the tier of rate limits, 0 to 12')
    .requiredOption(...REASON)
    .action((user: string, tier: string, options: Options) => change(user, { tier: tierOf(tier) }, options));
  each(users, 'freeze <user>', 'lets a user cancel and nothing else')
    .requiredOption(...REASON)
    .action((user: string, options: Options) => change(user, { frozen: true }, options));
  each(users, 'unfreeze <user>', 'takes that back')
    .requiredOption(...REASON)
    .action((user: string, options: Options) => change(user, { frozen: false }, options));
  return users;
}

function tierOf(text: string): number {
  if (/^([0-9]|1[0-2])$/.test(text)) return Number(text);
  throw new CommandFailed(`tier: '${shortened(text)}' is not an integer from 0 to 12.`, EXIT.usage);
}

async function change(user: string, changes: Row, options: Options): Promise<void> {
  const client = await OperatorClient.open(options);
  const path = `/v1/users/${encodeURIComponent(user)}`;
  show(options, await client.post(path, { ...changes, reason: options.reason }));
}

/** A command for a running service; all of them can print JSON. */
export function each(group: Command, usage: string, description: string): Command {
  return withConnection(group.command(usage).description(description)).option('--json', 'print JSON');
}

export function show(options: { readonly json?: boolean }, answer: unknown): void {
  if (options.json) printJson(answer);
  else printFields(answer as Row);
}
