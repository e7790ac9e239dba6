/** Builds the help texts and the shell completions. */
import { RESOURCES, type Verb } from './resources.js';
import { TRIGGERS } from './trigger.js';

export const COMMANDS: Readonly<Record<string, string>> = {
  login: 'Get a test key from the dashboard, or store a key that you paste or pipe in: --api-root https://…/v1',
  logout: 'Remove the stored keys',
  listen: 'Forward test events to a local address: --forward-to http://localhost:3000/webhooks',
  trigger: 'Trigger a test event: trigger reservation.signed',
  completions: 'Print completions for bash, zsh or fish',
  version: 'Show the version',
  help: 'Show this help, or the help of a command: help listen',
};

/** Additional verbs, which do not correspond to a single operation. */
export const MORE_VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reservations: { 'sign-as-guest': 'Sign a test reservation as the guest: --name "Ada Lovelace"' },
  events: { tail: 'Show events as they arrive' },
  logs: { tail: 'Show requests as they arrive' },
};

export const OPTIONS: Readonly<Record<string, string>> = {
  '--json': 'Print JSON: one object, or one object per line for listen and tail',
  '--all': 'Fetch all pages of a list',
  '--live': 'Use live data and the live key',
  '--api-root': 'The URL of the API',
  '--paste': 'For login: paste a key instead of opening the dashboard',
  '--scopes': 'For login: limit the key to these scopes, separated by commas',
  '--events': 'For listen and tail: only these event types, separated by commas',
  '--help': 'Show this help',
  '--version': 'Show the version',
};

const lines = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`).join('\n');
};

export function help(): string {
  return `Threshold from the command line. It uses test data unless --live is given.

Usage: threshold <command> [arguments] [field=text] [field:=json] [options]

Commands
${lines(Object.entries(COMMANDS))}

Resources
${lines(Object.entries(RESOURCES).map(([name, { says }]) => [name, `${says}: ${verbsOf(name).join(', ')}`]))}

Options
${lines(Object.entries(OPTIONS))}

The environment variables THRESHOLD_KEY and THRESHOLD_API_ROOT override what login stored.
Exit codes: 0 on success, 1 on failure, 2 on a usage error or without a key.`;
}

const usageOf = (name: string, verb: string, { ids = [], takes }: Verb) =>
  `${name} ${verb}${ids.map((id) => ` <${id}>`).join('')}${takes ? ' [field=…]' : ''}`;

export const verbsOf = (name: string): string[] => [
  ...Object.keys(RESOURCES[name]?.verbs ?? {}),
  ...Object.keys(MORE_VERBS[name] ?? {}),
];

/** Returns the options of a command, followed by the options of all commands. */
function optionsOf(name: string): string {
  const rows = Object.entries(OPTIONS).filter(([, says]) => !says.startsWith('For ') || says.includes(name));
  return `\n\nOptions\n${lines(rows)}`;
}

/** Returns the help of one command or resource. */
export function helpFor(name: string): string {
  if (Object.hasOwn(COMMANDS, name)) return `threshold ${name}\n\n${COMMANDS[name]}${optionsOf(name)}`;
  const resource = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  if (!resource) return help();
  const more = Object.entries(MORE_VERBS[name] ?? {}).map(([verb, says]) => [`${name} ${verb}`, says] as const);
  return `${resource.says}\n\n${lines([
    ...Object.entries(resource.verbs).map(([verb, it]) => [usageOf(name, verb, it), it.says] as const),
    ...more,
  ])}`;
}

/** Returns a shell script that completes commands, verbs, events and options. */
export function completions(shell: string): string | null {
  const firsts = [...Object.keys(COMMANDS), ...Object.keys(RESOURCES)].join(' ');
  const options = Object.keys(OPTIONS).join(' ');
  const cases = [
    ...Object.keys(RESOURCES).map((name) => [name, verbsOf(name).join(' ')] as const),
    ['trigger', Object.keys(TRIGGERS).join(' ')] as const,
    ['completions', 'bash zsh fish'] as const,
  ];
  if (shell === 'bash' || shell === 'zsh')
    return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_threshold() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${firsts}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.map(([name, next]) => `      ${name}) words="${next}" ;;`).join('\n')}
      *) words="" ;;
    esac
    [ "$COMP_CWORD" -gt 2 ] && words=""
  fi
  case "$word" in -*) words="${options}" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _threshold threshold`;
  if (shell === 'fish')
    return [
      'complete -c threshold -f',
      `complete -c threshold -n __fish_use_subcommand -a '${firsts}'`,
      ...cases.map(([name, next]) => `complete -c threshold -n '__fish_seen_subcommand_from ${name}' -a '${next}'`),
      ...Object.entries(OPTIONS).map(
        ([name, says]) => `complete -c threshold -l ${name.slice(2)} -d '${says.replaceAll("'", '')}'`,
      ),
    ].join('\n');
  return null;
}
