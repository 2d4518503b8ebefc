/** `bourse cluster`: the nodes of a cluster, and which one leads. */

import { Command } from 'commander';
import { EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { printJson, printLine, printTable } from './output.ts';
import { each } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

interface Status {
  readonly leader: string | null;
  readonly nodes: readonly Record<string, unknown>[];
  readonly logServers: readonly Record<string, unknown>[];
  /** Missing in answers of earlier versions. */
  readonly degraded?: string | null;
}

export function clusterCommand(): Command {
  const cluster = new Command('cluster')
    .description('the nodes of a cluster, asked at any of them')
    .addHelpText(
      'after',
      `
Examples:
  bourse cluster status --url http://10.0.0.1:8080
  bourse cluster lead n2 --reason 'n1 gets a new disk'
${EXIT_HELP}`,
    );

  each(cluster, 'status', 'nodes, leader, how far each is, and the servers of the log').action(
    async (options: Options) => {
      show(options, await (await OperatorClient.open(options)).get('/v1/cluster'));
    },
  );

  each(cluster, 'lead <node>', 'lets this node lead, as before maintenance of the one that does')
    .requiredOption('--reason <text>', 'why, for those who read the log of requests')
    .action(async (name: string, options: Options) => {
      const { reason } = options;
      show(options, await (await OperatorClient.open(options)).post('/v1/cluster/leader', { name, reason }));
    });
  return cluster;
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
