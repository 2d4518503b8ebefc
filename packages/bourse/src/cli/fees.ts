/** `bourse fees`: maker and taker rates. */

import { Command } from 'commander';
import { EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { each } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly user?: string;
  readonly symbol?: string;
  readonly maker?: string;
  readonly taker?: string;
}

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;

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
      .option('--user <user>', 'only this one, by id or name')
      .option('--symbol <symbol>', 'only in this one')
      .requiredOption(...REASON);

  each(fees, 'list', 'all rules').action(async (options: Options) => {
    print(options, await (await OperatorClient.open(options)).get('/v1/fees'));
  });
  parties(each(fees, 'set', 'sets the rates of a user, of a symbol, of both, or the default'))
    .requiredOption('--maker <rate>', 'rate of resting orders, such as 0.0005')
    .requiredOption('--taker <rate>', 'rate of incoming orders, such as 0.001')
    .action(async (options: Options) => {
      const { maker, taker, reason } = options;
      const client = await OperatorClient.open(options);
      print(options, await client.post('/v1/fees', { ...named(options), maker, taker, reason }));
    });
  parties(each(fees, 'remove', 'removes the rule of exactly these')).action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const query = new URLSearchParams(named(options));
    print(options, await client.delete('/v1/fees', options.reason, query));
  });
  return fees;
}

const named = ({ user, symbol }: Options): Record<string, string> => ({
  ...(user === undefined ? {} : { userId: user }),
  ...(symbol === undefined ? {} : { symbol }),
});

function print(options: Options, rules: unknown): void {
  if (options.json) printJson(rules);
  else printTable(rules as Record<string, unknown>[], ['userId', 'symbol', 'maker', 'taker']);
}
