/** `bourse currencies`: the currencies of a venue, and the chains for their deposits and withdrawals. */

import { Command } from 'commander';
import { EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { sendFile } from './terms-file.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

interface Row extends Record<string, unknown> {
  readonly chains: readonly { readonly chainId: string }[];
}

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
const path = (currency: string): string => `/v1/currencies/${encodeURIComponent(currency)}`;

export function currenciesCommand(): Command {
  const currencies = new Command('currencies').description('currencies of a running service').addHelpText(
    'after',
    `
Examples:
  bourse currencies list
  bourse currencies add currency.json --reason 'what prices are in'
  bourse currencies change EUR terms.json --reason 'dearer withdrawals'
  bourse currencies remove EUR --reason 'wrong scale'

The files hold JSON as the operator interface takes it; for add at least
  {"currency": "EUR", "precision": 2, "scale": 12,
   "chains": [{"chainId": "sepa", "chainName": "SEPA"}]}
precision: decimals that can be deposited and withdrawn; scale: decimals that the ledger counts in, which leaves room
for fees and for price times size. Neither can be changed later.
${EXIT_HELP}`,
  );

  each(currencies, 'list', 'all currencies').action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get('/v1/currencies')) as Row[];
    if (options.json) return printJson(rows);
    const shown = rows.map((row) => ({ ...row, chains: row.chains.map(({ chainId }) => chainId) }));
    printTable(shown, ['currency', 'fullName', 'precision', 'scale', 'chains']);
  });
  each(currencies, 'add <file>', 'adds the currency described in a JSON file')
    .requiredOption(...REASON)
    .action((file: string, options: Options) => sendFile('/v1/currencies', file, options));
  each(currencies, 'change <currency> <file>', 'changes the terms named in a JSON file')
    .requiredOption(...REASON)
    .action((currency: string, file: string, options: Options) => sendFile(path(currency), file, options));
  each(currencies, 'remove <currency>', 'removes one that was never used')
    .requiredOption(...REASON)
    .action(async (currency: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(path(currency), options.reason));
    });
  return currencies;
}
