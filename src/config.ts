/**
 * The environment, parsed once. Nothing else in the product reads process.env for settings, so that this file is the
 * whole list of what can be configured (README, "Configuration").
 */
import { z } from 'zod';
import { trimEndOf } from '@/shared/trim-characters';

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .default('')
  .transform((value) => value === '1' || value === 'true');
const optional = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : undefined));
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
const positive = (fallback: number) => z.coerce.number().int().positive().default(fallback);

const Environment = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  APP_URL: optional,
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: positive(10),
  APP_SECRET: optional,
  RESEND_API_KEY: optional,
  RESEND_BASE_URL: optional,
  RESEND_WEBHOOK_SECRET: optional,
  RESEND_INBOUND_WEBHOOK_SECRET: optional,
  MAIL_FROM: z.string().default('Threshold <no-reply@threshold.invalid>'),
  INBOUND_DOMAIN: z.string().default('in.threshold.invalid'),
  INBOUND_SECRET: optional,
  INBOUND_AUTHSERV_ID: optional,
  CHANNEL_A_MAIL_DOMAINS: list,
  CHANNEL_B_MAIL_DOMAINS: list,
  CHANNEL_C_MAIL_DOMAINS: list,
  INNGEST_BASE_URL: optional,
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: optional,
  INNGEST_DEV: optional,
  INNGEST_SERVE_ORIGIN: optional,
  REDIS_URL: optional,
  RATE_LIMIT_READ_PER_MINUTE: positive(100),
  RATE_LIMIT_WRITE_PER_MINUTE: positive(30),
  OUTBOUND_ALLOW_LOOPBACK: flag,
  TRUSTED_PROXIES: list,
  TSA_URL: optional,
  SEAL_P12_FILE: optional,
  SEAL_P12_PASSPHRASE: optional,
  OPERATOR_EMAILS: list,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** What a Prometheus server presents at /metrics; without it there is no such page. */
  METRICS_TOKEN: optional,
  /** Tests and demonstrations only: retry delays in seconds, `1,2,3`, in place of the specification's. */
  WEBHOOK_RETRY_DELAYS_S: list,
});

export type Config = ReturnType<typeof parseConfig>;

/** Parses an environment; throws an Error that names every wrong variable. */
export function parseConfig(environment: Record<string, string | undefined>) {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is not usable:\n  ${problems.join('\n  ')}`);
  }
  const env = parsed.data;
  const unusable = inngestProblems(env);
  if (unusable.length > 0) throw new Error(`The environment is not usable:\n  ${unusable.join('\n  ')}`);
  const app_url = trimEndOf(env.APP_URL ?? `http://localhost:${env.PORT}`, '/');
  const delays = env.WEBHOOK_RETRY_DELAYS_S.map(Number).filter((n) => Number.isFinite(n) && n > 0);
  return {
    production: env.NODE_ENV !== 'development',
    port: env.PORT,
    host: env.HOST,
    app_url,
    api_root: `${app_url}/v1`,
    data_dir: env.DATA_DIR,
    database_url: env.DATABASE_URL,
    database_pool_size: env.DATABASE_POOL_SIZE,
    app_secret: env.APP_SECRET,
    resend_api_key: env.RESEND_API_KEY,
    resend_base_url: env.RESEND_BASE_URL,
    resend_webhook_secret: env.RESEND_WEBHOOK_SECRET,
    /** The provider gives every webhook endpoint a secret of its own. */
    resend_inbound_webhook_secret: env.RESEND_INBOUND_WEBHOOK_SECRET ?? env.RESEND_WEBHOOK_SECRET,
    mail_from: env.MAIL_FROM,
    inbound_domain: env.INBOUND_DOMAIN,
    inbound_secret: env.INBOUND_SECRET,
    inbound_authserv_id: env.INBOUND_AUTHSERV_ID,
    /** Where each channel's own mail and relay addresses come from; forwarded mail from elsewhere waits for the host. */
    channel_mail_domains: {
      channel_a: domains(env.CHANNEL_A_MAIL_DOMAINS, 'channel-a.example'),
      channel_b: domains(env.CHANNEL_B_MAIL_DOMAINS, 'channel-b.example'),
      channel_c: domains(env.CHANNEL_C_MAIL_DOMAINS, 'channel-c.example'),
    },
    /** Set when a real Inngest server does the durable work; the embedded engine is off then. */
    inngest:
      env.INNGEST_BASE_URL || env.INNGEST_EVENT_KEY || env.INNGEST_SIGNING_KEY || env.INNGEST_DEV
        ? {
            base_url: env.INNGEST_BASE_URL,
            event_key: env.INNGEST_EVENT_KEY,
            signing_key: env.INNGEST_SIGNING_KEY,
            dev: inDevelopment(env.INNGEST_DEV),
            /** Where that server finds this application's functions, when that is not its public address. */
            serve_origin: env.INNGEST_SERVE_ORIGIN && trimEndOf(env.INNGEST_SERVE_ORIGIN, '/'),
          }
        : null,
    redis_url: env.REDIS_URL,
    rate_limit_read_per_minute: env.RATE_LIMIT_READ_PER_MINUTE,
    rate_limit_write_per_minute: env.RATE_LIMIT_WRITE_PER_MINUTE,
    outbound_allow_loopback: env.OUTBOUND_ALLOW_LOOPBACK,
    trusted_proxies: env.TRUSTED_PROXIES,
    tsa_url: env.TSA_URL,
    seal_p12_file: env.SEAL_P12_FILE,
    seal_p12_passphrase: env.SEAL_P12_PASSPHRASE,
    /** Who sees the installation's durable work (accounts/operators.ts); lower case. */
    operator_emails: env.OPERATOR_EMAILS.map((email) => email.toLowerCase()),
    metrics_token: env.METRICS_TOKEN,
    log_level: env.LOG_LEVEL,
    webhook_retry_delays_ms: delays.length > 0 ? delays.map((seconds) => seconds * 1000) : undefined,
  };
}

