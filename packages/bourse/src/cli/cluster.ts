/** `bourse cluster`: the nodes of a cluster and its leader. */

import { Command } from 'commander';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable, withProgress } from './output.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { readSettings } from './config.ts';
import { toolFailure } from './tool-messages.ts';
import { each } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

interface Status {
  readonly leader: string | null;
  readonly nodes: readonly Record<string, unknown>[];
  readonly logServers: readonly Record<string, unknown>[];
  /** Absent in responses of earlier versions. */
  readonly degraded?: string | null;
}

export function clusterCommand(): Command {
  const cluster = new Command('cluster')
    .description('the nodes of a cluster, as any of them reports')
    .addHelpText(
      'after',
      `
Examples:
  bourse cluster status --url http://10.0.0.1:8080
  bourse cluster lead n2 --reason 'n1 gets a new disk'
  bourse cluster backup ./backup --cluster nats://10.0.0.1:4222
  bourse cluster restore ./backup --cluster nats://10.0.0.1:4222
${EXIT_HELP}`,
    );

  each(cluster, 'status', 'nodes, leader, position of each node, and the log servers').action(
    async (options: Options) => {
      show(options, await (await OperatorClient.open(options)).get('/v1/cluster'));
    },
  );

  each(cluster, 'lead <node>', 'makes this node the leader, as before maintenance of the current one')
    .requiredOption('--reason <text>', 'reason, for the request log')
    .action(async (name: string, options: Options) => {
      const { reason } = options;
      show(options, await (await OperatorClient.open(options)).post('/v1/cluster/leader', { name, reason }));
    });
  for (const [name, about] of [
    ['backup', 'copies the log and the snapshots from the log servers while the cluster runs'],
    ['restore', 'copies them to empty log servers; start the nodes afterwards'],
  ] as const) {
    cluster
      .command(`${name} <dir>`)
      .description(about)
      .option('--cluster <urls>', 'the log servers (or BOURSE_CLUSTER)')
      .option('--cluster-stream <name>', 'the stream of the log (or BOURSE_CLUSTER_STREAM). Default: bourse')
      .option('--cluster-ca-file <file>', 'CA certificates of tls:// (or BOURSE_CLUSTER_CA_FILE)')
      .option('--json', 'print one JSON value')
      .action((dir: string, options: CopyOptions) => copy(name, dir, options));
  }
  return cluster;
}

interface CopyOptions {
  readonly cluster?: string;
  readonly clusterStream?: string;
  readonly clusterCaFile?: string;
  readonly json?: boolean;
}

/** The NATS library is loaded lazily. */
async function copy(what: 'backup' | 'restore', dir: string, { json, ...said }: CopyOptions): Promise<void> {
  // Settings with servers are those of a node, which needs a name.
  const { settings } = await readSettings({ ...said, node: what });
  if (settings.cluster.length === 0)
    throw new CommandFailed('Name the log servers with --cluster or BOURSE_CLUSTER.', EXIT.usage);
  const { copyCluster } = await import('../startup/cluster-stream.ts');
  try {
    const { copies } = await withProgress(what, copyCluster(what, settings, dir));
    const rows = copies.map(({ name, messages, bytes }) => ({ name, messages, bytes }));
    if (json) printJson(rows);
    else printTable(rows, ['name', 'messages', 'bytes']);
  } catch (error) {
    throw toolFailure(error);
  }
}

function show(options: Options, answer: unknown): void {
  const { leader, nodes, logServers, degraded } = answer as Status;
  if (options.json) printJson(answer);
  else {
    printLine(leader === null ? 'Nobody leads.' : `${leader} leads.`);
    if (degraded) printLine(degraded);
    printTable([...nodes], ['name', 'url', 'seq', 'digest', 'state']);
    printTable([...logServers], ['name', 'state', 'isLeader']);
  }
}
