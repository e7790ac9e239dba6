/**
 * The environment variables and their valid values. An error has one line for each variable: its
 * name, the valid values, and the given value, unless it is secret.
 */
import { z } from 'zod';
import { normalizeIpRange } from '@/shared/ip';
import { EmailAddress } from '@/shared/schemas';

const says = (text: string) => ({ error: text });
const text = z.string().optional();
const isAddress = (value: string) => EmailAddress.safeParse(value).success;
const isHost = (value: string) =>
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(value);
const isUrl = (value: string, ...schemes: string[]) => URL.canParse(value) && schemes.includes(new URL(value).protocol);

const url = (example: string, ...schemes: string[]) =>
  z
    .string()
    .refine((value) => isUrl(value, ...schemes), says(`has to be an address like ${example}`))
    .optional();
const http = (example: string) => url(example, 'http:', 'https:');
/** Returns whether a URL names a bucket or a folder in a bucket, and includes credentials. */
function isStorageUrl(value: string): boolean {
  if (!isUrl(value, 'http:', 'https:')) return false;
  const { pathname, hash, username, password, searchParams } = new URL(value);
  const said = [...searchParams].every(([name, setting]) =>
    name === 'region' ? /^[a-z0-9-]+$/.test(setting) : name === 'write' && setting === 'off',
  );
  return said && hash === '' && isDecodable(username) && isDecodable(password) && /^(\/[\w.-]+)+\/?$/.test(pathname);
}
const isDecodable = (text: string) => text !== '' && !/%(?![0-9a-f]{2})/i.test(text);
/**
 * Returns whether a URL has a host, a port and credentials. The only allowed query parameter is
 * `starttls=off`.
 */
function isSmtpUrl(value: string): boolean {
  if (!isUrl(value, 'smtp:', 'smtps:')) return false;
  const { hostname, pathname, hash, username, password, searchParams } = new URL(value);
  const said = [...searchParams].map(([name, setting]) => `${name}=${setting}`);
  const decodes = [username, password].every((text) => !/%(?![0-9a-f]{2})/i.test(text));
  return (
    hostname !== '' &&
    (pathname === '' || pathname === '/') &&
    hash === '' &&
    decodes &&
    Boolean(username) === Boolean(password) &&
    said.every((one) => one === 'starttls=off' && value.startsWith('smtp:'))
  );
}
/**
 * Validates an origin. A path is an error, because URLs derived from the origin would not include
 * it.
 */
const origin = (example: string) =>
  z
    .string()
    .refine(
      (value) => isUrl(value, 'http:', 'https:') && /^\w+:\/\/[^/?#@]+\/*$/.test(value),
      says(`has to be an origin like ${example}, without a path`),
    )
    .optional();
const host = (fallback: string) =>
  z.string().refine(isHost, says('has to be a domain like in.example.com')).default(fallback);
const whole = (from: number, to: number, fallback: number) => {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  return z.coerce
    .number(says(`has to be a whole number ${range}`))
    .int(`has to be a whole number ${range}`)
    .min(from, `has to be a whole number ${range}`)
    .max(to, `has to be a whole number ${range}`)
    .default(fallback);
};
const positive = (fallback: number) => whole(1, Number.MAX_SAFE_INTEGER, fallback);
const flag = z
  .enum(['0', '1', 'true', 'false'], says('has to be 1 or 0'))
  .default('0')
  .transform((value) => value === '1' || value === 'true');
const list = (may_be: (item: string) => boolean = () => true, what = '') =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .refine((items) => items.every(may_be), says(`has to be ${what}, separated by commas`));
/**
 * Returns whether a text consists of a witness's signed-note verifier key
 * (https://c2sp.org/signed-note), white space and the witness's URL.
 */
const isWitness = (item: string) => {
  const [key = '', url = '', ...rest] = item.split(/\s+/);
  return /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/.test(key) && isUrl(url, 'http:', 'https:') && rest.length === 0;
};
const name = (fallback: string) =>
  z.string().trim().min(1, 'has to be a name').max(40, 'has to be a name of at most 40 characters').default(fallback);
const domains = () => list(isHost, 'domains like mail.example.com');
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const signingKey = z
  .string()
  .regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i, 'has to be hexadecimal, of an even length (openssl rand -hex 32)')
  .optional();

