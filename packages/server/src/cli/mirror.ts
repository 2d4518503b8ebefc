/** `bourse mirror`: the log as tables in PostgreSQL, for back office and analysis, kept up to date. */

import { Command } from 'commander';
import { nodeDisk } from '../io/node-disk.ts';
import { Mirror } from '../mirror/mirror.ts';
import { DirectorySource } from '../mirror/mirror-source.ts';
import { checkAddress } from '../mirror/postgres-errors.ts';
import { PostgresStore } from '../mirror/postgres-store.ts';
import { knownSeqOf } from '../tools/stopped-directory.ts';
import { CommandFailed, EXIT, EXIT_HELP } from './exit-codes.ts';
import { toolFailure, toolListeners } from './tool-messages.ts';

const HELP = `
Examples:
  bourse mirror postgres://bourse@127.0.0.1/bourse                  follows ./data until it is stopped
  bourse mirror postgres://bourse@127.0.0.1/bourse --once           up to what the log has now
  PGPASSWORD=... bourse mirror postgres://bourse@db/bourse --data /var/lib/bourse

It reads the log beside a running service and changes nothing in the directory. The tables are in the schema "bourse",
which it makes itself. Killed and started again it goes on where it was: no row is missing, none is there twice.

${EXIT_HELP}`;

export function mirrorCommand(): Command {
  return new Command('mirror')
    .description('keeps the log as tables in PostgreSQL')
    .argument('<url>', 'the database: postgres://user@host:port/database')
    .option('--data <dir>', 'the data directory', './data')
    .option('--once', 'end when everything there is now is mirrored')
    .option('--json', 'print one JSON value at the end')
    .addHelpText('after', HELP)
    .action(async (url: string, options: { data: string; once?: boolean; json?: boolean }) => {
      const seq = await mirror(url, options.data, options.once ?? false).catch((error: unknown) => {
        throw mirrorFailure(error);
      });
      process.stdout.write(options.json ? `${JSON.stringify({ seq })}\n` : `mirrored up to record ${seq}\n`);
    });
}

/** The last record that is in the tables. */
async function mirror(url: string, dir: string, isOnce: boolean): Promise<number> {
  checkAddress(url);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const { onWarning } = toolListeners;
  const source = new DirectorySource({ disk: nodeDisk, dir, knownSeq: () => knownSeqOf(dir) });
  try {
    await source.firstSeq();
    const store = await PostgresStore.open(url);
    try {
      const opened = await Mirror.open({ source, store, onWarning });
      await (isOnce ? opened.catchUp(stop.signal) : opened.follow(stop.signal));
      return opened.seq;
    } finally {
      await store.close();
    }
  } finally {
    await source.close();
  }
}

function mirrorFailure(error: unknown): CommandFailed {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'MirrorUnreachable') return new CommandFailed(message, EXIT.unreachable);
  if (name === 'NoMirrorSource' || name === 'MirrorAddressWrong')
    return new CommandFailed(message, EXIT.usage);
  return name === 'MirrorRefused' ? new CommandFailed(message, EXIT.failed) : toolFailure(error);
}
