/** `bourse currencies`: the currencies of a venue, and the chains for their deposits and withdrawals. */

import { Command } from 'commander';
import { readText, systemSentence } from '@bourse/engine';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { each, REASON, show } from './users.ts';
import { jsonFault } from '../config/json-fault.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

interface Row extends Record<string, unknown> {
  readonly chains: readonly { readonly chainId: string }[];
}

const currencyPath = (currency: string): string => `/v1/currencies/${encodeURIComponent(currency)}`;

export function currenciesCommand(): Command {
  const currencies = new Command('currencies').description('currencies of a running service').addHelpText(
    'after',
    `
Examples:
  bourse currencies list
  bourse currencies add currency.json --reason 'the quote currency'
  bourse currencies change EUR terms.json --reason 'dearer withdrawals'
  bourse currencies remove EUR --reason 'wrong scale'

The files hold JSON as the operator API takes it; for add at least
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
    .action((currency: string, file: string, options: Options) =>
      sendFile(currencyPath(currency), file, options),
    );
  each(currencies, 'remove <currency>', 'removes it if it was never used')
    .requiredOption(...REASON)
    .action(async (currency: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(currencyPath(currency), options.reason));
    });
  return currencies;
}

const COLUMNS = [
  'symbol',
  'state',
  'baseIncrement',
  'priceIncrement',
  'baseMinSize',
  'baseMaxSize',
  'minFunds',
];

/** `bourse symbols`: the symbols of a venue, their terms and states. */
export function symbolsCommand(): Command {
  const symbols = new Command('symbols').description('symbols of a running service').addHelpText(
    'after',
    `
Examples:
  bourse symbols list
  bourse symbols state BTC-USDT halted --reason 'incident 12'
  bourse symbols change BTC-USDT terms.json --reason 'smaller ticks'
  bourse symbols add symbol.json --reason 'listing'

The files hold JSON as the operator API takes it; for add at least
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
  each(symbols, 'remove <symbol>', 'removes it if it was never used')
    .requiredOption(...REASON)
    .action(async (symbol: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/symbols/${encodeURIComponent(symbol)}`, options.reason));
    });
  return symbols;
}

interface FeeOptions extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly user?: string;
  readonly symbol?: string;
  readonly maker?: string;
  readonly taker?: string;
}

/** `bourse fees`: maker and taker rates. */
export function feesCommand(): Command {
  const fees = new Command('fees').description('fee rules of a running service').addHelpText(
    'after',
    `
Examples:
  bourse fees list
  bourse fees set --maker 0.0005 --taker 0.001 --reason 'for everybody'
  bourse fees set --user dave --symbol ACME-EUR --maker 0 --taker 0.0005 \\
    --reason 'market maker'
  bourse fees remove --user dave --symbol ACME-EUR --reason 'contract ended'

Rates are parts of the value: 0.001 is a tenth of a per cent. Of several rules that fit an order the first of these
counts: user and symbol, user, symbol, everybody. Without any rule everybody pays 0.001 as maker and as taker.
${EXIT_HELP}`,
  );
  const parties = (command: Command): Command =>
    command
      .option('--user <user>', 'only rules of this user, by id or name')
      .option('--symbol <symbol>', 'only rules of this symbol')
      .requiredOption(...REASON);

  each(fees, 'list', 'all rules').action(async (options: FeeOptions) => {
    print(options, await (await OperatorClient.open(options)).get('/v1/fees'));
  });
  parties(each(fees, 'set', 'sets the rates of a user, of a symbol, of both, or the default'))
    .requiredOption('--maker <rate>', 'rate of resting orders, such as 0.0005')
    .requiredOption('--taker <rate>', 'rate of incoming orders, such as 0.001')
    .action(async (options: FeeOptions) => {
      const { maker, taker, reason } = options;
      const client = await OperatorClient.open(options);
      print(options, await client.post('/v1/fees', { ...named(options), maker, taker, reason }));
    });
  parties(each(fees, 'remove', 'removes the rule with exactly this user and symbol')).action(
    async (options: FeeOptions) => {
      const client = await OperatorClient.open(options);
      const query = new URLSearchParams(named(options));
      print(options, await client.delete('/v1/fees', options.reason, query));
    },
  );
  return fees;
}

const named = ({ user, symbol }: FeeOptions): Record<string, string> => ({
  ...(user === undefined ? {} : { userId: user }),
  ...(symbol === undefined ? {} : { symbol }),
});

function print(options: FeeOptions, rules: unknown): void {
  if (options.json) printJson(rules);
  else printTable(rules as Record<string, unknown>[], ['userId', 'symbol', 'maker', 'taker']);
}

/** Terms of a currency or symbol, sent as they are in a JSON file. */
async function sendFile(path: string, file: string, options: Options): Promise<void> {
  const body = await readTerms(file);
  const client = await OperatorClient.open(options);
  show(options, await client.post(path, { ...body, reason: options.reason }));
}

export async function readTerms(file: string): Promise<Record<string, unknown>> {
  const text = await readText(file).catch((error: unknown) => {
    throw new CommandFailed(
      systemSentence(error, file) ?? `${file}: ${(error as Error).message}.`,
      EXIT.usage,
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailed(`${file}: not JSON from ${jsonFault(text)} on.`, EXIT.usage);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new CommandFailed(`${file}: it must hold one JSON object, such as {"precision": 2}.`, EXIT.usage);
}
