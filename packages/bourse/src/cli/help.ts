/** How help is laid out: to the width of the terminal, and of many options the usual ones unless all are asked for. */

import { type Command, type Help, Option } from 'commander';

const WIDTH_DEFAULT = 80;

/** Text that commander does not wrap itself: what follows the options. */
export function fitHelp(command: Command): void {
  command.configureOutput({ writeOut: (text) => process.stdout.write(wrapText(text, terminalWidth())) });
  for (const each of command.commands) fitHelp(each);
}

const terminalWidth = (): number => process.stdout.columns ?? WIDTH_DEFAULT;

/** Examples and tables are indented, and stay as they are: a command that is broken cannot be copied. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width || /^\s/.test(line) ? [line] : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** `--help` shows the options that are not hidden, and `--help-all` these too, each above what it is for. */
export function withHelpAll(command: Command): Command {
  const all = new Option('--help-all', 'display help for all settings');
  command.addOption(all);
  // Taken when it is read, like --help: no argument or other option is needed.
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
