/** `bourse policy` and `bourse proposals`: calls that need approval, and pending proposals. */

import { Command } from 'commander';
import { EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { readTerms } from './reference.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly status?: string;
  readonly hash: string;
}

type Row = Record<string, unknown>;

const COLUMNS = ['proposalId', 'call', 'status', 'proposedBy', 'reason', 'hash'];
const REASON = ['--reason <text>', 'why, for the audit trail'] as const;

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
  each(policy, 'show', 'the policy').action(async (options: Options) => {
    // Its rules are nested lists, which a table would not show.
    printJson(await (await OperatorClient.open(options)).get('/v1/policy'));
  });
  each(policy, 'set <file>', 'replaces the policy with that of a JSON file')
    .requiredOption(...REASON)
    .action(async (file: string, options: Options) => {
      const terms = await readTerms(file);
      const client = await OperatorClient.open(options);
      printJson(await client.post('/v1/policy', { ...terms, reason: options.reason }));
    });
  return policy;
}

export function proposalsCommand(): Command {
  const proposals = new Command('proposals').description('calls that wait for approval').addHelpText(
    'after',
    `
Examples:
  bourse proposals list --status open
  bourse proposals show PROPOSAL_ID
  bourse proposals approve PROPOSAL_ID --hash HASH \\
    --reason 'I have checked the address'
${EXIT_HELP}`,
  );
  each(proposals, 'list', 'the newest first')
    .option('--status <status>', 'open, approved, refused, expired, withdrawn or failed')
    .action(async (options: Options) => {
      const { status } = options;
      const query = status === undefined ? '' : `?status=${encodeURIComponent(status)}`;
      const rows = (await (await OperatorClient.open(options)).get(`/v1/proposals${query}`)) as Row[];
      if (options.json) printJson(rows);
      else printTable(rows.map(named), COLUMNS);
    });
  each(proposals, 'show <id>', 'the complete command, its hash, and the values it would change').action(
    async (id: string, options: Options) =>
      printJson(await (await OperatorClient.open(options)).get(pathOf(id))),
  );
  each(proposals, 'approve <id>', 'approves what the hash names')
    .requiredOption('--hash <hash>', 'of the proposal that you have read')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => decide(id, 'approve', { hash: options.hash }, options));
  each(proposals, 'refuse <id>', 'ends a proposal of somebody else')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => decide(id, 'refuse', {}, options));
  each(proposals, 'withdraw <id>', 'takes your own back')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => decide(id, 'withdraw', {}, options));
  return proposals;
}

const pathOf = (id: string): string => `/v1/proposals/${encodeURIComponent(id)}`;

const named = (row: Row): Row => ({ ...row, proposedBy: (row['proposedBy'] as { name: string }).name });

async function decide(id: string, how: string, fields: Row, options: Options): Promise<void> {
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
