/** `bourse export`: a log as CSV for the usual tools, whether or not a service is running on it. */

import { Argument, Command } from 'commander';
import { nodeDisk } from '../io/node-disk.ts';
import { EXPORTS, type Export, exportLog } from '../tools/log-export.ts';
import { EXIT_HELP } from './exit-codes.ts';
import { printPieces } from './output.ts';
import { toolFailure } from './tool-messages.ts';

const HELP = `
Examples:
  bourse export ./data trades > trades.csv
  bourse export ./data book --symbol BTC-USDT > btc-usdt-l2.csv
  bourse export ./data orders | gzip > orders.csv.gz

trades  exchange,symbol,timestamp,local_timestamp,id,side,price,amount
book    L2: exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount; amount 0 takes a price away
orders  L3: every order received, opened, matched, changed and done

Times are microseconds. Trades and books of one symbol can be played again in a sandbox.

${EXIT_HELP}`;

export function exportCommand(): Command {
  return new Command('export')
    .description('writes the trades, books or orders of a log as CSV')
    .argument('<dir>', 'the data directory')
    .addArgument(new Argument('<what>', 'what to write').choices(EXPORTS))
    .option('--symbol <symbol>', 'only this symbol')
    .option('--json', 'write a JSON array with an object for each row instead of CSV')
    .addHelpText('after', HELP)
    .action(async (dir: string, what: Export, { symbol, json }: { symbol?: string; json?: boolean }) => {
      const lines = exportLog(nodeDisk, dir, what, symbol);
      await printPieces(json ? asJson(lines) : asLines(lines)).catch((error: unknown) => {
        throw toolFailure(error);
      });
    });
}

async function* asLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** No value has a comma in it: they are numbers, codes and ids. */
async function* asJson(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let names: readonly string[] | undefined;
  let before = '[\n';
  for await (const line of lines) {
    const values = line.split(',');
    if (names === undefined) {
      names = values;
      continue;
    }
    yield before + JSON.stringify(Object.fromEntries(names.map((name, at) => [name, values[at]])));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
