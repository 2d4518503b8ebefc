/**
 * `bourse sandbox`: the control API of a running sandbox, one command per call. Fields are `name=value`, with dots for
 * nested fields.
 */

import { Command } from 'commander';
import { type CallFields, fieldHelp } from '@bourse/sandbox/basics';
import { CommandFailed, EXIT, EXIT_HELP, printLine, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { addCalls, queryOf, readFields, type RouteCalls, type RunCall } from './route-calls.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
}

type Row = Readonly<Record<string, unknown>>;

const SNAPSHOT = ['id', 'name', 'seq', 'time'];
const FORK = ['id', 'baseUrl', 'market', 'clock', 'seed'];
const FAULT = ['id', 'match', 'effect', 'hits'];
const REQUEST = ['id', 'time', 'user', 'method', 'path', 'status', 'code', 'durationUs', 'fault'];

/** Calls by their words on the command line. */
export const SANDBOX_CALLS: RouteCalls = new Map([
  ['show', { id: 'get-sandbox', description: 'seed, market, clock and counts' }],
  ['clock show', { id: 'get-sandbox-clock', description: 'exchange time and the mode of the clock' }],
  ['clock set', { id: 'set-sandbox-clock', description: 'mode=real, mode=manual, or mode=scaled speed=10' }],
  ['clock advance', { id: 'advance-sandbox-clock', description: 'ms=60000: advances a stopped clock' }],
  [
    'clock advance-until-idle',
    { id: 'advance-until-idle', description: 'stepMs=100 while requests arrive or are in flight' },
  ],
  [
    'market show',
    { id: 'get-sandbox-market', description: 'preset, seed, symbols with their latent prices' },
  ],
  ['market set', { id: 'set-sandbox-market', description: 'preset=wild seed=2 symbols=BTC-USDT,KCS-USDT' }],
  ['market shock', { id: 'shock-sandbox-market', description: 'symbol=BTC-USDT factor=0.5: a value jumps' }],
  ['replay start', { id: 'start-replay', description: 'symbol=BTC-USDT file=trades.csv speed=10' }],
  ['replay show', { id: 'get-replay', description: 'running replays and their positions' }],
  ['replay stop', { id: 'stop-replay', description: 'symbol=BTC-USDT: stops a replay; without it, all' }],
  ['faucet', { id: 'use-faucet', description: 'user=alice currency=USDT amount=100 account=trade' }],
  ['users add', { id: 'add-sandbox-user', description: 'name=dave balances.USDT=1000: with a key' }],
  [
    'mail',
    {
      id: 'list-mail',
      description: 'to=ada@example.test: mails, newest first',
      columns: ['time', 'to', 'subject'],
    },
  ],
  ['snapshots take', { id: 'take-snapshot', description: 'name=before: saves the current state' }],
  ['snapshots list', { id: 'list-snapshots', description: 'oldest first', columns: SNAPSHOT }],
  ['snapshots restore', { id: 'restore-snapshot', description: 'restores one', argument: 'id' }],
  ['snapshots remove', { id: 'remove-snapshot', description: 'removes one', argument: 'id' }],
  ['forks add', { id: 'add-fork', description: 'from=s1 or from=1234, market=, clock=, seed=, port=' }],
  ['forks list', { id: 'list-forks', description: 'running forks', columns: FORK }],
  ['forks remove', { id: 'remove-fork', description: 'ends a fork and removes its data', argument: 'id' }],
  ['faults add', { id: 'add-fault', description: 'match.user=alice effect.kind=drop-reply times=1' }],
  [
    'faults list',
    { id: 'list-faults', description: 'the faults, and how often each was applied', columns: FAULT },
  ],
  ['faults remove', { id: 'remove-fault', description: 'removes one', argument: 'id' }],
  ['faults clear', { id: 'remove-all-faults', description: 'removes all' }],
  [
    'scenarios list',
    { id: 'list-scenarios', description: 'bundles of faults', columns: ['name', 'running', 'summary'] },
  ],
  ['scenarios start', { id: 'start-scenario', description: 'starts one', argument: 'name' }],
  ['scenarios end', { id: 'end-scenario', description: 'ends one', argument: 'name' }],
  ['requests list', { id: 'list-requests', description: 'user=alice status=400 limit=20', columns: REQUEST }],
  ['requests tail', { id: 'tail-requests', description: 'new requests, one JSON object per line' }],
  [
    'expect',
    {
      id: 'expect-event',
      description:
        'event.kind=fill event.where.user=alice withinMs=5000; exit code 1 if it does not arrive. withinMs is exchange time, with clock=wall machine time',
    },
  ],
  [
    'assertions add',
    { id: 'add-assertion', description: 'name=few always.user=alice always.openOrdersMax=3' },
  ],
  [
    'assertions list',
    {
      id: 'list-assertions',
      description: 'the assertions, and whether each holds',
      columns: ['name', 'holds', 'brokenBy'],
    },
  ],
  ['report', { id: 'get-report', description: 'user=alice currency=USDT: a report on a user, as JSON' }],
  ['assertions remove', { id: 'remove-assertion', description: 'removes one', argument: 'name' }],
]);

/** `fields`: the fields of the calls, if help or completion needs them. */
export function sandboxCommand(fields: CallFields | undefined): Command {
  const sandbox = new Command('sandbox')
    .description('controls the clock, market, faults and snapshots of a running sandbox')
    .addHelpText(
      'after',
      `
Examples:
  bourse sandbox clock advance ms=60000
  bourse sandbox faults add match.route=place-order \\
    effect.kind=drop-reply times=1
  bourse sandbox snapshots restore s1
  bourse sandbox expect event.kind=fill event.where.user=alice \\
    withinMs=5000 clock=wall
${EXIT_HELP}`,
    );
  addCalls(sandbox, "the sandbox's", SANDBOX_CALLS, run, (group, usage, { id, description }) => {
    const command = each(group, usage, description);
    if (fields) command.addHelpText('after', fieldHelp(fields.calls.get(id)!, fields.effects));
    return command;
  });
  return sandbox;
}

const run: RunCall<Options> = async (call, argument, given, options) => {
  // Loaded lazily: the schemas come with the server, and other commands should not wait for it.
  const { CONTROL_ROUTES, EFFECT_SCHEMAS } = await import('@bourse/sandbox');
  const { method, path, query, body } = CONTROL_ROUTES.find(({ id }) => id === call.id)!;
  const fields = readFields(given, body ?? query!, EFFECT_SCHEMAS);
  const client = await OperatorClient.open(options, 'sandbox');
  const place = path.replace(/:\w+/, encodeURIComponent(argument));
  const asked = method === 'POST' ? place : `${place}${queryOf(fields)}`;
  if (call.id === 'tail-requests') {
    await client.follow(asked, printLine);
    return;
  }
  if (call.id === 'expect-event' && fields['clock'] !== 'wall') await warnOfManualClock(client);
  const answer = method === 'POST' ? await client.post(asked, fields) : await client.ask(method, asked);
  if (options.json || call.columns === undefined) show(options, answer);
  else printTable(answer as Row[], call.columns);
  if ((answer as Row)['met'] === false)
    throw new CommandFailed('The expected event did not arrive.', EXIT.failed);
};

/** A timeout in exchange time never ends while the clock stands still. */
async function warnOfManualClock(client: OperatorClient): Promise<void> {
  const { mode } = (await client.get('/clock')) as { mode: string };
  if (mode !== 'manual') return;
  process.stderr.write(
    "The clock is manual and stands still, so withinMs does not pass: advance it with 'bourse sandbox clock advance ms=...', or give clock=wall.\n",
  );
}
