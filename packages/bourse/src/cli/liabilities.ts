/** `bourse liabilities`: publishes the exchange's liabilities, and verifies that they include a user's balances. */

import { Command } from 'commander';
import { readText, systemSentence } from '@bourse/engine';
import { describeVerified, KEY, ProofWrong, verifyLiabilities } from '../tools/verify-liabilities.mjs';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable, withProgress } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { each } from './users.ts';

interface Published {
  readonly id: string;
  readonly time: number;
  readonly currencies: readonly { readonly currency: string; readonly sum: string; readonly root: string }[];
}

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

interface VerifyOptions {
  readonly root: string;
  readonly key?: string;
  readonly user?: string;
  readonly balance: readonly string[];
  readonly json?: boolean;
}

const COLUMNS = ['id', 'time', 'currency', 'sum', 'root'];

const HELP = `
Examples:
  bourse liabilities take --reason 'the end of the month'
  bourse liabilities list
  curl -s http://127.0.0.1:8080/transparency/liabilities > roots.json
  bourse liabilities verify proof.json --root roots.json --key key.txt \\
    --balance BTC=1.5

Users fetch proof.json with their own key or session. They can verify it without Bourse, with
/transparency/verify-liabilities.mjs.
${EXIT_HELP}`;

export function liabilitiesCommand(): Command {
  const group = new Command('liabilities')
    .description("the exchange's published liabilities to its users, and proofs of them")
    .addHelpText('after', HELP);
  each(group, 'take', 'publishes the current liabilities')
    .requiredOption('--reason <text>', 'why, for the log')
    .action(async (options: Options) => {
      const client = await OperatorClient.open(options);
      const taking = client.post('/v1/liabilities', { reason: options.reason });
      print(options, [(await withProgress('building the trees', taking)) as Published]);
    });
  each(group, 'list', 'publications, newest first').action(async (options: Options) => {
    print(options, (await (await OperatorClient.open(options)).get('/v1/liabilities')) as Published[]);
  });
  group
    .command('verify')
    .description('verifies a proof offline')
    .argument('<proof>', 'file with the response of .../liabilities/ID/proof')
    .requiredOption('--root <file>', 'file with the response of /transparency/liabilities')
    .option('--key <key>', "the exchange's key from /transparency/key, or a file that contains it")
    .option('--user <id>', 'the user id that the proof must name')
    .option(
      '--balance <currency=amount>',
      'a balance that the proof must contain, such as BTC=1.5; repeatable',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (proof: string, { root, key, user, balance, json }: VerifyOptions) => {
      const [proofText, rootText, keyText] = await Promise.all([
        read(proof),
        read(root),
        key === undefined || KEY.test(key) ? key : read(key),
      ]);
      const verified = verify(proofText, rootText, { key: keyText, user, balances: balance });
      if (json) printJson(verified);
      else for (const line of describeVerified(verified)) printLine(line);
    });
  return group;
}

function print({ json }: Options, published: readonly Published[]): void {
  if (json) {
    printJson(published);
    return;
  }
  const rows = published.flatMap(({ id, time, currencies }) =>
    currencies.map(({ currency, sum, root }) => ({
      id,
      time: new Date(time).toISOString(),
      currency,
      sum,
      root,
    })),
  );
  if (rows.length === 0) printLine('Nothing was published, or no user has a balance.');
  else printTable(rows, COLUMNS);
}

async function read(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw new CommandFailed(
      systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`,
      EXIT.usage,
    );
  }
}

function verify(...given: Parameters<typeof verifyLiabilities>): ReturnType<typeof verifyLiabilities> {
  try {
    return verifyLiabilities(...given);
  } catch (error) {
    if (!(error instanceof ProofWrong)) throw error;
    throw new CommandFailed(`Not proved. ${error.message}`, EXIT.data);
  }
}
