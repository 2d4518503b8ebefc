/** `bourse export`: a log as CSV, whether or not a service runs on it. */

import { Argument, Command } from 'commander';
import { nodeDisk } from '@bourse/engine';
import { EXPORTS, type Export, type ExportFilter, exportLog, exportRows } from '../tools/log-export.ts';
import { CommandFailed, EXIT, EXIT_HELP } from './exit-codes.ts';
import { printPieces } from './output.ts';
import { findWorld, toolFailure } from './tool-messages.ts';

const HELP = `
Examples:
  bourse export ./data trades > trades.csv
  bourse export ./data book --symbol BTC-USDT > btc-usdt-l2.csv
  bourse export ./data orders | gzip > orders.csv.gz
  bourse export ./data fills --user alice > my-fills.csv

trades  exchange,symbol,timestamp,local_timestamp,id,side,price,amount; side is the taker's
book    L2: exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount; amount 0 takes a price away
orders  L3: every order received, opened, matched, changed and done, with user and client_oid
fills   one row for each side of a trade: user, order_id, client_oid, liquidity, funds, fee

Ids are those of the interface (orderId, tradeId, clientOid). All columns: docs/operating/export.md.
Times are microseconds. Trades and books of one symbol can be played again in a sandbox.

${EXIT_HELP}`;

interface Options extends ExportFilter {
  readonly json?: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('writes the trades, books, orders or fills of a log as CSV')
    .argument('<dir>', 'the data directory')
    .addArgument(new Argument('<what>', 'what to write').choices(EXPORTS))
    .option('--symbol <symbol>', 'only this symbol')
    .option('--user <user>', 'only rows of this user; not for books')
    .option('--json', 'write a JSON array of objects instead of CSV')
    .addHelpText('after', HELP)
    .action(async (dir: string, what: Export, { json, ...filter }: Options) => {
      if (what === 'book' && filter.user !== undefined)
        throw new CommandFailed('--user: books have no user. Export orders or fills.', EXIT.usage);
      const world = await findWorld(dir);
      const pieces = json
        ? asJson(exportRows(nodeDisk, world, what, filter))
        : asLines(exportLog(nodeDisk, world, what, filter));
      await printPieces(pieces).catch((error: unknown) => {
        throw toolFailure(error);
      });
    });
}

async function* asLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function* asJson(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let names: readonly string[] | undefined;
  let before = '[';
  for await (const values of rows) {
    if (names === undefined) {
      names = values;
      continue;
    }
    yield before + JSON.stringify(Object.fromEntries(names.map((name, at) => [name, values[at]])));
    before = ',';
  }
  yield before === '[' ? '[]\n' : ']\n';
}