export const Environment = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: whole(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  APP_URL: origin('https://guests.example.com'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgresql://user:password@host:5432/threshold', 'postgres:', 'postgresql:'),
  DATABASE_POOL_SIZE: positive(10),
  STORAGE_URL: z
    .string()
    .refine(
      isStorageUrl,
      says(
        'has to be an address like https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1, with special characters of key and secret percent-encoded',
      ),
    )
    .optional(),
  APP_SECRET: z.string().min(32, 'has to have at least 32 characters (openssl rand -base64 32)').optional(),
  RESEND_API_KEY: text,
  RESEND_BASE_URL: http('https://api.resend.com'),
  RESEND_REQUESTS_PER_SECOND: whole(1, 1_000, 5),
  RESEND_WEBHOOK_SECRET: text,
  RESEND_INBOUND_WEBHOOK_SECRET: text,
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      says(
        'has to be an address like smtps://user:password@mail.example.com:465 or smtp://user:password@mail.example.com:587, with special characters of the password percent-encoded',
      ),
    )
    .refine(
      (value) => !isSmtpUrl(value) || !new URL(value).username || new URL(value).searchParams.get('starttls') !== 'off',
      says('has a password, which starttls=off would send in the clear'),
    )
    .optional(),
  SMTP_MAILS_PER_SECOND: whole(1, 1_000, 5),
  MAIL_FROM: z
    .string()
    .refine(
      (value) => isAddress(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value),
      says('has to be an address like Casa Azul <stay@example.com>'),
    )
    .default('Threshold <no-reply@threshold.invalid>'),
  INBOUND_DOMAIN: host('in.threshold.invalid'),
  INBOUND_SECRET: text,
  INBOUND_AUTHSERV_ID: text,
  CHANNEL_A_NAME: name('Airbnb'),
  CHANNEL_B_NAME: name('Vrbo'),
  CHANNEL_C_NAME: name('Booking.com'),
  CHANNEL_A_MAIL_DOMAINS: domains(),
  CHANNEL_B_MAIL_DOMAINS: domains(),
  CHANNEL_C_MAIL_DOMAINS: domains(),
  INNGEST_BASE_URL: http('http://host:8288'),
  INNGEST_EVENT_KEY: z
    .string()
    .regex(/^[\w.-]+$/, 'has to be letters, digits, “-”, “_” and “.” only')
    .optional(),
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_SIGNING_KEY_FALLBACK: signingKey,
  INNGEST_DEV: text,
  INNGEST_SERVE_ORIGIN: origin('http://app:3000'),
  INNGEST_DASHBOARD_URL: http('https://inngest.example.com'),
  REDIS_URL: url('redis://host:6379', 'redis:', 'rediss:'),
  RATE_LIMIT_READ_PER_MINUTE: positive(100),
  RATE_LIMIT_WRITE_PER_MINUTE: positive(30),
  OUTBOUND_ALLOW_LOOPBACK: flag,
  TRUSTED_PROXIES: list((item) => normalizeIpRange(item) !== null, 'addresses or CIDRs like 10.0.0.0/8'),
  TSA_URL: http('https://tsa.example.com/tsr'),
  TSA_CA_FILE: text,
  LOG_WITNESSES: list((item) => isWitness(item), 'witnesses like NAME+ID+KEY https://witness.example.com'),
  SEAL_P12_FILE: text,
  SEAL_P12_PASSPHRASE: text,
  BACKUP_PASSPHRASE: text,
  /**
   * The key that identifies this installation to push services. If it is not set, the installation
   * generates its own key once.
   */
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'has to be 32 bytes as base64url (npx web-push generate-vapid-keys)')
    .optional(),
  OIDC_ISSUER: http('https://login.example.com'),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  /** The provider's name on the sign-in button: “Continue with …”. */
  OIDC_NAME: z.string().max(40, 'has to be at most 40 characters').default('your company account'),
  /**
   * Treats all email addresses from the provider as verified. Needed for providers that do not mark
   * addresses as verified, such as Microsoft Entra.
   */
  OIDC_TRUST_EMAIL: flag,
  OPERATOR_EMAILS: list(isAddress, 'e-mail addresses'),
  LOG_LEVEL: z.enum(levels, says(`has to be one of ${levels.join(', ')}`)).default('info'),
  /**
   * The address or web page for reporting vulnerabilities, published at
   * `/.well-known/security.txt`.
   */
  SECURITY_CONTACT: z
    .string()
    .refine(
      (value) => isAddress(value) || isUrl(value, 'https:'),
      says('has to be an e-mail address, or a page like https://example.com/security'),
    )
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'has to be at least 16 characters (openssl rand -hex 16)').optional(),
  /** Allows AI assistants to use live API keys at /mcp. */
  MCP_LIVE_KEYS: flag,
  /**
   * Webhook retry delays in seconds, such as `1,2,3`. They replace the specification's delays in
   * tests and demonstrations.
   */
  WEBHOOK_RETRY_DELAYS_S: list((item) => Number(item) > 0, 'seconds'),
});
export type Environment = z.infer<typeof Environment>;

