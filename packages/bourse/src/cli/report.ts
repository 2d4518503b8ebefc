/** `bourse report`: the activity of a user, from a running sandbox or from a data directory. */

import { Command } from 'commander';
import { nodeDisk } from '@bourse/engine';
import type { Counted, Report, RequestUse } from '@bourse/sandbox';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient, timeOption, withConnection } from './operator-client.ts';
import { findWorld, toolFailure } from './tool-messages.ts';

interface Options extends ConnectOptions {
  readonly user: string;
  readonly from?: string;
  readonly until?: string;
  readonly currency?: string;
  readonly data?: string;
  readonly json?: boolean;
}

const HELP = `
Examples:
  bourse report --user alice
  bourse report --user alice --from 2026-01-01T12:00:00Z --currency BTC --json
  bourse report --user alice --data ./data

Without --data it asks a running sandbox, which also has the refused requests and the use of rate limits.
With --data it reads the log in that directory, whether or not a service runs on it.

${EXIT_HELP}`;

export function reportCommand(): Command {
  const report = new Command('report')
    .description('the activity of a user: orders, fills, fees, PnL, inventory, slippage, refusals')
    .requiredOption('--user <user>', 'name of the user')
    .option(
      '--from <time>',
      'start of the period: a date, ISO 8601 with a zone, or milliseconds (default: the first record)',
    )
    .option('--until <time>', 'end of the period (default: the last record)')
    .option('--currency <code>', 'currency of PnL and worths (default: USDT)')
    .option('--data <dir>', 'read this data directory instead of asking a sandbox')
    .option('--json', 'print the report as JSON');
  return withConnection(report)
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      if (options.data !== undefined && (options.url ?? options.connect ?? options.token) !== undefined) {
        throw new CommandFailed(
          'Give either a data directory (--data) or a sandbox (--url, --connect, --token).',
          EXIT.usage,
        );
      }
      const found = options.data === undefined ? await ask(options) : await read(options, options.data);
      if (options.json) printJson(found);
      else print(found);
    });
}

type Found = Report & { readonly requests?: RequestUse };

async function ask(options: Options): Promise<Found> {
  const client = await OperatorClient.open(options, 'sandbox');
  const { user, currency } = options;
  const given = {
    user,
    currency,
    from: timeOption('from', options.from),
    until: timeOption('until', options.until),
  };
  const query = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return (await client.get(`/report?${new URLSearchParams(query)}`)) as Found;
}

async function read({ user, currency, from, until }: Options, dir: string): Promise<Found> {
  const period = { from: timeOption('from', from), until: timeOption('until', until) };
  // Loaded lazily: other commands should not wait for it.
  const { NoReport, reportOn } = await import('@bourse/sandbox');
  try {
    return await reportOn(nodeDisk, await findWorld(dir), {
      user,
      ...(currency !== undefined && { currency }),
      ...(period.from !== undefined && { from: period.from }),
      ...(period.until !== undefined && { until: period.until }),
    });
  } catch (error) {
    if (error instanceof NoReport) throw new CommandFailed(error.message, EXIT.failed);
    throw toolFailure(error);
  }
}

const percent = (share: string): string => `${(Number(share) * 100).toFixed(1)} %`;
const counted = (list: readonly Counted[]): string =>
  list.map(({ code, count }) => `${count} ${code}`).join(', ') || 'none';

function print(report: Found): void {
  const { user, currency, from, until, orders, fills, pnl, slippage, requests } = report;
  const time = (ms: number) => new Date(ms).toISOString();
  printLine(`${user}, ${time(from)} to ${time(until)}, worths in ${currency}`);
  printLine('');
  printTable(
    [
      ['orders placed', `${orders.placed}, open now ${orders.open}; done: ${counted(orders.done)}`],
      ['refused by the exchange', counted(orders.refused)],
      [
        'fills',
        `${fills.count}: ${fills.maker} as maker (${percent(fills.makerShare)} of the turnover), ${fills.taker} as taker (${percent(fills.takerShare)})`,
      ],
      ['turnover', fills.turnover],
      ['slippage as taker', `${slippage.taker.cost} (${slippage.taker.bp} bp of the turnover)`],
      ['slippage as maker', `${slippage.maker.cost} (${slippage.maker.bp} bp)`],
      ['fees', pnl.fees],
      ['realised PnL', pnl.realised],
      ['unrealised PnL', pnl.unrealised],
      ['PnL', `${pnl.total} = ${pnl.realised} + ${pnl.unrealised} - ${pnl.fees}`],
      ['  of trading', pnl.trading],
      ['  of holding', pnl.holding],
      ['worth', `${pnl.worthAtStart} at the beginning, ${pnl.moved} moved, ${pnl.worthAtEnd} at the end`],
      ...(requests === undefined ? [] : requestLines(requests)),
    ].map(([what, value]) => ({ what, value })),
    ['what', 'value'],
  );
  printLine('');
  if (report.symbols.length > 0) {
    printTable(report.symbols, ['symbol', 'orders', 'maker', 'taker', 'bought', 'sold', 'turnover', 'fees']);
    printLine('');
  }
  const touched = report.inventory.filter(({ traded, moved }) => traded !== '0' || moved !== '0');
  printTable(touched.length > 0 ? touched : report.inventory, [
    'currency',
    'start',
    'moved',
    'traded',
    'fees',
    'end',
    'averageCost',
    'price',
    'realised',
    'unrealised',
  ]);
}

function requestLines({ total, refused, rateLimits }: RequestUse): string[][] {
  const share = (peak: number, limit: number) =>
    limit === 0 ? '' : ` (${((100 * peak) / limit).toFixed(1)} %)`;
  return [
    ['requests', String(total)],
    [
      'refused requests',
      refused.map(({ code, count, message }) => `${count} ${code} ${message}`).join('; ') || 'none',
    ],
    ...rateLimits.map(({ pool, limit, peak, refused: count }) => [
      `rate limit ${pool}`,
      `at most ${peak} of ${limit} in a window${share(peak, limit)}, refused ${count}`,
    ]),
  ];
}
