/** `bourse deposits`, `withdrawals`, `questionnaires`, `corrections`: the money queues of a running service. */

import { Command } from 'commander';
import { EXIT_HELP, printJson, printTable } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { each, queryOf, REASON, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly status?: string;
  readonly user?: string;
  readonly currency?: string;
  readonly page?: string;
  readonly failureCode?: string;
  readonly failureReason?: string;
  readonly txId?: string;
  readonly chain?: string;
  readonly tx?: string;
  readonly travelRule?: boolean;
  readonly deposit?: string;
  readonly withdrawal?: string;
  readonly correction?: string;
  readonly from?: string;
  readonly to?: string;
  readonly clientOid?: string;
  readonly search?: string;
  readonly olderThan?: string;
  readonly assigned?: string;
}

type Row = Record<string, unknown>;

export function depositsCommand(): Command {
  const deposits = new Command('deposits').description('deposits of a running service').addHelpText(
    'after',
    `
Examples:
  bourse deposits list --status waiting
  bourse deposits list --user alice --currency USDT --json
  bourse deposits add dave 1000 EUR --chain sepa --tx 9f3c \\
    --reason 'bank statement 17'

A deposit is credited to the user's MAIN account. --tx is the idempotency key: adding it again has no effect.
${EXIT_HELP}`,
  );
  const columns = ['depositId', 'status', 'userId', 'currency', 'amount', 'fee', 'txId', 'createdAt'];
  listing(deposits, 'deposits', 'waiting, review, refused or credited', columns).option(
    '--currency <code>',
    'only this currency',
  );
  each(deposits, 'add <user> <amount> <currency>', 'reports an incoming payment')
    .option('--chain <chain>', 'chain, by id or name; optional if the currency has only one')
    .requiredOption('--tx <id>', 'transaction id, which identifies the deposit')
    .option('--travel-rule', 'credit it only after the user has submitted a questionnaire that you accept')
    .requiredOption(...REASON)
    .action(async (userId: string, amount: string, currency: string, options: Options) => {
      const { chain, tx: txId, travelRule = false, reason } = options;
      const client = await OperatorClient.open(options);
      show(
        options,
        await client.post('/v1/deposits', { userId, currency, chain, amount, txId, travelRule, reason }),
      );
    });
  each(deposits, 'return <id>', 'reports that a refused or pending deposit was sent back')
    .option('--tx-id <id>', 'transaction id of the return payment')
    .requiredOption(...REASON)
    .action(async (id: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const { txId, reason } = options;
      show(options, await client.post(`/v1/deposits/${encodeURIComponent(id)}/return`, { txId, reason }));
    });
  assigning(deposits, 'deposits');
  return deposits;
}

export function correctionsCommand(): Command {
  const corrections = new Command('corrections')
    .description('corrections of a running service: new postings that reverse or move money')
    .addHelpText(
      'after',
      `
Examples:
  bourse corrections list
  bourse corrections reverse --deposit 5f0000030000000000150000 \\
    --reason 'reported for the wrong user'
  bourse corrections move 10 EUR --from dave/main --to suspense \\
    --reason 'ticket 4711'

A side is USER/main, USER/trade, fees or suspense.
${EXIT_HELP}`,
    );
  each(corrections, 'list', 'all corrections, newest first')
    .option('--page <number>', 'page of 50 entries, from 1')
    .action(async (options: Options) => {
      const client = await OperatorClient.open(options);
      const answer = await client.get(`/v1/corrections?${queryOf({ currentPage: options.page })}`);
      if (options.json) printJson(answer);
      else {
        const rows = (answer as { items: Row[] }).items;
        printTable(rows, ['correctionId', 'kind', 'currency', 'amount', 'reversedBy']);
      }
    });
  const send = async (options: Options, body: Row): Promise<void> => {
    const client = await OperatorClient.open(options);
    show(options, await client.post('/v1/corrections', { ...body, reason: options.reason }));
  };
  each(corrections, 'reverse', 'reverses a deposit, a withdrawal or a correction')
    .option('--deposit <id>', 'a credited deposit')
    .option('--withdrawal <id>', 'a sent withdrawal')
    .option('--correction <id>', 'a correction')
    .requiredOption(...REASON)
    .action((options: Options) => {
      const { deposit: depositId, withdrawal: withdrawalId, correction: correctionId } = options;
      return send(options, { kind: 'reverse', depositId, withdrawalId, correctionId });
    });
  each(corrections, 'move <amount> <currency>', 'moves money between accounts')
    .requiredOption('--from <side>', 'USER/main, USER/trade, fees or suspense')
    .requiredOption('--to <side>', 'the same')
    .option('--client-oid <id>', 'idempotency key: repeating it moves nothing')
    .requiredOption(...REASON)
    .action((amount: string, currency: string, options: Options) => {
      const { from = '', to = '', clientOid } = options;
      const sides = { from: sideOf(from), to: sideOf(to) };
      return send(options, { kind: 'move', amount, currency, ...sides, clientOid });
    });
  return corrections;
}

/** User names contain no slash. */
function sideOf(text: string): Row {
  const [userId, account] = text.split('/', 2);
  return account === undefined ? { system: text } : { userId, account };
}

