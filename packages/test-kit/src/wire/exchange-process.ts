/** The exchange as users start it, in its own process on a directory, and ways to end it. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { START_FLAGS } from '../../../bourse/bin/start-flags.mjs';
import type { ConnectionFile } from '../../../bourse/src/startup/running-exchange.ts';
import type { Limits } from '../../../bourse/src/config/limits.ts';
import { limitsEnv } from '../limits.ts';

const BIN = fileURLToPath(new URL('../../../bourse/bin/bourse.mjs', import.meta.url));
const LIFE_MS_MAX = 3_600_000;
const HUGE = 1_000_000_000;
const ROOMY = `--quotas {"spot":${HUGE},"manage":${HUGE},"public":${HUGE}} --log-level silent`;
const ROOMY_LIMITS: Partial<Limits> = {
  servicePoolWeight: HUGE,
  operatorPoolWeight: HUGE,
  refusalsPerAddressMax: HUGE,
  skewMsMax: 15_000,
};

const USUAL = '--log-level silent';

/** Additional options of the process. */
export interface ProcessExtras {
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
}

/** How it ended; `errors` is the end of its standard error. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

export class ExchangeProcess {
  readonly port: number;
  readonly url: string;
  readonly operatorToken: string;
  /** The operators' address: for a venue another port. */
  readonly operatorUrl: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ended: Promise<Ending>, connection: ConnectionFile) {
    this.#child = child;
    this.ended = ended;
    this.url = connection.baseUrl;
    this.port = Number(new URL(this.url).port);
    this.operatorToken = connection.operatorToken;
    this.operatorUrl = connection.operatorUrl;
  }

  /** Starts a sandbox without rate limits, unless it is to have the usual ones; resolves when it is ready. */
  static async start(
    dir: string,
    flags: readonly string[] = [],
    rates: 'unlimited' | 'usual' = 'unlimited',
    { nodeFlags = [], env = {}, limits = {} }: ProcessExtras = {},
  ): Promise<ExchangeProcess> {
    const args = [
      ...START_FLAGS,
      ...nodeFlags,
      BIN,
      'start',
      '--json',
      ...(flags.includes('--venue') ? [] : ['--market', 'quiet']),
      '--port',
      '0',
      '--data',
      dir,
      ...(rates === 'unlimited' ? ROOMY : USUAL).split(' '),
      ...flags,
    ];
    const changed = rates === 'unlimited' ? { ...ROOMY_LIMITS, ...limits } : limits;
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_'));
    const child = spawn(process.execPath, args, {
      env: {
        ...Object.fromEntries(kept),
        ...(Object.keys(changed).length > 0 && limitsEnv(changed)),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIFE_MS_MAX,
      killSignal: 'SIGKILL',
    });
    let [said, errors] = ['', ''];
    child.stderr?.on('data', (chunk) => (errors = (errors + String(chunk)).slice(-10_000)));
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }));
    const ready = new Promise<ConnectionFile>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        said += chunk;
        if (said.endsWith('}\n')) resolve(JSON.parse(said) as ConnectionFile);
      });
      void ended.then(({ code }) =>
        reject(new Error(`it ended with ${code} before it was ready: ${errors}`)),
      );
    });
    return new ExchangeProcess(child, ended, await ready);
  }

  /** Resident memory in bytes, from the system. */
  async memory(): Promise<number> {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(this.#child.pid)]);
    return Number(stdout) * 1024;
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  stop(): Promise<Ending> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }
}
