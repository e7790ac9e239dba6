/** The operator's commands: what is typed, and the validated command it becomes (which also travels to a running server). */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const filled = z.string().trim().min(1);
const plan = z.enum(['pro', 'free'], { error: 'must be pro or free' });
const role = z.enum(['member', 'owner'], { error: 'must be member or owner' });
const mode = z.enum(['live', 'test'], { error: 'must be live or test' });
const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const kinds = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'forward_email'] as const;
const listOfNames = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(filled.or(z.never({ error: 'has an empty item' }))).min(1));

interface Definition {
  readonly usage: string;
  readonly options: z.ZodObject;
  /** The option that is given as a bare word after the command. */
  readonly operand?: string;
}

/** Each command by its two words. The options' names are what is typed, with `_` for `-`. */
const COMMANDS = {
  'team create': {
    usage: 'team create --name N --owner-email E --owner-password P [--plan pro|free]',
    options: z.strictObject({
      name: filled,
      owner_email: filled,
      owner_password: z.string().min(1),
      // The API is for Pro accounts; an operator who means the other plan says so.
      plan: plan.default('pro'),
    }),
  },
  'team set-plan': {
    usage: 'team set-plan --team team_… --plan pro|free',
    options: z.strictObject({ team: filled, plan }),
  },
  'team invite': {
    usage: 'team invite --team team_… --email E [--role member|owner]',
    options: z.strictObject({
      team: filled,
      email: z.email({ error: 'must be an e-mail address' }),
      role: role.default('member'),
    }),
  },
  'user reset-link': {
    usage: 'user reset-link --email E',
    options: z.strictObject({ email: z.email({ error: 'must be an e-mail address' }) }),
  },
  'key create': {
    usage: 'key create --team team_… --mode live|test [--name N] [--scopes a,b] [--ip-allow CIDR,…]',
    options: z.strictObject({
      team: filled,
      mode,
      name: filled.default('Operator key'),
      scopes: listOfNames.optional(),
      ip_allow: listOfNames.optional(),
    }),
  },
  'key revoke': { usage: 'key revoke --key key_…', options: z.strictObject({ key: filled }) },
  'sync-source create': {
    usage: `sync-source create --property prop_… --kind ${kinds.join('|')} [--url URL]`,
    options: z.strictObject({
      property: filled,
      kind: z.enum(kinds, { error: `must be one of ${kinds.join(', ')}` }),
      url: filled.optional(),
    }),
  },
  'certificate verify': {
    usage: 'certificate verify FILE.pdf [--certificate FILE.pem]',
    options: z.strictObject({ file: filled, certificate: filled.optional() }),
    operand: 'file',
  },
  'seal-key list': { usage: 'seal-key list', options: z.strictObject({}) },
  'seal-key import': {
    usage: 'seal-key import FILE.pem',
    options: z.strictObject({ file: filled }),
    operand: 'file',
  },
  'seal-key retire': { usage: 'seal-key retire', options: z.strictObject({}) },
  'log verify': {
    usage: 'log verify [--checkpoint FILE]',
    options: z.strictObject({ checkpoint: filled.optional() }),
  },
  'run list': {
    usage: `run list [--status ${RUN_STATUSES.join('|')}] [--limit N]`,
    options: z.strictObject({
      status: z.enum(RUN_STATUSES, { error: `must be one of ${RUN_STATUSES.join(', ')}` }).optional(),
      limit: z.coerce.number({ error: 'must be a number' }).int().min(1).max(100).default(20),
    }),
  },
  'run retry': { usage: 'run retry --run ID', options: z.strictObject({ run: filled }) },
  doctor: { usage: 'doctor', options: z.strictObject({}) },
  status: { usage: 'status', options: z.strictObject({}) },
  backup: { usage: 'backup --out FILE', options: z.strictObject({ out: filled }) },
  'backup verify': {
    usage: 'backup verify FILE [--from-byte N]',
    options: z.strictObject({
      file: filled,
      from_byte: z.coerce.number({ error: 'must be a number of bytes' }).int().min(0).default(0),
    }),
    operand: 'file',
  },
  restore: { usage: 'restore --in FILE', options: z.strictObject({ in: filled }) },
} as const satisfies Record<string, Definition>;

type CommandName = keyof typeof COMMANDS;

/** A validated command: its name and its options. */
export type Command = {
  [Name in CommandName]: { readonly name: Name; readonly options: z.output<(typeof COMMANDS)[Name]['options']> };
}[CommandName];

/** What the operator typed cannot be a command. The message is one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** All commands, for `admin --help`. */
export const USAGE = Object.values(COMMANDS)
  .map(({ usage }) => `  npm run --silent admin -- ${usage}`)
  .join('\n');

const definitionOf = (name: CommandName): Definition => COMMANDS[name];
const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

function typedOptions(name: CommandName, args: string[]): Record<string, string> {
  const { options, operand, usage } = definitionOf(name);
  const names = Object.keys(options.shape)
    .filter((option) => option !== operand)
    .map((option) => option.replaceAll('_', '-'));
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(names.map((option) => [option, { type: 'string' as const }])),
      strict: true,
      allowPositionals: operand !== undefined,
    });
    if (positionals.length > 1) throw new Error('One file at a time');
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

/** Validates a command's options, as typed. Throws UsageError. */
function validate(name: CommandName, options: unknown): Command {
  const { usage, options: schema, operand } = definitionOf(name);
  const parsed = schema.safeParse(options);
  if (parsed.success) return { name, options: parsed.data } as Command;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? '');
  const option = field === operand ? `The ${field}` : `--${field.replaceAll('_', '-')}`;
  const absent = issue?.code === 'invalid_type' || issue?.code === 'too_small';
  const given = Object.hasOwn(options as object, String(issue?.path[0]));
  const problem = absent && !given ? 'is missing' : absent ? 'is empty' : issue?.message;
  throw new UsageError(
    given || absent ? `${option} ${problem}. Usage: ${usage}` : `${option} is missing. Usage: ${usage}`,
  );
}

/**
 * `['team', 'create', '--name', 'N', …]` -> a command. Paths are resolved against `cwd`, since a running server that
 * carries the command out has another working directory. Throws UsageError.
 */
export function parseCommand(argv: readonly string[], cwd: string): Command {
  const first_option = argv.findIndex((word) => word.startsWith('-'));
  const before_options = first_option < 0 ? [...argv] : argv.slice(0, first_option);
  const two = before_options.slice(0, 2).join(' ');
  const words = isCommandName(two) && definitionOf(two).operand ? before_options.slice(0, 2) : before_options;
  const name = words.join(' ');
  if (!isCommandName(name)) {
    const known = Object.keys(COMMANDS).join(', ');
    throw new UsageError(name ? `There is no command "${name}"; there are: ${known}.` : `Name a command: ${known}.`);
  }
  const options = typedOptions(name, argv.slice(words.length));
  for (const path of [
    'out',
    'in',
    'checkpoint',
    ...(definitionOf(name).operand === 'file' ? ['file', 'certificate'] : []),
  ]) {
    if (options[path]) options[path] = resolve(cwd, options[path]);
  }
  return validate(name, options);
}
