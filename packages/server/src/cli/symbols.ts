/** `bourse symbols`: what is traded, and whether it may be. */

import { Command } from 'commander';
import { readText } from '../io/text-file.ts';
import { CommandFailed, EXIT, EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
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

The files hold JSON as the operator interface takes it: for add all fields that \`symbols list --json\` shows
(without state), for change those that change.
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
    .action((file: string, options: Options) => send('/v1/symbols', file, options));
  each(symbols, 'change <symbol> <file>', 'changes the terms named in a JSON file')
    .requiredOption(...REASON)
    .action((symbol: string, file: string, options: Options) =>
      send(`/v1/symbols/${encodeURIComponent(symbol)}`, file, options),
    );
  each(symbols, 'state <symbol> <state>', 'open, cancel-only or halted')
    .requiredOption(...REASON)
    .action(async (symbol: string, state: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const path = `/v1/symbols/${encodeURIComponent(symbol)}/state`;
      show(options, await client.post(path, { state, reason: options.reason }));
    });
  return symbols;
}

async function send(path: string, file: string, options: Options): Promise<void> {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(await readText(file)) as Record<string, unknown>;
  } catch (error) {
    throw new CommandFailed(`${file}: ${(error as Error).message}.`, EXIT.usage);
  }
  const client = await OperatorClient.open(options);
  show(options, await client.post(path, { ...body, reason: options.reason }));
}
