/** The operator's commands with their options and descriptions. Pure. */
import { z } from 'zod';
import { ROLES } from '@/shared/scope';

const filled = z.string().trim().min(1);
const plan = z.enum(['pro', 'free'], { error: 'must be pro or free' });
const role = z.enum(ROLES, { error: `must be ${ROLES.join(', ')}` });
const mode = z.enum(['live', 'test'], { error: 'must be live or test' });
const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const kinds = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'forward_email'] as const;
const listOfNames = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(filled.or(z.never({ error: 'has an empty item' }))).min(1));

const limit = z.coerce.number({ error: 'must be a number' }).int().min(1).max(1_000).default(100);

export interface OperatorCommandDefinition {
  readonly usage: string;
  /** A description of the command in one sentence. */
  readonly what: string;
  readonly options: z.ZodObject;
  /** The name of the option that is given as a positional argument. */
  readonly operand?: string;
  /**
   * The name of the option that is prompted for, because arguments are visible in the shell's
   * history and in the list of processes.
   */
  readonly asked?: string;
}

/** The commands by name. Options are typed with `-` instead of `_`. */
export const OPERATOR_COMMANDS = {
  'team create': {
    what: 'Creates a team and its owner. Prompts for the owner’s password, or reads it from stdin.',
    usage: 'team create --name N --owner-email E [--plan pro|free]',
    asked: 'owner_password',
    options: z.strictObject({
      name: filled,
      owner_email: filled,
      // Defaults to `pro`, because only Pro accounts can use the API.
      plan: plan.default('pro'),
      // This option is the last one, so that it is prompted for once everything else is valid.
      owner_password: z.string().min(1),
    }),
  },
  'team list': {
    what: 'Lists teams, newest first.',
    usage: 'team list [--limit N]',
    options: z.strictObject({ limit }),
  },
  'team set-plan': {
    what: 'Changes a team’s plan.',
    usage: 'team set-plan --team team_… --plan pro|free',
    options: z.strictObject({ team: filled, plan }),
  },
  'team invite': {
    what: 'Prints an invitation link for one person. It works for seven days.',
    usage: 'team invite --team team_… --email E [--role member|owner]',
    options: z.strictObject({
      team: filled,
      email: z.email({ error: 'must be an email address' }),
      role: role.default('manager'),
    }),
  },
  'user reset-link': {
    what: 'Prints a link for choosing a new password. It works for one hour.',
    usage: 'user reset-link --email E',
    options: z.strictObject({ email: z.email({ error: 'must be an email address' }) }),
  },
  'user release': {
    what: 'Releases an account to the next owner of its address. Nobody can sign in until the address is confirmed.',
    usage: 'user release --email E',
    options: z.strictObject({ email: z.email({ error: 'must be an email address' }) }),
  },
  'key create': {
    what: 'Creates an API key and shows it once.',
    usage: 'key create --team team_… --mode live|test [--name N] [--scopes a,b] [--ip-allow CIDR,…]',
    options: z.strictObject({
      team: filled,
      mode,
      name: filled.default('Operator key'),
      scopes: listOfNames.optional(),
      ip_allow: listOfNames.optional(),
    }),
  },
  'key list': {
    what: 'Lists API keys, without their secrets.',
    usage: 'key list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'domain release': {
    what: 'Removes a custom domain from the property that proved it, and mails the owners. A later proof restores it.',
    usage: 'domain release --domain D [--mode live|test]',
    options: z.strictObject({ domain: filled, mode: mode.default('live') }),
  },
  'endpoint list': {
    what: 'Lists webhook endpoints and their status.',
    usage: 'endpoint list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'sync-source list': {
    what: 'Lists calendars and forwarding addresses, and their status.',
    usage: 'sync-source list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'key revoke': {
    what: 'Revokes an API key immediately.',
    usage: 'key revoke --key key_…',
    options: z.strictObject({ key: filled }),
  },
  'sync-source create': {
    what: 'Connects a calendar, or creates a forwarding address.',
    usage: `sync-source create --property prop_… --kind ${kinds.join('|')} [--url URL]`,
    options: z.strictObject({
      property: filled,
      kind: z.enum(kinds, { error: `must be one of ${kinds.join(', ')}` }),
      url: filled.optional(),
    }),
  },
  'certificate verify': {
    what: 'Verifies a sealed PDF against this installation, or against a certificate.',
    usage: 'certificate verify FILE.pdf [--certificate FILE.pem]',
    options: z.strictObject({ file: filled, certificate: filled.optional() }),
    operand: 'file',
  },
  'seal-key list': {
    what: 'Lists all sealing certificates, past and present.',
    usage: 'seal-key list',
    options: z.strictObject({}),
  },
  'seal-key import': {
    what: 'Trusts another installation’s sealing certificate.',
    usage: 'seal-key import FILE.pem',
    options: z.strictObject({ file: filled }),
    operand: 'file',
  },
  'seal-key retire': {
    what: 'Retires the sealing key. The next certificate is sealed with a new key.',
    usage: 'seal-key retire',
    options: z.strictObject({}),
  },
  'log verify': {
    what: 'Verifies the public log, optionally against an earlier checkpoint.',
    usage: 'log verify [--checkpoint FILE]',
    options: z.strictObject({ checkpoint: filled.optional() }),
  },
  'run list': {
    what: 'Lists runs of the embedded engine.',
    usage: `run list [--status ${RUN_STATUSES.join('|')}] [--limit N]`,
    options: z.strictObject({
      status: z.enum(RUN_STATUSES, { error: `must be one of ${RUN_STATUSES.join(', ')}` }).optional(),
      limit: z.coerce.number({ error: 'must be a number' }).int().min(1).max(100).default(20),
    }),
  },
  'run retry': {
    what: 'Retries a failed run.',
    usage: 'run retry --run ID',
    options: z.strictObject({ run: filled }),
  },
  'dead-letter list': {
    what: 'Lists events that the relay gave up after repeated failures.',
    usage: 'dead-letter list',
    options: z.strictObject({}),
  },
  'dead-letter retry': {
    what: 'Returns such an event to the relay.',
    usage: 'dead-letter retry --event evt_…',
    options: z.strictObject({ event: filled }),
  },
  doctor: { what: 'Checks everything that the installation depends on.', usage: 'doctor', options: z.strictObject({}) },
  status: {
    what: 'Shows whether a server is running here, and its URL.',
    usage: 'status',
    options: z.strictObject({}),
  },
  'storage move': {
    what: 'Moves PDFs and photos into the storage of STORAGE_URL, or back.',
    usage: 'storage move --to database|s3 [--after sig_…]',
    options: z.strictObject({
      to: z.enum(['database', 's3'], { error: 'must be database or s3' }),
      // The id of the certificate after which an interrupted move continues.
      after: z.string().default(''),
    }),
  },
  backup: {
    what: 'Writes a backup to a file.',
    usage: 'backup --out FILE',
    options: z.strictObject({ out: filled }),
  },
  'backup verify': {
    what: 'Verifies a backup. Needs no database.',
    usage: 'backup verify FILE',
    options: z.strictObject({ file: filled }),
    operand: 'file',
  },
  completion: {
    what: 'Prints shell completions: eval "$(threshold-admin completion bash)".',
    usage: 'completion bash|zsh',
    options: z.strictObject({ shell: z.enum(['bash', 'zsh'], { error: 'must be bash or zsh' }) }),
    operand: 'shell',
  },
  restore: {
    what: 'Restores a backup into an empty database.',
    usage: 'restore --in FILE',
    options: z.strictObject({ in: filled }),
  },
} as const satisfies Record<string, OperatorCommandDefinition>;

export type CommandName = keyof typeof OPERATOR_COMMANDS;

export const getCommandDefinition = (name: CommandName): OperatorCommandDefinition => OPERATOR_COMMANDS[name];
export const COMMAND_NAMES = Object.keys(OPERATOR_COMMANDS) as CommandName[];

export const toOptionFlag = (option: string) => `--${option.replaceAll('_', '-')}`;

/** Returns the options of a command that are typed as `--option value`. */
export function listCommandOptionFlags(name: CommandName): string[] {
  const { options, operand, asked } = getCommandDefinition(name);
  return Object.keys(options.shape).filter((option) => option !== operand && option !== asked);
}
