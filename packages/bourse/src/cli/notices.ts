/** `bourse notices`: what everybody is told, and changes of increments that are announced. */

import { Command } from 'commander';
import { EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient, timeOption } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly text?: string;
  readonly type?: string;
  readonly link?: string;
  readonly publishAt?: string;
  readonly symbol?: string;
  readonly effectiveAt?: string;
  readonly priceIncrement?: string;
  readonly quoteIncrement?: string;
}

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
const COLUMNS = ['noticeId', 'publishAt', 'type', 'title', 'symbol', 'effectiveAt', 'status'];

interface Row {
  readonly change: Readonly<Record<string, unknown>> | null;
}

export function noticesCommand(): Command {
  const notices = new Command('notices').description('notices of a running service').addHelpText(
    'after',
    `
Examples:
  bourse notices list
  bourse notices publish 'Maintenance on Sunday' --type maintenance-updates \\
    --reason 'new disks'
  bourse notices publish 'Finer prices' \\
    --symbol BTC-USDT --price-increment 0.01 \\
    --effective-at 2027-01-01T00:00:00Z --reason 'decided by the board'
  bourse notices remove 3 --reason 'postponed'

A change of increments takes effect by itself at its time. Removing its notice before that cancels it.
${EXIT_HELP}`,
  );
  each(notices, 'list', 'all notices, the newest first').action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get('/v1/notices')) as Row[];
    if (options.json) printJson(rows);
    else
      printTable(
        rows.map(({ change, ...row }) => ({ ...row, ...change })),
        COLUMNS,
      );
  });
  each(notices, 'publish <title>', 'publishes a notice, at once or later')
    .option('--text <text>', 'more than the title')
    .option('--type <type>', 'such as maintenance-updates, product-updates, new-listings, delistings')
    .option('--link <url>', 'where there is more')
    .option('--publish-at <time>', 'when everybody sees it (ISO 8601); at once unless given')
    .option('--symbol <symbol>', 'whose increments change')
    .option('--effective-at <time>', 'when they change (ISO 8601)')
    .option('--price-increment <decimal>', 'the new one')
    .option('--quote-increment <decimal>', 'the new one')
    .requiredOption(...REASON)
    .action(async (title: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const { text, type, link, symbol, priceIncrement, quoteIncrement, reason } = options;
      show(
        options,
        await client.post('/v1/notices', {
          title,
          text,
          type,
          url: link,
          symbol,
          priceIncrement,
          quoteIncrement,
          publishAt: timeOption('publish-at', options.publishAt),
          effectiveAt: timeOption('effective-at', options.effectiveAt),
          reason,
        }),
      );
    });
  each(notices, 'remove <noticeId>', 'removes a notice, and a change of it that is still to come')
    .requiredOption(...REASON)
    .action(async (noticeId: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/notices/${encodeURIComponent(noticeId)}`, options.reason));
    });
  return notices;
}
