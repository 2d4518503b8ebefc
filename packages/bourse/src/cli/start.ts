/** `bourse start`: serves until it is stopped. */

import { isatty } from 'node:tty';
import { Command, Option } from 'commander';
import {
  firstMissing,
  isPageFolder,
  nodeClock,
  PAGE_BUILD_SCRIPT,
  PAGE_FOLDER,
  removeDirectory,
  removeFile,
  shortened,
  systemReason,
  writePrivateText,
  writeToStdout,
} from '@bourse/engine';
import { type ConnectionFile, pageUrl, type RunningExchange } from '../startup/running-exchange.ts';
import { SecretUnfit } from '../startup/credentials.ts';
import { operatorListenAddress } from '../config/operator-listen.ts';
import type { Settings } from '../config/settings.ts';
import { flagOf } from '../config/words.ts';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable, withProgress } from './output.ts';
import { RequestPrinter, wantsRequestLog } from './request-printer.ts';
import { readSettings, withSettings } from './config.ts';
import { toolFailure, toolListeners } from './tool-messages.ts';
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

interface Options {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly requestLog?: boolean;
}

export function startCommand(): Command {
  return withSettings(new Command('start'))
    .description('serves an exchange: a sandbox with demo users, or with --venue a real one')
    .option('--json', 'print one JSON object when ready, instead of the banner')
    .option('--quiet', 'print no line for each request')
    .addOption(
      new Option(
        '--request-log',
        'print a line for each request even if the output is not a terminal',
      ).hideHelp(),
    )
    .addHelpText(
      'after',
      `
Examples:
  bourse start
  bourse start --port 9000 --data ./other --config-out ./connection.json
  bourse start --venue --data /var/lib/bourse \\
    --secret-key-file /etc/bourse/key --operator-token-file /etc/bourse/token

SIGINT or SIGTERM lets requests finish and writes everything to the disk, and so does the end of its terminal (SIGHUP) or of npm. A second SIGINT or SIGTERM ends it at once, and loses nothing that was answered. With \`nohup bourse start &\` it goes on without the shell. A venue without a terminal reads its settings and tokens again on SIGHUP.
${EXIT_HELP}`,
    )
    .action(async (options: Options) => {
      const handleHangUp = catchHangUp();
      const { settings } = await readSettings({ ...options });
      const reread = async (): Promise<Settings> => (await readSettings({ ...options })).settings;
      const running = await start(settings, reread);
      handleHangUp(running, stopOnSignal(running));
      try {
        await writeConnection(settings, running.connection);
      } catch (error) {
        await running.close();
        throw error;
      }
      if (options.json) printJson(running.connection);
      else printBanner(running, settings);
      showRequests(running, options);
      if (settings.pages) buildMissingPages();
    });
}

function showRequests({ sandbox }: RunningExchange, options: Options): void {
  const isTerminal = process.stdout.isTTY;
  if (sandbox === undefined || !wantsRequestLog(options, isTerminal)) return;
  const isColoured = isTerminal && !process.env['NO_COLOR'];
  sandbox.requests.subscribe(new RequestPrinter({ clock: nodeClock, isColoured, write: writeToStdout }).add);
}

async function start(settings: Settings, reread: () => Promise<Settings>): Promise<RunningExchange> {
  // Loaded lazily: other commands do not need the server.
  const { startExchange } = await import('../startup/start.ts');
  const made = firstMissing(settings.data);
  try {
    const starting = startExchange(settings, {
      onProgress: toolListeners.onProgress,
      onLocked: () => removeConnection(settings),
      reread,
    });
    return await withProgress('starting', starting);
  } catch (error) {
    if (made !== null && cannotListen(error)) await removeDirectory(made);
    if (error instanceof CommandFailed) throw error;
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const { host, port } = settings;
    if (error instanceof Error && error.name === 'ClusterUnfit') throw new CommandFailed(message);
    if (error instanceof SecretUnfit) throw new CommandFailed(message, EXIT.usage);
    if (error instanceof Error && error.name === 'OperatorListenFailed') {
      throw new CommandFailed(operatorListenFailure(settings, code!), EXIT.usage);
    }
    if (code === 'EADDRINUSE') {
      const msg = `${host}:${port} is in use by another program; choose another with --port, 0 for any free one.`;
      throw new CommandFailed(msg, EXIT.usage);
    }
    if (syscall === 'listen' || syscall === 'getaddrinfo') {
      const msg = `${host}:${port} cannot be used (${code}). Give an address of this machine with --host, and a port that this user may open with --port.`;
      throw new CommandFailed(msg, EXIT.usage);
    }
    throw toolFailure(error);
  }
}

