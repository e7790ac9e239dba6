/** Builds the text of `--help`, and shell completions. Pure. */
import { z } from 'zod';
import {
  COMMAND_NAMES,
  type CommandName,
  getCommandDefinition,
  listCommandOptionFlags,
  toOptionFlag,
} from './command-list';

export const PROGRAM_NAME = 'threshold-admin';

const GENERAL = [
  ['--help', 'Lists the commands. After a command, shows its options.'],
  ['--version', 'The version.'],
  ['--json', 'One line of JSON. The default unless stdout is a terminal.'],
  ['--table', 'Tables and lines for people. The default on a terminal.'],
] as const;

const columns = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

/** Returns help on all commands, or only on the commands that begin with these words. */
export function renderHelpText(words: readonly string[]): string {
  const typed = words.join(' ');
  const names = COMMAND_NAMES.filter((name) => typed !== '' && (name === typed || name.startsWith(`${typed} `)));
  if (names.length === 0) {
    return [
      `Usage: ${PROGRAM_NAME} COMMAND [OPTIONS]`,
      `       npm run --silent admin -- COMMAND [OPTIONS]`,
      '',
      ...columns(COMMAND_NAMES.map((name) => [name, getCommandDefinition(name).what])),
      '',
      ...columns(GENERAL),
      '',
      'Exit status: 0 on success, 1 on failure or a failed check, 2 on a usage error.',
      '',
    ].join('\n');
  }
  return names
    .map((name) => `Usage: ${PROGRAM_NAME} ${getCommandDefinition(name).usage}\n\n${getCommandDefinition(name).what}\n`)
    .join('\n');
}

/** Returns the allowed values of an enumerated option. */
function choicesOf(name: CommandName, option: string): string[] {
  let schema: z.ZodType | undefined = getCommandDefinition(name).options.shape[option] as z.ZodType | undefined;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.unwrap() as z.ZodType;
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** Returns a completion script for `eval` in a shell. zsh reads bash's completions. */
export function renderShellCompletionScript(shell: 'bash' | 'zsh'): string {
  // The names are sorted by length, so that `backup verify` precedes its prefix `backup`.
  const longest_first = [...COMMAND_NAMES].sort((a, b) => b.length - a.length);
  const cases = longest_first.flatMap((name) => {
    const { operand } = getCommandDefinition(name);
    const given = listCommandOptionFlags(name);
    const words = [
      ...given.map(toOptionFlag),
      ...(operand ? choicesOf(name, operand) : []),
      '--json',
      '--table',
      '--help',
    ];
    const values = given.flatMap((option) => {
      const choices = choicesOf(name, option);
      return choices.length > 0 ? [`    '${name} ${toOptionFlag(option)}') words='${choices.join(' ')}' ;;`] : [];
    });
    return [...values, `    '${name} '*) words='${words.join(' ')}' ;;`];
  });
  const subjects = [...new Set(COMMAND_NAMES.map((name) => name.split(' ')[0]))];
  const verbs = subjects.flatMap((subject) => {
    const found = COMMAND_NAMES.filter((name) => name.startsWith(`${subject} `)).map((name) => name.split(' ')[1]);
    return found.length > 0 ? [`    '${subject}') words='${found.join(' ')}' ;;`] : [];
  });
  const alone = COMMAND_NAMES.filter((name) => !name.includes(' '));
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_${PROGRAM_NAME.replace('-', '_')}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words='' name=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...subjects, '--help', '--version'].join(' ')}'
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${verbs.join('\n')}
    esac
  fi
  name="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  case "\${COMP_WORDS[1]}" in
    ${alone.join('|')}) case "$name" in ${
      COMMAND_NAMES.filter((name) => alone.some((one) => name.startsWith(`${one} `)))
        .map((name) => `'${name}'`)
        .join('|') || "''"
    }) ;; *) name="\${COMP_WORDS[1]}" ;; esac ;;
  esac
  if [ "$COMP_CWORD" -ge 3 ] || [ "$name" = "\${COMP_WORDS[1]}" ]; then
    case "$name $previous" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ] && [ "\${current#-}" = "$current" ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _${PROGRAM_NAME.replace('-', '_')} ${PROGRAM_NAME}
`;
}
