/** `bourse addresses`: the sources of a venue's deposit addresses. */

import { Command } from 'commander';
import { readText, systemSentence } from '@bourse/engine';
import { CommandFailed, EXIT, EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printTable } from './output.ts';
import { each, show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
  readonly key?: string;
  readonly memo?: string;
}

type Row = Record<string, unknown>;

const REASON = ['--reason <text>', 'why, for the audit trail'] as const;
const LOADED_MAX = 1000;
const COLUMNS = ['chain', 'source', 'free', 'nextIndex', 'requests', 'warning'];

export function addressesCommand(): Command {
  const addresses = new Command('addresses').description("deposit addresses of a venue's chains").addHelpText(
    'after',
    `
Examples:
  bourse addresses sources
  bourse addresses source btc list --reason 'our custodian'
  bourse addresses load btc addresses.csv --reason 'from our custodian'
  bourse addresses source eth key --key xpub6... --reason 'our wallet'
  bourse addresses source sol program --reason 'our custodian has an interface'
  bourse addresses requests
  bourse addresses give dave SOL sol 4Nd1m... --reason 'made by the custodian'

A file has one address in a line, with a memo behind a comma where the chain has one. Each is given to one user.
${EXIT_HELP}`,
  );
  const list = (path: string, columns: readonly string[]) => async (options: Options) => {
    const rows = (await (await OperatorClient.open(options)).get(path)) as Row[];
    if (options.json) printJson(rows);
    else printTable(rows, [...columns]);
  };
  each(addresses, 'sources', 'where the addresses of each chain come from').action(
    list('/v1/address-sources', COLUMNS),
  );
  each(addresses, 'requests', 'users who wait for an address').action(
    list('/v1/address-requests', ['userId', 'currency', 'chain']),
  );
  each(addresses, 'source <chain> <source>', 'sets it: list, key, program or none')
    .option('--key <xpub>', 'an extended public key, never a private one')
    .requiredOption(...REASON)
    .action(async (chain: string, source: string, { key, ...options }: Options) => {
      const client = await OperatorClient.open(options);
      const { reason } = options;
      show(options, await client.post('/v1/address-sources', { chain, source, key, reason }));
    });
  each(addresses, 'load <chain> <file>', 'loads addresses from a CSV file')
    .requiredOption(...REASON)
    .action(async (chain: string, file: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const rows = parseList(await readList(file));
      for (let at = 0; at < rows.length; at += LOADED_MAX) {
        const part = { chain, addresses: rows.slice(at, at + LOADED_MAX), reason: options.reason };
        const answer = await client.post('/v1/address-lists', part);
        if (at + LOADED_MAX >= rows.length) show(options, answer);
      }
    });
  each(addresses, 'give <user> <currency> <chain> <address>', 'gives a user an address')
    .option('--memo <memo>', 'where the chain has one')
    .requiredOption(...REASON)
    .action(async (userId: string, currency: string, chain: string, address: string, options: Options) => {
      const client = await OperatorClient.open(options);
      const { memo, reason } = options;
      show(options, await client.post('/v1/addresses', { userId, currency, chain, address, memo, reason }));
    });
  return addresses;
}

/** One `address` or `address,memo` per line; the first line may be a heading. */
function parseList(text: string): { address: string; memo: string }[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line, at) => line !== '' && !(at === 0 && /^address\b/i.test(line)))
    .map((line) => {
      const [address, memo = ''] = line.split(',').map((part) => part.trim());
      return { address, memo };
    });
}

const readList = (file: string): Promise<string> =>
  readText(file).catch((error: unknown) => {
    throw new CommandFailed(
      systemSentence(error, file) ?? `${file}: ${(error as Error).message}.`,
      EXIT.usage,
    );
  });