/** The address cannot be used; nothing is wrong with the data. */
function cannotListen(error: unknown): boolean {
  const { code, syscall, name } = error as NodeJS.ErrnoException;
  return (
    name === 'OperatorListenFailed' ||
    code === 'EADDRINUSE' ||
    syscall === 'listen' ||
    syscall === 'getaddrinfo'
  );
}

function operatorListenFailure(settings: Settings, code: string): string {
  const address = operatorListenAddress(settings)!;
  const shown = 'path' in address ? address.path : `${address.host}:${address.port}`;
  const problem = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
  return `operatorListen: ${shown} ${problem}; choose another with ${flagOf('operatorListen')}, port 0 for a free one.`;
}

/**
 * Removes the file of an earlier start, which a waiting script would take for this one's. It is removed once this
 * process has the directory, so no running service loses its file, and before recovery, which may take long.
 */
async function removeConnection({ configOut }: Settings): Promise<void> {
  if (configOut) await removeFile(configOut).catch(refuseConnection(configOut, 'removed'));
}

async function writeConnection({ configOut }: Settings, connection: ConnectionFile): Promise<void> {
  if (!configOut) return;
  const text = `${JSON.stringify(connection, null, 2)}\n`;
  await writePrivateText(configOut, text).catch(refuseConnection(configOut, 'written'));
}

function refuseConnection(path: string, what: string): (error: Error) => never {
  return (error) => {
    throw new CommandFailed(
      `configOut: ${shortened(path)} cannot be ${what} (${systemReason(error) ?? error.message}), so the service does not run. ` +
        'Name a file with --config-out that this user may write.',
    );
  };
}

/** 128 and the signal's number, as shells have it. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ctrl-C reaches this process twice: from the terminal, and from npm, which passes its own signal on. Signals within
 * this time count as one.
 */
const SAME_SIGNAL_MS = 500;

type Stop = (signal: keyof typeof SIGNALS) => void;

