/**
 * `bourse markets` and `bourse notices`: states, auctions, the pause of the exchange, scheduled changes and
 * announcements.
 */

import { Command } from 'commander';
import { jsonFault } from '../config/json-fault.ts';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient, parseTime, timeOption } from './operator-client.ts';
import { each, REASON, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly endsIn?: string;
  readonly reference?: string;
  readonly band?: string;
  readonly then?: string;
  readonly symbol?: string;
}

const SECOND_MS = 1000;

type Row = Record<string, unknown>;

export function marketsCommand(): Command {
  const markets = new Command('markets').description('markets of a running service').addHelpText(
    'after',
    `
Examples:
  bourse markets list
  bourse markets state BTC-USDT post-only --reason 'before the opening'
  bourse markets auction BTC-USDT --ends-in 600 --band 0.1 \\
    --then open --reason 'opening'
  bourse markets schedule 2027-01-04T08:00:00Z set-market-state \\
    --symbol BTC-USDT '{"state":"halted"}' --reason 'holiday'
  bourse markets pause --reason 'incident 12'

States: open, post-only, cancel-only, halted, delisted; an auction has a command of its own.
${EXIT_HELP}`,
  );
  each(markets, 'list', 'the state of every market').action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const [symbols, pause] = [
      (await client.get('/v1/symbols')) as Row[],
      (await client.get('/v1/pause')) as { readonly paused: boolean },
    ];
    const rows = symbols.map(({ symbol, state, enableTrading }) => ({
      symbol,
      state,
      enableTrading,
      paused: pause.paused,
    }));
    if (options.json) printJson(rows);
    else printTable(rows, ['symbol', 'state', 'enableTrading', 'paused']);
  });
  each(markets, 'state <symbol> <state>', 'sets the state of a market')
    .requiredOption(...REASON)
    .action((symbol: string, state: string, options: Options) =>
      send(options, `/v1/symbols/${encodeURIComponent(symbol)}/state`, { state }),
    );
  each(markets, 'auction <symbol>', 'begins a call auction')
    .requiredOption('--ends-in <seconds>', 'how long orders are collected')
    .option('--reference <price>', 'reference price before the first trade')
    .option('--band <fraction>', 'maximum distance from the reference, such as 0.1')
    .option('--then <state>', 'the state after the auction', 'open')
    .requiredOption(...REASON)
    .action((symbol: string, options: Options) =>
      send(options, `/v1/symbols/${encodeURIComponent(symbol)}/auction`, {
        endsInMs: Number(options.endsIn) * SECOND_MS,
        referencePrice: options.reference,
        band: options.band,
        thenState: options.then,
      }),
    );
  each(markets, 'show-auction <symbol>', 'the running auction and its indicative price').action(
    async (symbol: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.get(`/v1/symbols/${encodeURIComponent(symbol)}/auction`));
    },
  );
  each(markets, 'cancel-auction <symbol>', 'ends an auction without a trade, and halts the market')
    .requiredOption(...REASON)
    .action((symbol: string, options: Options) =>
      send(options, `/v1/symbols/${encodeURIComponent(symbol)}/auction/cancel`, {}),
    );
  each(
    markets,
    'cancel-orders <symbol>',
    'cancels all orders of a market; the reason is shown to their users',
  )
    .requiredOption(...REASON)
    .action(async (symbol: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/symbols/${encodeURIComponent(symbol)}/orders`, options.reason));
    });
  each(markets, 'pause', 'stops every market')
    .requiredOption(...REASON)
    .action((options: Options) => send(options, '/v1/pause', {}));
  each(markets, 'resume', 'ends the pause')
    .requiredOption(...REASON)
    .action((options: Options) => send(options, '/v1/resume', {}));
  each(markets, 'schedule <time> <call> [body]', 'schedules a call of the operator API (body: JSON)')
    .option('--symbol <symbol>', 'of calls that name one')
    .requiredOption(...REASON)
    .action((time: string, call: string, body: string | undefined, options: Options) =>
      send(options, '/v1/schedule', {
        at: parseTime('time', time),
        call,
        ...(options.symbol !== undefined && { params: { symbol: options.symbol } }),
        ...(body !== undefined && { body: parseBody(body) }),
      }),
    );
  each(markets, 'scheduled', 'pending changes, the earliest first').action(async (options: Options) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get('/v1/schedule')) as (Row & { at: number; command: Row })[];
    if (options.json) printJson(rows);
    else {
      const shown = rows.map(({ at, command, ...row }) => ({
        ...row,
        at: new Date(at).toISOString(),
        symbol: command['symbol'],
      }));
      printTable(shown, ['id', 'at', 'call', 'symbol', 'status', 'scheduledBy', 'reason']);
    }
  });
  each(markets, 'unschedule <id>', 'withdraws a pending change')
    .requiredOption(...REASON)
    .action(async (id: string, options: Options) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/schedule/${encodeURIComponent(id)}`, options.reason));
    });
  return markets;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailed(`body: not JSON from ${jsonFault(text)} on.`, EXIT.usage);
  }
}

async function send(options: Options, path: string, body: object): Promise<void> {
  const client = await OperatorClient.open(options);
  show(options, await client.post(path, { ...body, reason: options.reason }));
}

// `bourse notices`: announcements to everybody, and announced changes of increments.

interface NoticeOptions extends ConnectOptions {
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

const COLUMNS = ['noticeId', 'publishAt', 'type', 'title', 'symbol', 'effectiveAt', 'status'];

interface NoticeRow {
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
  each(notices, 'list', 'all notices, the newest first').action(async (options: NoticeOptions) => {
    const client = await OperatorClient.open(options);
    const rows = (await client.get('/v1/notices')) as NoticeRow[];
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
    .option('--publish-at <time>', 'when everybody sees it (ISO 8601 with a zone); at once unless given')
    .option('--symbol <symbol>', 'whose increments change')
    .option('--effective-at <time>', 'when they change (ISO 8601 with a zone)')
    .option('--price-increment <decimal>', 'the new one')
    .option('--quote-increment <decimal>', 'the new one')
    .requiredOption(...REASON)
    .action(async (title: string, options: NoticeOptions) => {
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
    .action(async (noticeId: string, options: NoticeOptions) => {
      const client = await OperatorClient.open(options);
      show(options, await client.delete(`/v1/notices/${encodeURIComponent(noticeId)}`, options.reason));
    });
  return notices;
}
