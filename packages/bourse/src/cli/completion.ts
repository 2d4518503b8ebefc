/** `bourse completion`: a script that lets the shell complete commands and options, made from the commands themselves. */

import { Argument, Command } from 'commander';
import type { CallField } from '@bourse/sandbox/basics';
import { printJson, printLine } from './output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** For each path of commands, such as `users add`: the words that may follow it. */
type Words = ReadonlyMap<string, readonly string[]>;

interface Known {
  readonly words: Words;
  /** For each path and option, such as `start --market`: the values of the option. */
  readonly values: Words;
}

/** `fields`: the fields of the calls of a sandbox, by command. */
export function completionCommand(
  program: Command,
  fields: ReadonlyMap<string, readonly CallField[]>,
): Command {
  return new Command('completion')
    .description('prints a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .option('--json', 'print the script as a field of a JSON object')
    .addHelpText(
      'after',
      `
Examples:
  source <(bourse completion bash)      # bash, also in ~/.bashrc
  source <(bourse completion zsh)       # zsh, also in ~/.zshrc
  bourse completion fish | source       # fish, also in config.fish`,
    )
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const known = collect(program, fields);
      const script = SCRIPTS[shell](known);
      if (json) printJson({ shell, script });
      else printLine(script);
    });
}

const SCRIPTS: Readonly<Record<Shell, (known: Known) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function collect(program: Command, fields: ReadonlyMap<string, readonly CallField[]>): Known {
  const words = new Map<string, readonly string[]>();
  const values = new Map<string, readonly string[]>();
  const visit = (command: Command, path: readonly string[]): void => {
    const options = command.options.flatMap(({ long }) => (long ? [long] : []));
    const key = path.join(' ');
    const given = fields.get(key) ?? [];
    words.set(key, [
      ...command.commands.map((each) => each.name()),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ...given.flatMap(assignments),
      ...options,
      '--help',
    ]);
    for (const option of command.options) {
      const choices = option.argChoices ?? (option.optional ? ['true', 'false'] : []);
      if (option.long && choices.length > 0) values.set(`${key} ${option.long}`, choices);
    }
    for (const each of command.commands) visit(each, [...path, each.name()]);
  };
  visit(program, []);
  return { words, values };
}

/** `name=` if the value is free, otherwise one `name=value` for each value. */
function assignments({ name, values }: CallField): string[] {
  if (name.includes('*')) return [];
  return values.length === 0 ? [`${name}=`] : values.map((value) => `${name}=${value}`);
}

function bashScript({ words, values }: Known): string {
  const cases = (from: Words, name: string): string =>
    [...from].map(([path, each]) => `      '${path}') ${name}='${each.join(' ')}' ;;`).join('\n');
  return `_bourse() {
  # Not COMP_WORDS: bash cuts those at every '='.
  local line=\${COMP_LINE:0:COMP_POINT} path='' word words='' values='' at last
  local -a given
  read -ra given <<< "$line"
  [[ $line == *' ' ]] && given+=('')
  last=\${given[@]: -1}
  for word in "\${given[@]:1:\${#given[@]}-2}"; do
    [[ $word == -* ]] && break
    [[ -z $path ]] && path=$word || path="$path $word"
  done
  while :; do
    case "$path" in
${cases(words, 'words')}
      *) [[ $path == *' '* ]] && path=\${path% *} || path=''; continue ;;
    esac
    break
  done
  if ((\${#given[@]} > 2)); then
    case "$path \${given[@]: -2:1}" in
${cases(values, 'values')}
    esac
  fi
  COMPREPLY=($(compgen -W "\${values:-$words}" -- "$last"))
  [[ $last == *=* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${last%%=*}="}")
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _bourse bourse`;
}

/** `words` and `CURRENT` are zsh's own; a variable named `path` would be the shell's PATH. */
function zshScript({ words, values }: Known): string {
  const cases = (from: Words): string =>
    [...from].map(([path, each]) => `      ('${path}') offers=(${each.join(' ')}) ;;`).join('\n');
  return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_bourse() {
  local where='' word
  local -a offers
  integer at
  for ((at = 2; at < CURRENT; at++)); do
    word=$words[at]
    [[ $word == -* ]] && break
    where="\${where:+$where }$word"
  done
  while :; do
    case "$where" in
${cases(words)}
      (*) [[ $where == *' '* ]] && where=\${where% *} || where=''; continue ;;
    esac
    break
  done
  if ((CURRENT > 2)); then
    case "$where $words[CURRENT-1]" in
${cases(values)}
    esac
  fi
  # A value follows what ends in '='. Where nothing fits it may be a file.
  local -a assigned=(\${(M)offers:#*=}) others=(\${offers:#*=})
  integer missed=1
  (( $#assigned )) && compadd -S '' -a assigned && missed=0
  (( $#others )) && compadd -a others && missed=0
  (( missed )) && _default
  return missed
}
compdef _bourse bourse`;
}

function fishScript({ words, values }: Known): string {
  const lines = [...words].flatMap(([path, each]) => {
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((part) => `__fish_seen_subcommand_from ${part}`)
            .join('; and ');
    const further = [...words.keys()].filter((other) => path !== '' && other.startsWith(`${path} `));
    const leaf =
      further.length === 0
        ? ''
        : `; and not __fish_seen_subcommand_from ${further.map((other) => other.split(' ').at(-1)).join(' ')}`;
    return each.map((word) =>
      word.startsWith('--')
        ? `complete -c bourse -n '${seen}' -l ${word.slice(2)}${optionValues(values.get(`${path} ${word}`))}`
        : `complete -c bourse -f -n '${seen}${leaf}' -a ${word}`,
    );
  });
  return lines.join('\n');
}

/** `-x`: it takes one of these, and no file. */
function optionValues(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : ` -x -a '${choices.join(' ')}'`;
}