/**
 * Variables whose values must not appear in error messages: keys, and URLs that may contain a
 * password.
 */
const SECRET = /SECRET|KEY|TOKEN|PASSPHRASE|^(DATABASE|REDIS|SMTP|STORAGE)_URL$/;

/**
 * Parses the environment. A blank variable counts as unset, because Docker Compose passes unset
 * variables as blank. Throws an Error with one line for each invalid variable and each name that
 * looks misspelt.
 */
export function readEnvironment(given: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const parsed = Environment.safeParse(set);
  const problems = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    return `${name}: ${message}; it is ${SECRET.test(name) ? 'another (not shown)' : `“${set[name]?.slice(0, 200)}”`}`;
  });
  problems.push(...misspelt(set));
  if (parsed.success) problems.push(...missing(parsed.data));
  if (!parsed.success || problems.length > 0)
    throw new Error(`The environment is not usable:\n  ${[...new Set(problems)].join('\n  ')}`);
  return parsed.data;
}

/**
 * Returns whether INNGEST_DEV is set to anything except 0 and false. The value may also be the
 * development server's URL.
 */
export const isInngestDevMode = (value: string | undefined) =>
  value !== undefined && value !== '0' && value !== 'false';

/** Returns an error line for each missing setting that another setting requires. */
function missing(env: Environment): string[] {
  return [...missingForMail(env), ...missingForInngest(env), ...missingForOidc(env)];
}

function missingForOidc(env: Environment): string[] {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const unset = needed.filter((name) => !env[name]);
  if (unset.length === needed.length) return [];
  return unset.map((name) => `${name}: missing; signing in by OpenID Connect takes ${needed.join(', ')} together`);
}

function missingForMail(env: Environment): string[] {
  if (!env.SMTP_URL) return [];
  return [
    ...(env.RESEND_API_KEY
      ? ['SMTP_URL: set together with RESEND_API_KEY; mail is sent in one way only, so unset one of them']
      : []),
    ...(env.MAIL_FROM.includes('.invalid') ? ['MAIL_FROM: missing; mail by SMTP needs a sender of your own'] : []),
  ];
}

/**
 * Returns an error line for each missing setting that an Inngest server requires. Without these
 * settings the application would start, but durable work would not run.
 */
function missingForInngest(env: Environment): string[] {
  const { INNGEST_EVENT_KEY: event_key, INNGEST_SIGNING_KEY: signing_key } = env;
  if (!(env.INNGEST_BASE_URL || event_key || signing_key) || isInngestDevMode(env.INNGEST_DEV)) return [];
  return [
    ...(event_key ? [] : ['INNGEST_EVENT_KEY: missing; an Inngest server takes events with its event key only']),
    ...(signing_key ? [] : ['INNGEST_SIGNING_KEY: missing; without it nobody could tell the server’s calls']),
  ];
}

/**
 * Prefixes that only this product uses. An unknown variable with one of these prefixes is an error.
 * The list does not contain `INNGEST_`, `APP_`, `REDIS_` and `DATABASE_`, because other products
 * use them too.
 */
const OURS =
  /^(RATE_LIMIT|OIDC|SEAL|TSA|METRICS|INBOUND|CHANNEL|OUTBOUND|VAPID|OPERATOR|MCP|RESEND|SMTP|WEBHOOK_RETRY)_[A-Z0-9_]+$/;

/**
 * Returns an error line for each unknown variable that has one of our prefixes, or whose name
 * resembles that of an unset variable.
 */
function misspelt(set: Readonly<Record<string, string>>): string[] {
  const unset = Object.keys(Environment.shape).filter((name) => !(name in set));
  return Object.keys(set).flatMap((name) => {
    if (name in Environment.shape || name.length > 40) return [];
    const meant = unset.find((known) => isAlmost(name, known));
    if (meant) return [`${name}: no such variable; did you mean ${meant}?`];
    return OURS.test(name) ? [`${name}: no such variable; .env.example lists all`] : [];
  });
}

/**
 * Returns whether two names differ only in case or dashes. Long names may also differ in up to two
 * letters.
 */
function isAlmost(name: string, known: string): boolean {
  const bare = (value: string) => value.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (bare(name) === bare(known)) return true;
  if (!/^[A-Z][A-Z0-9_]*$/.test(name) || known.length < 8) return false;
  return distance(name, known) <= (known.length < 12 ? 1 : 2);
}

/** Returns the Levenshtein distance: the number of letters to insert, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
