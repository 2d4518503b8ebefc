/** Parent side of exchange.ts: starts an exchange and has its callers submit commands. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CallersKind, ExchangeTask, Reached } from './exchange.ts';

const FILE = fileURLToPath(new URL('exchange.ts', import.meta.url));
const START_MS_MAX = 60_000;
const WEIGHT = 1e9;

/** Limits far above anything the load reaches. */
const UNLIMITED = {
  quotas: JSON.stringify({ spot: WEIGHT, manage: WEIGHT, public: WEIGHT }),
  skewMsMax: '8000',
  logLevel: 'error',
};

export interface ExchangeProcess {
  readonly port: number;
  readonly pid: number;
  submit(kind: CallersKind, count: number): Promise<Reached>;
  stop(): Promise<void>;
}

export async function startExchangeProcess(task: ExchangeTask): Promise<ExchangeProcess> {
  const flags = { port: '0', ...UNLIMITED, ...task.flags };
  const child = spawn(process.execPath, [...process.execArgv, FILE, JSON.stringify({ ...task, flags })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`an exchange of the bench ended with ${code}`);
  });
  ended.catch(() => undefined);
  const line = async (signal?: AbortSignal): Promise<string> =>
    ((await Promise.race([once(lines, 'line', signal && { signal }), ended])) as [string])[0];
  const url = await line(AbortSignal.timeout(START_MS_MAX));
  return {
    port: Number(new URL(url).port),
    pid: child.pid!,
    async submit(kind, count) {
      const answered = line();
      child.stdin.write(`${kind} ${count}\n`);
      return JSON.parse(await answered) as Reached;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
