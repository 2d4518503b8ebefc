/** `npm run cluster`: a cluster of three log servers and three nodes on this machine, for experiments. */

import { parseArgs } from 'node:util';
import { stopWithParent } from '../../packages/bourse/bin/parent-process.mjs';
import { DirectoryInUse } from '../../packages/engine/src/io/directory-lock.ts';
import { CannotStart } from './cannot-start.ts';
import { DemoCluster } from './demo-cluster.ts';
import { findNatsServer, NoNatsServer } from './nats-server.ts';

const HELP = `npm run cluster -- [options]

  --nodes COUNT        nodes, 1 to 5 (3)
  --port PORT          of the first node; the others follow, the log servers have PORT+100 and PORT+200 on (9000)
  --data DIR           where everything is (./data/cluster)
  --config-out FILE    written when all are ready: nodes, log servers, process numbers, operator token, users
  --no-restart         leaves dead what has died; otherwise it is started again after 3 s

Stop with Ctrl-C.`;

stopWithParent();
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  await main();
} catch (error) {
  const isForUser = [NoNatsServer, TypeError, DirectoryInUse, CannotStart].some(
    (kind) => error instanceof kind,
  );
  tell(isForUser ? (error as Error).message : String((error as Error).stack));
  process.exit(1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '3' },
      port: { type: 'string', default: '9000' },
      data: { type: 'string', default: './data/cluster' },
      'config-out': { type: 'string' },
      restart: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
    allowNegative: true,
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const configOut = values['config-out'];
  const cluster = await DemoCluster.start({
    nodes: numberOf('nodes', values.nodes, 1, 5),
    logServers: 3,
    port: numberOf('port', values.port, 1024, 65_000),
    data: values.data,
    ...(configOut !== undefined && { configOut }),
    isRestarting: values.restart,
    binary: await findNatsServer(),
    tell,
  });
  stopOnSignal(cluster);
  const { nodes, logServers, operatorToken } = cluster.file;
  process.stdout.write('A cluster is ready: a SANDBOX with play money and published keys.\n\n');
  for (const { name, baseUrl, pid } of nodes)
    process.stdout.write(`  ${name.padEnd(8)}${baseUrl}  process ${pid}\n`);
  for (const { name, url, pid } of logServers)
    process.stdout.write(`  ${name.padEnd(8)}${url}  process ${pid}\n`);
  process.stdout.write(`\noperator token: ${operatorToken}\n`);
  if (configOut !== undefined) process.stdout.write(`written: ${configOut}\n`);
  process.stdout.write('Stop with Ctrl-C.\n');
}

function numberOf(name: string, text: string, min: number, max: number): number {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new TypeError(`--${name}: '${text}' is not a number from ${min} to ${max}.`);
}

function stopOnSignal(cluster: DemoCluster): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void cluster.stop().then(() => process.exit(0));
    });
  }
}
