/** `bourse symbols`: what is traded, and whether it may be. */

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

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
const COLUMNS = [
  'symbol',
  'state',
  'baseIncrement',
  'priceIncrement',
  'baseMinSize',
  'baseMaxSize',
  'minFunds',
];

export function symbolsCommand(): Command {
  const symbols = new Command('symbols').description('symbols of a running service').addHelpText(
    'after',
    `
Examples:
  bourse symbols list
  bourse symbols state BTC-USDT halted --reason 'incident 12'
  bourse symbols change BTC-USDT terms.json --reason 'smaller ticks'
  bourse symbols add symbol.json --reason 'listing'

The files hold JSON as the operator interface takes it; for add at least
  {"symbol": "ACME-EUR", "baseCurrency": "ACME", "quoteCurrency": "EUR",
   "baseIncrement": "0.0001", "priceIncrement": "0.01",
   "quoteIncrement": "0.01", "baseMinSize": "0.01", "baseMaxSize": "1000000",
   "quoteMinSize": "0.1", "quoteMaxSize": "1000000", "minFunds": "1",
   "priceLimitRate": "0.1"}
for change the terms that change. A new symbol is halted until \`symbols state\` opens it.
${EXIT_HELP}`,
  );

  each(symbols, 'list', 'all symbols').action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get('/v1/symbols')) as Record<string, unknown>[];
    if (options.json) printJson(rows);
    else printTable(rows, COLUMNS);
  });

  each(symbols, 'add <file>', 'adds the symbol described in a JSON file')
    .requiredOption(...REASON)
    .action((file: string, options: Options) => sendFile('/v1/symbols', file, options));
  each(symbols, 'change <symbol> <file>', 'changes the terms named in a JSON file')
    .requiredOption(...REASON)
    .action((symbol: string, file: string, options: Options) =>
      sendFile(`/v1/symbols/${encodeURIComponent(symbol)}`, file, options),
    );
  each(symbols, 'state <symbol> <state>', 'open, post-only, cancel-only, halted or delisted')
    .requiredOption(...REASON)
    .action(async (symbol: string, state: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const path = `/v1/symbols/${encodeURIComponent(symbol)}/state`;
      show(options, await client.post(path, { state, reason: options.reason }));
    });
  each(symbols, 'remove <symbol>', 'removes one that was never used')
    .requiredOption(...REASON)
    .action(async (symbol: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/symbols/${encodeURIComponent(symbol)}`, options.reason));
    });
  return symbols;
}
