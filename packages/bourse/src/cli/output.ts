/** What commands print: help, exit codes and errors; lines for people, or JSON for programs. */

import { type Clock, nodeClock, visibleLine, visibleLines } from '@bourse/engine';
import { type Command, type Help, Option } from 'commander';

const WIDTH_DEFAULT = 80;

/** Wraps the text after the options, which commander does not. */
export function fitHelp(command: Command): void {
  command.configureOutput({ writeOut: (text) => process.stdout.write(wrapText(text, terminalWidth())) });
  for (const each of command.commands) fitHelp(each);
}

const terminalWidth = (): number => process.stdout.columns ?? WIDTH_DEFAULT;

/** A column narrower than this is not wrapped. */
const COLUMN_MIN = 16;

/** The last column of a table is wrapped below itself. Indented examples are not: a broken command cannot be copied. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width ? [line] : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (!/^\s/.test(line)) return wrapWords(line, width);
  const [first] = /^ +\S+(?: \S+)* {2,}(?=\S)/.exec(line) ?? [''];
  const room = width - first.length;
  if (first === '' || room < COLUMN_MIN) return [line];
  const indent = ' '.repeat(first.length);
  return wrapWords(line.slice(first.length), room).map((each, at) => (at === 0 ? first : indent) + each);
}

function wrapWords(line: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** `--help` shows the options that are not hidden, `--help-all` the others too, each above its description. */
export function withHelpAll(command: Command): Command {
  const all = new Option('--help-all', 'display help for all settings');
  command.addOption(all);
  // Handled when it is parsed, like --help: no argument or other option is needed.
  return command.on('option:help-all', () => {
    command.configureHelp({ visibleOptions: (of) => [...of.options], formatItem: showBelow });
    command.help();
  });
}

function showBelow(this: Help, term: string, _width: number, description: string, helper: Help): string {
  const indent = ' '.repeat(6);
  const text = helper.boxWrap(description, (this.helpWidth ?? WIDTH_DEFAULT) - indent.length);
  return `  ${term}\n${text.replaceAll(/^/gm, indent)}`;
}

/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  /** The service rejected it, or something broke. */
  failed: 1,
  /** Invalid arguments or configuration: nothing was tried. */
  usage: 2,
  /** Nothing responds at that address. */
  unreachable: 3,
  /** The data directory is damaged, or another process has it. */
  data: 4,
} as const;

export const EXIT_HELP = `
Exit codes: 0 done, 1 refused or failed, 2 wrong arguments or configuration, 3 no response from the service, 4 data directory damaged or in use.`;

/** Ends the command with a message and an exit code; thrown by any command, caught in main.ts. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

// Lines for people, or JSON for programs; never a control character for the terminal.

type Row = Readonly<Record<string, unknown>>;

/** Prints JSON on one line, for tools that read lines. */
export function printJson(value: unknown): void {
  process.stdout.write(`${visibleLines(JSON.stringify(value))}\n`);
}

export function printLine(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

/** Prints the named columns, in this order, as wide as needed. */
export function printTable(rows: readonly Row[], columns: readonly string[]): void {
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column], column)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at].length)));
  for (const line of cells) {
    printLine(
      line
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Writes all pieces at the reader's pace, and stops when the reader closes the pipe. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  // At a terminal the lines themselves show the progress.
  const writing = writePieces(pieces);
  await (process.stdout.isTTY ? writing : withProgress('writing', writing));
}

async function writePieces(pieces: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  // A reader such as `head` closes the pipe when it has enough.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  for await (const piece of pieces) {
    if (stdout.write(visibleLines(piece))) continue;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        stdout.off('drain', goOn).off('close', goOn);
        resolve();
      };
      stdout.on('drain', goOn).on('close', goOn);
    });
    if (stdout.destroyed) return;
  }
}

/** One name and value per line; each object of a list on its own line. */
export function printFields(row: Row): void {
  const names = Object.keys(row);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) {
    const value = row[name];
    const isRows = Array.isArray(value) && value.some((each) => typeof each === 'object');
    const [first, ...others] = isRows ? value.map((each) => show(each, name)) : [show(value, name)];
    printLine(`${name.padEnd(width)}  ${first}`);
    for (const other of others) printLine(`${' '.repeat(width)}  ${other}`);
  }
}

function show(value: unknown, name: string): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each) => show(each, name)).join(',');
  if (typeof value === 'object')
    return visibleLine(JSON.stringify(value, (key, each) => readableTime(each, key)));
  return visibleLine(String(readableTime(value, name)));
}

const TIME_NAME = /(^at|time|at|until|since)$/i;
/** Milliseconds from 2001 to 2286: these have 13 digits. */
const MILLISECONDS = /^[1-9]\d{12}$/;

/**
 * Shows a time in milliseconds as date and time in UTC, such as 2026-01-01 00:01:00.000Z; returns anything
 * else unchanged.
 */
function readableTime(value: unknown, name: string): unknown {
  if (!TIME_NAME.test(name) || (typeof value !== 'number' && typeof value !== 'string')) return value;
  if (!MILLISECONDS.test(String(value))) return value;
  return new Date(Number(value)).toISOString().replace('T', ' ');
}

// Progress at a terminal for work that takes longer than a second: one line, which is removed at the end.

const TICK_MS = 1000;
const ERASE_LINE = '\r\x1b[K';

/** Standard error, or its substitute in a test. */
export interface StatusStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

let lastShown = Number.NEGATIVE_INFINITY;

/** Replaces the previous line at a terminal; elsewhere it is a separate line. */
export function showStatus(text: string, stream: StatusStream = process.stderr): void {
  lastShown = nodeClock.elapsed();
  stream.write(stream.isTTY ? `${ERASE_LINE}${text}` : `${text}\n`);
}

/** Only at a terminal: programs and log files must not depend on the machine's speed. */
export async function withProgress<T>(
  what: string,
  work: Promise<T>,
  stream: StatusStream = process.stderr,
  clock: Pick<Clock, 'elapsed' | 'after'> = nodeClock,
): Promise<T> {
  if (!stream.isTTY) return work;
  const startedAt = clock.elapsed();
  let isShown = false;
  const tick = (): void => {
    cancel = clock.after(TICK_MS, tick);
    const now = clock.elapsed();
    // Work that reports its own progress is left alone.
    if (now - lastShown < TICK_MS / 2) return;
    isShown = true;
    stream.write(`${ERASE_LINE}${what}: ${seconds(now - startedAt)} s`);
  };
  let cancel = clock.after(TICK_MS, tick);
  try {
    return await work;
  } finally {
    cancel();
    if (isShown || lastShown >= startedAt) stream.write(ERASE_LINE);
  }
}

const seconds = (ms: number): number => Math.round(ms / 1000);
