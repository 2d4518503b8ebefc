/** Real log servers of a cluster for tests: on free ports, removed with the test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogServers, type LogServersOptions } from '../../../../scripts/cluster/log-servers.ts';
import { findNatsServer, NoNatsServer } from '../../../../scripts/cluster/nats-server.ts';

export interface TestLogServers {
  readonly servers: LogServers;
  /** The output of all servers. */
  readonly dir: string;
  close(): Promise<void>;
}

let binary: Promise<string> | undefined;

/**
 * The reason for skipping tests that need log servers; false if they run. Where everything must run, a
 * missing server is an error instead.
 */
export async function whySkipped(): Promise<string | false> {
  binary ??= findNatsServer();
  try {
    await binary;
    return false;
  } catch (error) {
    if (!(error instanceof NoNatsServer) || process.env['BOURSE_CI_REQUIRES_ALL'] === '1') throw error;
    return error.message;
  }
}

export async function startLogServers(
  count: number,
  {
    dir = mkdtempSync(join(tmpdir(), 'bourse-log-servers-')),
    ...options
  }: Partial<Pick<LogServersOptions, 'dir' | 'login' | 'network' | 'showsSettings' | 'syncInterval'>> = {},
): Promise<TestLogServers> {
  const free = await freePorts(2 * count);
  const ports = Array.from({ length: count }, (_, at) => ({ client: free[at], group: free[count + at] }));
  binary ??= findNatsServer();
  const servers = await LogServers.start({ binary: await binary, dir, ports, ...options });
  // Ends them even if the test process is terminated.
  const killAll = (): void => {
    for (const { pid } of servers.infos) if (pid > 0) process.kill(pid, 'SIGKILL');
  };
  process.once('exit', killAll);
  return {
    servers,
    dir,
    async close() {
      process.off('exit', killAll);
      await servers.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

// Ports for processes that a test stops and restarts. They are below the ephemeral range (from 32,768 on),
// so that nobody takes one while its process is away.

const LOWEST = 10_000;
const HIGHEST = 32_000;

/** Consecutive ports. */
export async function freePorts(count: number): Promise<number[]> {
  const steps = Array.from({ length: count }, (_, at) => at);
  const base = await freeBase(steps);
  return steps.map((step) => base + step);
}

/** Returns a free port; the ports at these offsets above it are free, too. */
export async function freeBase(steps: readonly number[]): Promise<number> {
  for (;;) {
    const base = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await Promise.all(steps.map((step) => isFree(base + step)))).every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
