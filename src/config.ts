/**
 * The environment, parsed once. Nothing else in the product reads process.env for settings, so that environment.ts is the
 * whole list of what can be configured (README, "Configuration").
 */
import { trimEndOf } from '@/shared/text/trim-characters';
import { inDevelopment, readEnvironment } from './environment';

export type Config = ReturnType<typeof parseConfig>;

/** The configuration that an environment makes. Throws an Error that names every wrong variable (environment.ts). */
export function parseConfig(environment: Record<string, string | undefined>) {
  const env = readEnvironment(environment);
  const app_url = trimEndOf(env.APP_URL ?? `http://localhost:${env.PORT}`, '/');
  const delays = env.WEBHOOK_RETRY_DELAYS_S.map(Number);
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
    /** Where sealed PDFs and photos go; without it they stay in the database. */
    storage_url: env.STORAGE_URL,
    /** `write=off` in it: what lies there is read, and nothing more goes there. */
    storage_write: env.STORAGE_URL !== undefined && new URL(env.STORAGE_URL).searchParams.get('write') !== 'off',
    resend_api_key: env.RESEND_API_KEY,
    resend_base_url: env.RESEND_BASE_URL,
    /** The other way for mail to go out; never both. */
    smtp_url: env.SMTP_URL,
    mails_per_second: env.SMTP_URL ? env.SMTP_MAILS_PER_SECOND : env.RESEND_REQUESTS_PER_SECOND,
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
            /** Also taken, while the key is being replaced. */
            signing_key_fallback: env.INNGEST_SIGNING_KEY_FALLBACK,
            dev: inDevelopment(env.INNGEST_DEV),
            /** Where an operator's browser finds that server's own pages. */
            dashboard_url: env.INNGEST_DASHBOARD_URL,
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
    /** The authorities whose timestamps count; a timestamp of another is not taken. */
    tsa_ca_file: env.TSA_CA_FILE,
    /** Who cosigns the public log's checkpoints (public-log/witnesses.ts). */
    log_witnesses: env.LOG_WITNESSES,
    seal_p12_file: env.SEAL_P12_FILE,
    seal_p12_passphrase: env.SEAL_P12_PASSPHRASE,
    backup_passphrase: env.BACKUP_PASSPHRASE,
    vapid_private_key: env.VAPID_PRIVATE_KEY,
    /** Where people of the installation may sign in beside their passwords; null without one. */
    oidc:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET
        ? {
            issuer: env.OIDC_ISSUER,
            client_id: env.OIDC_CLIENT_ID,
            client_secret: env.OIDC_CLIENT_SECRET,
            name: env.OIDC_NAME,
            trust_email: env.OIDC_TRUST_EMAIL,
          }
        : null,
    /** Who sees the installation's durable work (accounts/operators.ts); lower case. */
    operator_emails: env.OPERATOR_EMAILS.map((email) => email.toLowerCase()),
    metrics_token: env.METRICS_TOKEN,
    mcp_live_keys: env.MCP_LIVE_KEYS,
    log_level: env.LOG_LEVEL,
    webhook_retry_delays_ms: delays.length > 0 ? delays.map((seconds) => seconds * 1000) : undefined,
  };
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

/** The address that mail is sent from: MAIL_FROM without its name. */
export const senderAddress = () => /<([^<>]+)>/.exec(config().mail_from)?.[1] ?? config().mail_from;

/** The master secret. Throws when the server has not set one yet, so that nothing is ever encrypted with an empty key. */
export function appSecret(): string {
  const secret = config().app_secret;
  if (!secret) throw new Error('APP_SECRET is not set.');
  return secret;
}
