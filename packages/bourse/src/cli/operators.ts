/** `bourse operators`: operators, their roles, and closing the start-up token. */

import { Command } from 'commander';
import { EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly roles: string;
  readonly email?: string;
}

type Row = Record<string, unknown>;

const COLUMNS = ['id', 'name', 'roles', 'isPerson'];
const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
const ROLES = ['--roles <list>', 'such as finance,admin'] as const;
const MOUNT = '/v1/operators';

export function operatorsCommand(): Command {
  const operators = new Command('operators')
    .description('operators of a running service, their roles and tokens')
    .addHelpText(
      'after',
      `
Roles: viewer, support, finance, listing, compliance, custodian, admin.

Examples:
  bourse operators add ann --roles finance,admin --reason 'she joins the team'
  BOURSE_OPERATOR_TOKEN=… bourse operators whoami
  bourse operators token OPERATOR_ID --reason 'she lost it'
  bourse operators close-root --reason 'everybody has a name now'
${EXIT_HELP}`,
    );

  each(operators, 'list', 'all operators').action(async (options: Options) => {
    const rows = (await (await OperatorClient.open(options)).get(MOUNT)) as Row[];
    if (options.json) printJson(rows);
    else printTable(rows, COLUMNS);
  });
  each(operators, 'whoami', 'the caller, and the calls it may use').action(async (options: Options) => {
    show(options, await (await OperatorClient.open(options)).get('/v1/caller'));
  });
  each(operators, 'add <name>', 'adds an operator and prints its token, once')
    .requiredOption(...ROLES)
    .option('--email <address>', 'of the person who is the operator and signs in with it')
    .requiredOption(...REASON)
    .action(async (name: string, options: Options) => {
      const { reason, email } = options;
      const body = { name, roles: rolesOf(options), reason, ...(email !== undefined && { email }) };
      await post('', body, options);
    });
  each(operators, 'roles <id>', 'sets the roles of an operator')
    .requiredOption(...ROLES)
    .requiredOption(...REASON)
    .action((id: string, options: Options) =>
      post(`/${encodeURIComponent(id)}`, { roles: rolesOf(options), reason: options.reason }, options),
    );
  each(operators, 'token <id>', 'creates a new token and prints it, once; the old one stops working')
    .requiredOption(...REASON)
    .action((id: string, options: Options) =>
      post(`/${encodeURIComponent(id)}/token`, { reason: options.reason }, options),
    );
  each(operators, 'remove <id>', 'removes an operator; its token stops working immediately')
    .requiredOption(...REASON)
    .action(async (id: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`${MOUNT}/${encodeURIComponent(id)}`, options.reason));
    });
  each(operators, 'close-root', 'permanently limits the start-up token to adding an operator on this machine')
    .requiredOption(...REASON)
    .action(async (options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.post('/v1/root/close', { reason: options.reason }));
    });
  return operators;
}

const rolesOf = ({ roles }: Options): string[] => roles.split(',').map((role) => role.trim());

async function post(path: string, body: Row, options: Options): Promise<void> {
  show(options, await (await OperatorClient.open(options)).post(MOUNT + path, body));
}
