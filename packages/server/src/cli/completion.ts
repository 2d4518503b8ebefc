/** `bourse completion`: a script that lets the shell complete commands and options, made from the commands themselves. */

import { Argument, Command } from 'commander';
import { printJson, printLine } from './output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Words that may follow a path of commands, such as `users add`. */
type Words = ReadonlyMap<string, readonly string[]>;

export function completionCommand(program: Command): Command {
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
      const words = collect(program);
      const script = shell === 'fish' ? fishScript(words) : bashScript(words, shell);
      if (json) printJson({ shell, script });
      else printLine(script);
    });
}

function collect(command: Command, path: readonly string[] = [], words = new Map<string, string[]>()): Words {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  words.set(path.join(' '), [...command.commands.map((each) => each.name()), ...options, '--help']);
  for (const each of command.commands) collect(each, [...path, each.name()], words);
  return words;
}

/** Zsh runs the same script through its own emulation of bash. */
function bashScript(words: Words, shell: Shell): string {
  const cases = [...words].map(([path, each]) => `    '${path}') words='${each.join(' ')}' ;;`).join('\n');
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_bourse() {
  local path='' word words at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    [[ $word == -* ]] && break
    [[ -z $path ]] && path=$word || path="$path $word"
  done
  while :; do
    case "$path" in
${cases.replaceAll(/^/gm, '  ')}
      *) [[ $path == *' '* ]] && path=\${path% *} || path=''; continue ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bourse bourse`;
}

function fishScript(words: Words): string {
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
        ? `complete -c bourse -n '${seen}' -l ${word.slice(2)}`
        : `complete -c bourse -f -n '${seen}${leaf}' -a ${word}`,
    );
  });
  return lines.join('\n');
}
