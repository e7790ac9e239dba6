/**
 * Parses the environment once. No other code reads process.env for settings, so environment.ts
 * lists everything that can be configured (README, "Configuration").
 */
import { trimCharactersFromEnd } from '@/shared/text/trim-characters';
import { isInngestDevMode, readEnvironment } from './environment';

export type Config = ReturnType<typeof parseConfig>;

/**
 * Builds the configuration from an environment. Throws an Error that names every invalid variable
 * (environment.ts).
 */
export function parseConfig(environment: Record<string, string | undefined>) {
  const env = readEnvironment(environment);
  const app_url = trimCharactersFromEnd(env.APP_URL ?? `http://localhost:${env.PORT}`, '/');
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
    /** Where sealed PDFs and photos are stored. Undefined when they are stored in the database. */
    storage_url: env.STORAGE_URL,
    /**
     * False if the URL has `write=off`. Existing files are then still read from the storage, but no
     * new files are written to it.
     */
    storage_write: env.STORAGE_URL !== undefined && new URL(env.STORAGE_URL).searchParams.get('write') !== 'off',
    resend_api_key: env.RESEND_API_KEY,
    resend_base_url: env.RESEND_BASE_URL,
    /**
     * The SMTP server for sending mail, an alternative to Resend. Only one of the two may be set.
     */
    smtp_url: env.SMTP_URL,
    mails_per_second: env.SMTP_URL ? env.SMTP_MAILS_PER_SECOND : env.RESEND_REQUESTS_PER_SECOND,
    resend_webhook_secret: env.RESEND_WEBHOOK_SECRET,
    /**
     * The secret of the inbound-mail webhook. Resend issues a separate secret for each webhook
     * endpoint.
     */
    resend_inbound_webhook_secret: env.RESEND_INBOUND_WEBHOOK_SECRET ?? env.RESEND_WEBHOOK_SECRET,
    mail_from: env.MAIL_FROM,
    inbound_domain: env.INBOUND_DOMAIN,
    inbound_secret: env.INBOUND_SECRET,
    inbound_authserv_id: env.INBOUND_AUTHSERV_ID,
    /**
     * The channel names that users see. The API uses the specification's names, such as
     * `channel_a`.
     */
    channel_names: { channel_a: env.CHANNEL_A_NAME, channel_b: env.CHANNEL_B_NAME, channel_c: env.CHANNEL_C_NAME },
    /**
     * The domains of each channel's own mail and relay addresses. Forwarded mail from other domains
     * waits for the host's confirmation.
     */
    channel_mail_domains: {
      channel_a: domains(env.CHANNEL_A_MAIL_DOMAINS, 'channel-a.example'),
      channel_b: domains(env.CHANNEL_B_MAIL_DOMAINS, 'channel-b.example'),
      channel_c: domains(env.CHANNEL_C_MAIL_DOMAINS, 'channel-c.example'),
    },
    /** Set when an Inngest server runs the durable functions instead of the embedded engine. */
    inngest:
      env.INNGEST_BASE_URL || env.INNGEST_EVENT_KEY || env.INNGEST_SIGNING_KEY || env.INNGEST_DEV
        ? {
            base_url: env.INNGEST_BASE_URL,
            event_key: env.INNGEST_EVENT_KEY,
            signing_key: env.INNGEST_SIGNING_KEY,
            /**
             * The previous signing key, which is still accepted while the key is being replaced.
             */
            signing_key_fallback: env.INNGEST_SIGNING_KEY_FALLBACK,
            dev: isInngestDevMode(env.INNGEST_DEV),
            /** The URL of the Inngest server's dashboard, for operators. */
            dashboard_url: env.INNGEST_DASHBOARD_URL,
            /**
             * The origin at which the Inngest server calls this application, if it differs from the
             * public one.
             */
            serve_origin: env.INNGEST_SERVE_ORIGIN && trimCharactersFromEnd(env.INNGEST_SERVE_ORIGIN, '/'),
          }
        : null,
    redis_url: env.REDIS_URL,
    rate_limit_read_per_minute: env.RATE_LIMIT_READ_PER_MINUTE,
    rate_limit_write_per_minute: env.RATE_LIMIT_WRITE_PER_MINUTE,
    outbound_allow_loopback: env.OUTBOUND_ALLOW_LOOPBACK,
    trusted_proxies: env.TRUSTED_PROXIES,
    tsa_url: env.TSA_URL,
    /**
     * A file with the certificates of trusted timestamp authorities. Timestamps from other
     * authorities are rejected.
     */
    tsa_ca_file: env.TSA_CA_FILE,
    /** Witnesses that cosign the public log's checkpoints (public-log/witnesses.ts). */
    log_witnesses: env.LOG_WITNESSES,
    seal_p12_file: env.SEAL_P12_FILE,
    seal_p12_passphrase: env.SEAL_P12_PASSPHRASE,
    backup_passphrase: env.BACKUP_PASSPHRASE,
    vapid_private_key: env.VAPID_PRIVATE_KEY,
    /**
     * The OpenID Connect provider for sign-in, in addition to passwords. Null if none is
     * configured.
     */
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
    /**
     * Email addresses, in lower case, of the users who may view the installation's durable jobs
     * (accounts/operators.ts).
     */
    operator_emails: env.OPERATOR_EMAILS.map((email) => email.toLowerCase()),
    /**
     * The address or web page for reporting vulnerabilities, published at
     * `/.well-known/security.txt`.
     */
    security_contact: env.SECURITY_CONTACT,
    metrics_token: env.METRICS_TOKEN,
    mcp_live_keys: env.MCP_LIVE_KEYS,
    log_level: env.LOG_LEVEL,
    webhook_retry_delays_ms: delays.length > 0 ? delays.map((seconds) => seconds * 1000) : undefined,
  };
}

const domains = (given: string[], stand_in: string) =>
  given.length > 0 ? given.map((domain) => domain.toLowerCase()) : [stand_in];

const slot = globalThis as typeof globalThis & { __thresholdConfig?: Config };

/**
 * Returns the process's configuration. The server and Next load separate copies of this module, and
 * both copies share one configuration. The server adds values that are known only at start (port,
 * secret).
 */
export function config(): Config {
  slot.__thresholdConfig ??= parseConfig(process.env);
  return slot.__thresholdConfig;
}

/** Replaces parts of the configuration. Used by the server at start, and by tests. */
export function setConfig(changes: Partial<Config>): Config {
  slot.__thresholdConfig = { ...config(), ...changes };
  return slot.__thresholdConfig;
}

/** Discards all changes, so that the next call of `config` reads the environment. For tests. */
export function resetConfig(): void {
  slot.__thresholdConfig = undefined;
}

/** Returns the sender's email address: MAIL_FROM without the display name. */
export const getSenderEmailAddress = () => /<([^<>]+)>/.exec(config().mail_from)?.[1] ?? config().mail_from;

/**
 * Returns the master secret. Throws until the server has set it, so that nothing is encrypted with
 * an empty key.
 */
export function getAppSecret(): string {
  const secret = config().app_secret;
  if (!secret) throw new Error('APP_SECRET is not set.');
  return secret;
}
