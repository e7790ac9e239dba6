/**
 * Parses the operator's command line into a validated command, which may also be sent to a running
 * server.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import {
  COMMAND_NAMES,
  type CommandName,
  getCommandDefinition,
  listCommandOptionFlags,
  OPERATOR_COMMANDS,
  toOptionFlag,
} from './command-list';

export type ParsedOperatorCommand = {
  [Name in CommandName]: {
    readonly name: Name;
    readonly options: z.output<(typeof OPERATOR_COMMANDS)[Name]['options']>;
  };
}[CommandName];

/** Thrown for an invalid command line. The message is one line. */
export class UsageError extends Error {
  override name = 'UsageError';
  constructor(
    message: string,
    /** The missing option, if no other problem has been found. */
    readonly missing?: string,
  ) {
    super(message);
  }
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(OPERATOR_COMMANDS, name);

function typedOptions(name: CommandName, args: string[]): Record<string, string> {
  const { operand, usage } = getCommandDefinition(name);
  const names = listCommandOptionFlags(name).map((option) => option.replaceAll('_', '-'));
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(names.map((option) => [option, { type: 'string' as const }])),
      strict: true,
      allowPositionals: operand !== undefined,
    });
    if (positionals.length > 1) throw new Error(`One ${operand} at a time`);
    return Object.fromEntries([
      ...Object.entries(values).map(([option, value]) => [option.replaceAll('-', '_'), String(value)]),
      ...(operand && positionals[0] !== undefined ? [[operand, positionals[0]]] : []),
    ]);
  } catch (error) {
    const reason = (error as Error).message
      .split('\n')[0]
      ?.split(/\. (?:To specify|This command) /, 1)[0]
      ?.replace(/\.$/, '');
    throw new UsageError(`${reason}. Usage: ${usage}`);
  }
}

/** Validates a command's options. Throws UsageError. */
function validate(name: CommandName, options: unknown): ParsedOperatorCommand {
  const { usage, options: schema, operand, asked } = getCommandDefinition(name);
  const parsed = schema.safeParse(options);
  if (parsed.success) return { name, options: parsed.data } as ParsedOperatorCommand;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? '');
  const bare = field === operand || field === asked;
  const option = bare ? `The ${field.replaceAll('_', ' ')}` : toOptionFlag(field);
  const absent = issue?.code === 'invalid_type' || issue?.code === 'too_small';
  const given = Object.hasOwn(options as object, String(issue?.path[0]));
  const problem = absent && !given ? 'is missing' : absent ? 'is empty' : issue?.message;
  throw new UsageError(
    given || absent ? `${option} ${problem}. Usage: ${usage}` : `${option} is missing. Usage: ${usage}`,
    given ? undefined : field,
  );
}

/**
 * Parses `['team', 'create', '--name', 'N', …]` to a command. Paths are resolved against `cwd`,
 * because a running server that executes the command has another working directory. `asked`
 * contains options that were prompted for. Throws UsageError.
 */
export function parseOperatorCommand(
  argv: readonly string[],
  cwd: string,
  asked: Record<string, string> = {},
): ParsedOperatorCommand {
  const first_option = argv.findIndex((word) => word.startsWith('-'));
  const before_options = first_option < 0 ? [...argv] : argv.slice(0, first_option);
  const named = [2, 1].find((count) => {
    const name = before_options.slice(0, count).join(' ');
    return isCommandName(name) && getCommandDefinition(name).operand;
  });
  const words = before_options.slice(0, named);
  const name = words.join(' ');
  if (!isCommandName(name)) {
    const known = COMMAND_NAMES.join(', ');
    throw new UsageError(name ? `There is no command "${name}". Commands: ${known}.` : `Name a command: ${known}.`);
  }
  const options = typedOptions(name, argv.slice(words.length));
  for (const path of [
    'out',
    'in',
    'checkpoint',
    ...(getCommandDefinition(name).operand === 'file' ? ['file', 'certificate'] : []),
  ]) {
    if (options[path]) options[path] = resolve(cwd, options[path]);
  }
  return validate(name, { ...options, ...asked });
}