/** Anything but 0 and false; the SDK also takes the development server's address. */
const inDevelopment = (text: string | undefined) => text !== undefined && text !== '0' && text !== 'false';

/** What no Inngest server can work with: it would start as if all were well, and durable work would stand still. */
function inngestProblems(env: z.infer<typeof Environment>): string[] {
  const { INNGEST_BASE_URL: base_url, INNGEST_EVENT_KEY: event_key, INNGEST_SIGNING_KEY: signing_key } = env;
  const problems: string[] = [];
  for (const name of ['INNGEST_BASE_URL', 'INNGEST_SERVE_ORIGIN'] as const) {
    const url = env[name];
    if (url && !(/^https?:/i.test(url) && URL.canParse(url)))
      problems.push(`${name}: not an address like http://host:8288`);
  }
  const used = base_url || event_key || signing_key;
  if (used && !inDevelopment(env.INNGEST_DEV)) {
    if (!event_key) problems.push('INNGEST_EVENT_KEY: missing; an Inngest server takes events with its event key only');
    if (!signing_key) problems.push('INNGEST_SIGNING_KEY: missing; without it nobody could tell the server’s calls');
  }
  if (event_key && !/^[\w.-]+$/.test(event_key))
    problems.push('INNGEST_EVENT_KEY: letters, digits, “-”, “_” and “.” only');
  if (signing_key && !/^(signkey-\w+-)?([0-9a-f]{2})+$/i.test(signing_key))
    problems.push('INNGEST_SIGNING_KEY: has to be hexadecimal, of an even length (openssl rand -hex 32)');
  return problems;
}

const domains = (given: string[], stand_in: string) =>
  given.length > 0 ? given.map((domain) => domain.toLowerCase()) : [stand_in];

const slot = globalThis as typeof globalThis & { __thresholdConfig?: Config };

/** The process's configuration, shared by both module copies. The server fills in what it finds out at start (port, secret). */
export function config(): Config {
  slot.__thresholdConfig ??= parseConfig(process.env);
  return slot.__thresholdConfig;
}

/** Replaces parts of the configuration: the server at start, and tests. */
export function setConfig(changes: Partial<Config>): Config {
  slot.__thresholdConfig = { ...config(), ...changes };
  return slot.__thresholdConfig;
}

/** Forgets every change, so that the environment is read again; for tests. */
export function resetConfig(): void {
  slot.__thresholdConfig = undefined;
}

/** The master secret. Throws when the server has not set one yet, so that nothing is ever encrypted with an empty key. */
export function appSecret(): string {
  const secret = config().app_secret;
  if (!secret) throw new Error('APP_SECRET is not set.');
  return secret;
}
