/** `bourse mirror`: replicates the log to PostgreSQL, for back office and analysis. */

import { Command } from 'commander';
import { nodeDisk } from '@bourse/engine';
import type { MirrorSource } from '@bourse/mirror';
import { presentDirectory } from '@bourse/sandbox/basics';
import { readSecrets } from '../startup/credentials.ts';
import { knownSeqOf } from '../tools/stopped-directory.ts';
import { findWorld } from './tool-messages.ts';
import { CommandFailed, EXIT, EXIT_HELP, withProgress } from './output.ts';
import { readSettings } from './config.ts';
import { toolFailure, toolListeners } from './tool-messages.ts';

const HELP = `
Examples:
  bourse mirror postgres://bourse@127.0.0.1/bourse
  bourse mirror postgres://bourse@127.0.0.1/bourse --once
  PGPASSWORD=... bourse mirror postgres://bourse@db/bourse \\
    --data /var/lib/bourse
  BOURSE_CLUSTER=nats://user:password@10.0.0.1:4222 \\
    bourse mirror postgres://bourse@db/bourse

It follows ./data, the directory that --data names, or a cluster from any machine, until it is stopped. It reads the log beside a running service and changes nothing there. The tables are in the schema "bourse", which it makes itself. Killed and started again it goes on where it was: no row is missing, none is there twice.

${EXIT_HELP}`;

interface Options {
  readonly data?: string;
  readonly cluster?: string | undefined;
  readonly clusterStream?: string | undefined;
  readonly once?: boolean;
  readonly json?: boolean;
}

export function mirrorCommand(): Command {
  return new Command('mirror')
    .description('replicates the log to tables in PostgreSQL')
    .argument('<url>', 'the database: postgres://user@host:port/database')
    .option('--data <dir>', 'the data directory of an exchange on one machine. Default: ./data')
    .option('--cluster <urls>', 'the log servers of a cluster (or BOURSE_CLUSTER)')
    .option('--cluster-stream <name>', 'the stream of the log (or BOURSE_CLUSTER_STREAM). Default: bourse')
    .option('--once', 'exit when all current records are mirrored')
    .option('--json', 'print one JSON value at the end')
    .addHelpText('after', HELP)
    .action(async (url: string, options: Options) => {
      const seq = await mirror(url, options).catch((error: unknown) => {
        throw mirrorFailure(error);
      });
      process.stdout.write(options.json ? `${JSON.stringify({ seq })}\n` : `mirrored up to record ${seq}\n`);
    });
}

/** The source of the log: command line options take precedence over the environment. */
async function openSource({ data, cluster, clusterStream }: Options): Promise<MirrorSource> {
  if (data !== undefined && (cluster ?? clusterStream) !== undefined) {
    throw new CommandFailed(
      'Give either a data directory (--data) or log servers (--cluster, --cluster-stream).',
      EXIT.usage,
    );
  }
  const isCluster = (cluster ?? process.env['BOURSE_CLUSTER']) !== undefined;
  if (data === undefined && isCluster) return openStreamSource({ cluster, clusterStream });
  const root = data ?? './data';
  const dir = await findWorld(root);
  const check = async (): Promise<void> => {
    if ((await presentDirectory(root)) === dir) return;
    throw new CommandFailed(
      `The sandbox in ${root} was restored from a snapshot, so the database has records that no longer exist. Mirror it ` +
        'again into an empty database.',
      EXIT.data,
    );
  };
  const { DirectorySource } = await import('@bourse/mirror');
  return new DirectorySource({ disk: nodeDisk, dir, check, knownSeq: () => knownSeqOf(dir) });
}

/** Loaded lazily: a single machine needs no servers. */
async function openStreamSource(said: Pick<Options, 'cluster' | 'clusterStream'>): Promise<MirrorSource> {
  // Settings with servers are those of a node, which needs a name.
  const { settings } = await readSettings({ ...said, node: 'mirror' });
  const { addressOf, clusterKeysOf } = await import('../startup/cluster-stream.ts');
  const { StreamSource } = await import('../startup/cluster-stream.ts');
  return StreamSource.open(addressOf(settings), clusterKeysOf(settings, await readSecrets(settings)));
}

/** The last record that is in the tables. */
async function mirror(url: string, options: Options): Promise<number> {
  // Loaded lazily: other commands should not wait for it.
  const { checkDatabaseUrl, Mirror, PostgresStore } = await import('@bourse/mirror');
  checkDatabaseUrl(url);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const { onWarning } = toolListeners;
  const source = await openSource(options);
  try {
    await source.firstSeq();
    const store = await PostgresStore.open(url);
    try {
      const opened = await Mirror.open({ source, store, onWarning });
      await (options.once
        ? withProgress('mirroring', opened.catchUp(stop.signal))
        : opened.follow(stop.signal));
      return opened.seq;
    } finally {
      await store.close();
    }
  } finally {
    await source.close();
  }
}

function mirrorFailure(error: unknown): CommandFailed {
  if (error instanceof CommandFailed) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'MirrorUnreachable' || name === 'ClusterUnfit')
    return new CommandFailed(message, EXIT.unreachable);
  if (name === 'NoMirrorSource' || name === 'MirrorAddressWrong')
    return new CommandFailed(message, EXIT.usage);
  return name === 'MirrorRefused' ? new CommandFailed(message, EXIT.failed) : toolFailure(error);
}
