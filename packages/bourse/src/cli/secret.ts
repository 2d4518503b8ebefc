/** `bourse secret rotate`: replaces the secret of a running venue. */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT_HELP } from './help.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printLine } from './output.ts';
import { each } from './users.ts';

interface Options extends ConnectOptions {
  readonly newSecretKeyFile: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function secretCommand(): Command {
  const group = new Command('secret').description("the venue's secret").addHelpText(
    'after',
    `
Example:
  openssl rand -hex 32 > /etc/bourse/secret-key.new
  bourse secret rotate --new-secret-key-file /etc/bourse/secret-key.new \\
    --reason 'an administrator has left'
  mv /etc/bourse/secret-key.new /etc/bourse/secret-key
${EXIT_HELP}`,
  );
  each(group, 'rotate', 'replaces the secret while the venue runs')
    .requiredOption('--new-secret-key-file <file>', "file with the new secret, on the venue's machine")
    .requiredOption('--reason <text>', 'why, for the log')
    .action(async ({ newSecretKeyFile, reason, json, ...connect }: Options) => {
      const client = await OperatorClient.open(connect);
      const file = resolve(newSecretKeyFile);
      const answer = await client.post('/v1/secret', { newSecretKeyFile: file, reason });
      if (json) {
        printJson(answer);
        return;
      }
      printLine(
        `The venue's secret is now the one in ${file}. The old one decrypts only data encrypted before.`,
      );
      printLine(
        'Before the next start, set secretKeyFile to this file, or move it to the path in secretKeyFile.',
      );
    });
  return group;
}
