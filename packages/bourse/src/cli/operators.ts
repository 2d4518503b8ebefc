/**
 * `bourse operators`, `policy`, `proposals`, `secret`: who may operate a venue, what needs approval, and the
 * venue's secret.
 */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT_HELP, printJson, printLine, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { readTerms } from './reference.ts';
import { each, REASON, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly roles: string;
  readonly email?: string;
}

type Row = Record<string, unknown>;

const COLUMNS = ['id', 'name', 'roles', 'isPerson'];
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
    .option('--email <address>', 'e-mail address with which the operator signs in')
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

// `bourse policy` and `bourse proposals`: calls that need approval, and pending proposals.

interface ProposalOptions extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly status?: string;
  readonly hash: string;
}

const PROPOSAL_COLUMNS = ['proposalId', 'call', 'status', 'proposedBy', 'reason', 'hash'];

export function policyCommand(): Command {
  const policy = new Command('policy')
    .description('which calls need the approval of other operators')
    .addHelpText(
      'after',
      `
Example of a file:
  {"rules": [
     {"call": "settle-withdrawal", "above": {"BTC": "1"}, "approvals": 1}],
   "expiryMs": 86400000}

Examples:
  bourse policy show
  bourse policy set policy.json --reason 'large payments need two people'
${EXIT_HELP}`,
    );
  each(policy, 'show', 'the policy').action(async (options: ProposalOptions) => {
    // The rules are nested lists, which do not fit into a table.
    printJson(await (await OperatorClient.open(options)).get('/v1/policy'));
  });
  each(policy, 'set <file>', 'replaces the policy with that of a JSON file')
    .requiredOption(...REASON)
    .action(async (file: string, options: ProposalOptions) => {
      const terms = await readTerms(file);
      const client = await OperatorClient.open(options);
      printJson(await client.post('/v1/policy', { ...terms, reason: options.reason }));
    });
  return policy;
}

export function proposalsCommand(): Command {
  const proposals = new Command('proposals')
    .description('calls that need approval before they are executed')
    .addHelpText(
      'after',
      `
Examples:
  bourse proposals list --status open
  bourse proposals show PROPOSAL_ID
  bourse proposals approve PROPOSAL_ID --hash HASH \\
    --reason 'I have checked the address'
${EXIT_HELP}`,
    );
  each(proposals, 'list', 'proposals, newest first')
    .option('--status <status>', 'open, approved, refused, expired, withdrawn or failed')
    .action(async (options: ProposalOptions) => {
      const { status } = options;
      const query = status === undefined ? '' : `?status=${encodeURIComponent(status)}`;
      const rows = (await (await OperatorClient.open(options)).get(`/v1/proposals${query}`)) as Row[];
      if (options.json) printJson(rows);
      else printTable(rows.map(named), PROPOSAL_COLUMNS);
    });
  each(proposals, 'show <id>', 'the complete command, its hash, and the values it would change').action(
    async (id: string, options: ProposalOptions) =>
      printJson(await (await OperatorClient.open(options)).get(pathOf(id))),
  );
  each(proposals, 'approve <id>', 'approves the proposal with this hash')
    .requiredOption('--hash <hash>', 'hash of the proposal that you have read')
    .requiredOption(...REASON)
    .action((id: string, options: ProposalOptions) => decide(id, 'approve', { hash: options.hash }, options));
  each(proposals, 'refuse <id>', 'refuses a proposal of another operator')
    .requiredOption(...REASON)
    .action((id: string, options: ProposalOptions) => decide(id, 'refuse', {}, options));
  each(proposals, 'withdraw <id>', 'withdraws your own proposal')
    .requiredOption(...REASON)
    .action((id: string, options: ProposalOptions) => decide(id, 'withdraw', {}, options));
  return proposals;
}

const pathOf = (id: string): string => `/v1/proposals/${encodeURIComponent(id)}`;

const named = (row: Row): Row => ({ ...row, proposedBy: (row['proposedBy'] as { name: string }).name });

async function decide(id: string, how: string, fields: Row, options: ProposalOptions): Promise<void> {
  const client = await OperatorClient.open(options);
  const answer = (await client.post(`${pathOf(id)}/${how}`, { ...fields, reason: options.reason })) as Row;
  const { proposalId, call, status, outcome } = answer;
  if (options.json) printJson(answer);
  else
    show(options, {
      proposalId,
      call,
      status,
      ...(outcome !== undefined && { outcome: JSON.stringify(outcome) }),
    });
}

// `bourse secret rotate`: replaces the secret of a running venue.

interface SecretOptions extends ConnectOptions {
  readonly newSecretKeyFile: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function secretCommand(): Command {
  const group = new Command('secret').description("the venue's secret").addHelpText(
    'after',
    `
Example:
  openssl rand -hex 32 > /etc/bourse/secret-key.new
  bourse secret rotate --new-secret-key-file /etc/bourse/secret-key.new \\
    --reason 'an administrator has left'
  mv /etc/bourse/secret-key.new /etc/bourse/secret-key
${EXIT_HELP}`,
  );
  each(group, 'rotate', 'replaces the secret while the venue runs')
    .requiredOption('--new-secret-key-file <file>', "file with the new secret, on the venue's machine")
    .requiredOption('--reason <text>', 'why, for the log')
    .action(async ({ newSecretKeyFile, reason, json, ...connect }: SecretOptions) => {
      const client = await OperatorClient.open(connect);
      const file = resolve(newSecretKeyFile);
      const answer = await client.post('/v1/secret', { newSecretKeyFile: file, reason });
      if (json) {
        printJson(answer);
        return;
      }
      printLine(
        `The venue's secret is now the one in ${file}. The old one decrypts only data encrypted before.`,
      );
      printLine(
        'Before the next start, set secretKeyFile to this file, or move it to the path in secretKeyFile.',
      );
    });
  return group;
}