export function withdrawalsCommand(): Command {
  const withdrawals = new Command('withdrawals').description('withdrawals of a running service').addHelpText(
    'after',
    `
Examples:
  bourse withdrawals list --status processing
  bourse withdrawals claim 5f0000060000000000150000 --reason 'I pay it now'
  bourse withdrawals sent 5f0000060000000000150000 --tx-id 9f3c \\
    --reason 'paid at the bank'
  bourse withdrawals failed 5f0000060000000000150000 \\
    --failure-reason 'The bank refused the account.' --reason 'returned'

Claim a withdrawal before you pay it: from then on the user cannot cancel it, and nobody else can claim it.
${EXIT_HELP}`,
  );
  const columns = [
    'withdrawalId',
    'status',
    'claimedBy',
    'userId',
    'currency',
    'amount',
    'fee',
    'address',
    'createdAt',
  ];
  listing(withdrawals, 'withdrawals', 'processing, paying, sent, failed or cancelled', columns).option(
    '--currency <code>',
    'only this currency',
  );
  const act = async (id: string, call: string, options: Options, body: Row): Promise<void> => {
    const client = await OperatorClient.open(options);
    const path = `/v1/withdrawals/${encodeURIComponent(id)}/${call}`;
    show(options, await client.post(path, { ...body, reason: options.reason }));
  };
  each(withdrawals, 'claim <id>', 'claims a withdrawal, before you pay it')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => act(id, 'claim', options, {}));
  each(withdrawals, 'unclaim <id>', 'releases the claim of an unpaid withdrawal')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => act(id, 'unclaim', options, {}));
  each(withdrawals, 'sent <id>', 'reports that a withdrawal was paid')
    .requiredOption('--tx-id <id>', 'transaction id, shown to the user')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => act(id, 'settle', options, { sent: true, txId: options.txId }));
  each(withdrawals, 'failed <id>', 'reports that the payment failed, and returns the money to the user')
    .option('--failure-reason <text>', 'reason, shown to the user')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => {
      const { failureReason } = options;
      return act(id, 'settle', options, { sent: false, failureReason });
    });
  each(
    withdrawals,
    'advance <id> <state>',
    'reports the progress of a payment: signed, broadcast, sent or failed',
  )
    .option('--tx-id <id>', 'transaction id, once known; shown to the user')
    .requiredOption(...REASON)
    .action((id: string, state: string, options: Options) =>
      act(id, 'advance', options, { state, txId: options.txId }),
    );
  assigning(withdrawals, 'withdrawals');
  return withdrawals;
}

export function questionnairesCommand(): Command {
  const questionnaires = new Command('questionnaires')
    .description('Travel Rule questionnaires about pending deposits')
    .addHelpText(
      'after',
      `
Examples:
  bourse questionnaires list --status pending
  bourse questionnaires accept 5f0000050000000000174a75 --reason 'checked'
  bourse questionnaires fail 5f0000050000000000174a75 \\
    --failure-code sender-unclear --reason 'no name'
${EXIT_HELP}`,
    );
  listing(questionnaires, 'questionnaires', 'pending, success or fail', [
    'orderId',
    'status',
    'userId',
    'type',
    'failureCode',
    'complianceInfo',
  ]);
  const decide = async (id: string, options: Options, decision: Row): Promise<void> => {
    const client = await OperatorClient.open(options);
    const path = `/v1/questionnaires/${encodeURIComponent(id)}/decision`;
    show(options, await client.post(path, { ...decision, reason: options.reason }));
  };
  each(questionnaires, 'accept <id>', 'accepts a questionnaire, which credits the deposit')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => decide(id, options, { status: 'success' }));
  each(questionnaires, 'fail <id>', 'fails a questionnaire; the user may submit it again')
    .requiredOption('--failure-code <code>', 'code, shown to the user')
    .requiredOption(...REASON)
    .action((id: string, options: Options) =>
      decide(id, options, { status: 'fail', failureCode: options.failureCode }),
    );
  assigning(questionnaires, 'questionnaires');
  return questionnaires;
}

/** Assigns queue entries to operators. */
function assigning(group: Command, path: string): void {
  const send = async (id: string, call: string, options: Options, body: Row): Promise<void> => {
    const client = await OperatorClient.open(options);
    const target = `/v1/${path}/${encodeURIComponent(id)}/${call}`;
    show(options, await client.post(target, { ...body, reason: options.reason }));
  };
  each(group, 'assign <id>', 'assigns it to an operator')
    .option('--to <operator>', 'operator id, or root (default: you)')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => send(id, 'assign', options, { to: options.to }));
  each(group, 'release <id>', 'ends its assignment')
    .requiredOption(...REASON)
    .action((id: string, options: Options) => send(id, 'release', options, {}));
}

function listing(group: Command, path: string, states: string, columns: readonly string[]): Command {
  return each(group, 'list', 'newest first')
    .option('--status <status>', states)
    .option('--user <user>', 'only of this user, by id or name')
    .option('--search <text>', 'part of a transaction id, an address or a user name')
    .option('--older-than <ms>', 'only entries at least this old')
    .option('--assigned <operator>', 'only entries assigned to this operator id, or root')
    .option('--page <number>', 'page of 50 entries, from 1')
    .action(async (options: Options) => {
      const { status, user, currency, search, olderThan: olderThanMs, assigned, page } = options;
      const query = queryOf({
        status,
        userId: user,
        currency,
        search,
        olderThanMs,
        assigned,
        currentPage: page,
      });
      const answer = await (await OperatorClient.open(options)).get(`/v1/${path}?${query}`);
      if (options.json) printJson(answer);
      else printTable((answer as { items: Row[] }).items, [...columns]);
    });
}
