/** What an operator can type: each command, its options, and what it does. Pure. */
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

const limit = z.coerce.number({ error: 'must be a number' }).int().min(1).max(1_000).default(100);

export interface Definition {
  readonly usage: string;
  /** What it does, in a sentence. */
  readonly what: string;
  readonly options: z.ZodObject;
  /** The option that is given as a bare word after the command. */
  readonly operand?: string;
}

/** Each command by its two words. The options' names are what is typed, with `_` for `-`. */
export const COMMANDS = {
  'team create': {
    what: 'Makes a team and its owner. Without --owner-password it is asked for, or read from stdin.',
    usage: 'team create --name N --owner-email E [--owner-password P] [--plan pro|free]',
    options: z.strictObject({
      name: filled,
      owner_email: filled,
      // Never asked of an argument alone: an argument is in the shell's history and in the list of processes.
      owner_password: z.string().min(1),
      // The API is for Pro accounts; an operator who means the other plan says so.
      plan: plan.default('pro'),
    }),
  },
  'team list': {
    what: 'Lists teams, the newest first.',
    usage: 'team list [--limit N]',
    options: z.strictObject({ limit }),
  },
  'team set-plan': {
    what: 'Changes a team’s plan.',
    usage: 'team set-plan --team team_… --plan pro|free',
    options: z.strictObject({ team: filled, plan }),
  },
  'team invite': {
    what: 'Prints a link into a team, for seven days and one person.',
    usage: 'team invite --team team_… --email E [--role member|owner]',
    options: z.strictObject({
      team: filled,
      email: z.email({ error: 'must be an e-mail address' }),
      role: role.default('member'),
    }),
  },
  'user reset-link': {
    what: 'Prints a link to a new password, for an hour.',
    usage: 'user reset-link --email E',
    options: z.strictObject({ email: z.email({ error: 'must be an e-mail address' }) }),
  },
  'user release': {
    what: 'Gives an account to the next holder of its address: nothing opens it until somebody proves the address.',
    usage: 'user release --email E',
    options: z.strictObject({ email: z.email({ error: 'must be an e-mail address' }) }),
  },
  'key create': {
    what: 'Makes an API key and shows it, this once.',
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
    what: 'Lists API keys, without the keys.',
    usage: 'key list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'domain release': {
    what: 'Takes a custom domain from the property that proved it, and mails its owners. A later proof has it again.',
    usage: 'domain release --domain D [--mode live|test]',
    options: z.strictObject({ domain: filled, mode: mode.default('live') }),
  },
  'endpoint list': {
    what: 'Lists webhook endpoints and how they are.',
    usage: 'endpoint list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'sync-source list': {
    what: 'Lists calendars and forwarding addresses and how they are.',
    usage: 'sync-source list [--team team_…] [--mode live|test] [--limit N]',
    options: z.strictObject({ team: filled.optional(), mode: mode.optional(), limit }),
  },
  'key revoke': {
    what: 'Ends an API key at once.',
    usage: 'key revoke --key key_…',
    options: z.strictObject({ key: filled }),
  },
  'sync-source create': {
    what: 'Connects a calendar, or makes a forwarding address.',
    usage: `sync-source create --property prop_… --kind ${kinds.join('|')} [--url URL]`,
    options: z.strictObject({
      property: filled,
      kind: z.enum(kinds, { error: `must be one of ${kinds.join(', ')}` }),
      url: filled.optional(),
    }),
  },
  'certificate verify': {
    what: 'Checks a sealed PDF against this installation, or against a certificate.',
    usage: 'certificate verify FILE.pdf [--certificate FILE.pem]',
    options: z.strictObject({ file: filled, certificate: filled.optional() }),
    operand: 'file',
  },
  'seal-key list': {
    what: 'Lists the certificates that ever sealed.',
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
    what: 'Has the next certificate sealed with a new key.',
    usage: 'seal-key retire',
    options: z.strictObject({}),
  },
  'log verify': {
    what: 'Checks the public log, against a checkpoint that somebody kept.',
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
    what: 'Runs again what gave up.',
    usage: 'run retry --run ID',
    options: z.strictObject({ run: filled }),
  },
  'dead-letter list': {
    what: 'Lists events that the relay gave up because they failed again and again.',
    usage: 'dead-letter list',
    options: z.strictObject({}),
  },
  'dead-letter retry': {
    what: 'Gives such an event back to the relay.',
    usage: 'dead-letter retry --event evt_…',
    options: z.strictObject({ event: filled }),
  },
  doctor: { what: 'Examines everything the installation stands on.', usage: 'doctor', options: z.strictObject({}) },
  status: { what: 'Says whether a server runs here, and where.', usage: 'status', options: z.strictObject({}) },
  'storage move': {
    what: 'Moves PDFs and photos into the storage of STORAGE_URL, or back.',
    usage: 'storage move --to database|s3 [--after sig_…]',
    options: z.strictObject({
      to: z.enum(['database', 's3'], { error: 'must be database or s3' }),
      // An interrupted one goes on there.
      after: z.string().default(''),
    }),
  },
  backup: {
    what: 'Writes everything to a file.',
    usage: 'backup --out FILE',
    options: z.strictObject({ out: filled }),
  },
  'backup verify': {
    what: 'Checks a backup without a database.',
    usage: 'backup verify FILE',
    options: z.strictObject({ file: filled }),
    operand: 'file',
  },
  completion: {
    what: 'Prints what a shell completes these commands with: eval "$(threshold-admin completion bash)".',
    usage: 'completion bash|zsh',
    options: z.strictObject({ shell: z.enum(['bash', 'zsh'], { error: 'must be bash or zsh' }) }),
    operand: 'shell',
  },
  restore: {
    what: 'Reads a backup into an empty database.',
    usage: 'restore --in FILE',
    options: z.strictObject({ in: filled }),
  },
} as const satisfies Record<string, Definition>;

export type CommandName = keyof typeof COMMANDS;

export const definitionOf = (name: CommandName): Definition => COMMANDS[name];
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** An option as it is typed. */
export const typedName = (option: string) => `--${option.replaceAll('_', '-')}`;
