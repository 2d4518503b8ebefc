/** `bourse keys`: users' API keys. */

import { Command } from 'commander';
import { CommandFailed, EXIT, EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly permissions?: string;
  readonly ip?: readonly string[];
  readonly passphrase?: string;
}

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
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
    async (user: string, options: Options) => {
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
    .action(async (user: string, options: Options) => {
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
    .action(async (key: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const body = { ...grants(options), reason: options.reason };
      show(options, await client.post(`/v1/keys/${encodeURIComponent(key)}`, body));
    });

  each(keys, 'remove <key>', 'removes a key, immediately and permanently')
    .requiredOption(...REASON)
    .action(async (key: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/keys/${encodeURIComponent(key)}`, options.reason));
    });
  return keys;
}

/** An empty list of permissions is more often an unset variable than intended. */
function grants({ permissions, ip }: Options): Record<string, unknown> {
  const names = permissions?.split(',').filter(Boolean);
  if (names?.length === 0) {
    throw new CommandFailed(`--permissions: name at least one of ${NAMES}.`, EXIT.usage);
  }
  return {
    ...(names === undefined ? {} : { permissions: names }),
    ...(ip === undefined ? {} : { ipAllowList: ip }),
  };
}