function stopOnSignal(running: RunningExchange): Stop {
  let stoppingSince = 0;
  const stop: Stop = (signal) => {
    const now = nodeClock.elapsed();
    if (stoppingSince > 0) {
      // SIGHUP says that the parent process is gone. It may come several times, so a second one does not force the end.
      if (signal !== 'SIGHUP' && now - stoppingSince > SAME_SIGNAL_MS) process.exit(SIGNALS[signal]);
      return;
    }
    stoppingSince = now;
    process.stderr.write('stopping: finishing requests in flight, then syncing to disk\n');
    running.close().then(
      () => process.exit(EXIT.done),
      (error: unknown) => {
        process.stderr.write(`stopping failed: ${(error as Error).message}\n`);
        process.exit(EXIT.failed);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  return stop;
}

/**
 * Call before the start, which a SIGHUP without a terminal must not end: it is a request to reload, and is fulfilled when
 * the returned function is called with the running exchange.
 */
function catchHangUp(): (running: RunningExchange, stop: Stop) => void {
  // Node resets the ignored SIGHUP of `nohup`. What remains of nohup is that nothing is read from or written
  // to a terminal.
  const usesTerminal = [0, 1, 2].some((fd) => isatty(fd));
  let isReloadDue = false;
  let onReload = (): void => {
    isReloadDue = true;
  };
  let onEnd = (): void => {
    // As if nothing had caught it: a start that is killed loses nothing.
    process.off('SIGHUP', onHangUp);
    process.kill(process.pid, 'SIGHUP');
  };
  const onHangUp = (_signal: NodeJS.Signals, number: number): void => {
    // Number 0: no signal, but the parent process is gone.
    if (number === 0 || usesTerminal) onEnd();
    else onReload();
  };
  process.on('SIGHUP', onHangUp);
  return (running, stop) => {
    onEnd = () => stop('SIGHUP');
    onReload = () => {
      if (running.reload !== undefined) void reload(running.reload);
    };
    if (isReloadDue) onReload();
  };
}

async function reload(read: NonNullable<RunningExchange['reload']>): Promise<void> {
  try {
    const { changed, restart } = await read();
    const rest = restart.length > 0 ? `; need a restart: ${restart.join(', ')}` : '';
    process.stderr.write(`reloaded; changed: ${changed.join(', ') || 'nothing'}${rest}\n`);
  } catch (error) {
    process.stderr.write(`reload failed, nothing has changed: ${(error as Error).message}\n`);
  }
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

function printBanner(
  { connection, isSandbox, isTokenNew, engine }: RunningExchange,
  settings: Settings,
): void {
  const { ms, seq } = engine.start;
  printLine(`Bourse is ready: ${isSandbox ? 'a SANDBOX with play money and published keys' : 'a venue'}.\n`);
  const pages = settings.pages ? pageAddresses(connection) : {};
  for (const [name, value] of Object.entries({ ...pages, ...addresses(connection) }))
    printLine(`  ${name.padEnd(12)}${value}`);
  printLine(
    `  ${'data'.padEnd(12)}${settings.data} (${seq === 0 ? 'new' : `${seq} records, recovered in ${Math.round(ms)} ms`})`,
  );
  if (isSandbox) {
    const { market, seed, clock } = connection;
    printLine(`  ${'market'.padEnd(12)}${market}, seed ${seed}; clock ${clock}`);
  }
  if (settings.configOut) printLine(`  ${'written'.padEnd(12)}${settings.configOut}`);
  printLine('');
  if (isSandbox) {
    printTable(
      connection.users.map((user) => ({ ...user })),
      ['name', 'apiKey', 'apiSecret', 'apiPassphrase', 'permissions'],
    );
    printLine(`\noperator token: ${connection.operatorToken}`);
    if (!LOOPBACK.test(settings.host)) {
      printLine(`\nWARNING: ${settings.host} can be reached by others, and everybody knows these keys.`);
    }
    printLine('\nA sandbox is for trying out. For a real venue: bourse start --venue');
  } else if (isTokenNew) {
    printLine(
      `operator token, shown only now and only valid until the next start:\n  ${connection.operatorToken}`,
    );
  }
  printLine('Stop with Ctrl-C.');
}

function addresses({ baseUrl, compatUrl, operatorUrl }: ConnectionFile): Record<string, string> {
  const compatible = `${compatUrl} for ccxt and KuCoin's SDKs`;
  return { interface: baseUrl, compatible, docs: `${baseUrl}/docs`, operator: operatorUrl };
}

/** The console answers where the operator API does; no browser opens a unix socket. */
function pageAddresses({ baseUrl, operatorUrl }: ConnectionFile): Record<string, string> {
  const console = pageUrl(operatorUrl).replace(/operator$/, 'console');
  return { terminal: `${pageUrl(baseUrl)}/`, ...(operatorUrl.startsWith('http') && { console }) };
}

const ERROR_CHARS_MAX = 2000;

/**
 * Builds missing pages, as after an install: in a separate process with lower priority, after the exchange is ready, so
 * that neither the start nor a request waits for it.
 */
function buildMissingPages(): void {
  if (isPageFolder(PAGE_FOLDER) || PAGE_BUILD_SCRIPT === null) return;
  const child = spawn(process.execPath, [PAGE_BUILD_SCRIPT], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => (errors = (errors + text).slice(-ERROR_CHARS_MAX)));
  child.on('spawn', () => setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL));
  child.on('error', (error) => report(error.message));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) report(errors);
  });
  process.once('exit', () => child.kill());
}

function report(why: string): void {
  process.stderr.write(
    `the pages could not be built; everything else works. Try again with npm run build:web: ${why}\n`,
  );
}
