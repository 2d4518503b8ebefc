/** The layout of help: fits the terminal, and shows only the usual options unless all are asked for. */

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
Exit codes: 0 done, 1 refused or failed, 2 wrong arguments or configuration, 3 no answer from the service, 4 data directory damaged or in use.`;

/** Ends the command with a message and an exit code; thrown by any command, caught in main.ts. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
