/** The command line in a separate process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import type { ConnectionFile } from '../../src/startup/running-exchange.ts';

const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const DEADLINE_MS = 120_000;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function launch(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_'));
  return spawn(process.execPath, [BIN, ...args], {
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
}

async function collect(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout!.on('data', (chunk) => (out += chunk));
  child.stderr!.on('data', (chunk) => (err += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Runs a command to its end. */
export function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return collect(launch(args, env));
}

/** Tests need the books to be empty unless they say otherwise; a venue's are. */
const quiet = (args: readonly string[]): string[] =>
  args.includes('--venue') || args.includes('--market') ? [] : ['--market', 'quiet'];

export interface Served {
  readonly connection: ConnectionFile;
  /** Resolves with how it ended. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** `bourse start --json` on a free port; resolves when it reports that it is ready. */
export async function serve(
  context: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = launch(['start', '--json', '--port', '0', ...quiet(args), ...args], env);
  context.after(() => child.kill('SIGKILL'));
  const ended = collect(child);
  let said = '';
  const ready = new Promise<ConnectionFile>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      said += chunk;
      if (said.endsWith('}\n')) resolve(JSON.parse(said) as ConnectionFile);
    });
  });
  const failed = ended.then(({ code, err }) => {
    throw new Error(`ended with ${code} before it was ready: ${err}`);
  });
  failed.catch(() => undefined);
  return {
    connection: await Promise.race([ready, failed]),
    ended,
    signal: (signal) => void child.kill(signal),
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** The output of `bourse start` until it is ready. */
export async function banner(context: TestContext, args: readonly string[]): Promise<string> {
  const child = launch(['start', '--port', '0', ...quiet(args), ...args], {});
  context.after(() => child.kill('SIGKILL'));
  let said = '';
  for await (const chunk of child.stdout!) {
    said += String(chunk);
    if (said.includes('Ctrl-C')) break;
  }
  return said;
}
