/**
 * Implements `admin doctor`: checks everything that the installation depends on, including external
 * services, and reports each result. Changes nothing, except that it stores the check value of
 * APP_SECRET, as the server does when it starts.
 */
import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { config, getSenderEmailAddress } from '@/config';
import { listDeadLetters } from '@/events/outbox';
import { systemDb } from '@/infra/db/client';
import { assertAppSecretUnchanged } from '@/infra/db/opening/secret-check';
import { getDurableRunsStoppedReason } from '@/infra/durable-runs';
import { safeFetch } from '@/infra/outbound/client';
import { COMPANY_SIGN_IN_CALLBACK_PATH, fetchSignInProviderMetadata } from '@/modules/accounts/sign-in/company-account';
import { checkStorageReadAndWriteAccess, countStoredFiles } from '@/modules/certificates/files/move';
import { listTrustedSealingCertificates } from '@/modules/certificates/seal/installation-key';
import { getConfiguredTimestampAuthority } from '@/modules/certificates/seal/timestamp-authority';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { checkSmtpConnection } from '@/modules/mail/smtp';
import { checkDnsOfVerifiedDomains } from '@/modules/properties/domains/custom-domain.service';
import { formatLoggedDatabaseRestoreSentence } from '@/modules/public-log/rules/epochs';
import { findGapInPublicLog, listLoggedDatabaseRestores } from '@/modules/public-log/service';
import { listWitnessesWithoutCosignature } from '@/modules/public-log/witnesses';
import { clock, MAX_CLOCK_SKEW_MS } from '@/shared/clock';
import { isInngestServerConfigured, probeInngestServer } from './health/inngest-server';
import { getMigrationState } from './health/migration-state';

/** The result of one check. `warning` means that a part works with a limitation. */
export interface DiagnosisFinding {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  says: string;
}

export interface InstallationDiagnosis {
  /** Whether no check found a problem. */
  ok: boolean;
  data: DiagnosisFinding[];
}

type Found = Omit<DiagnosisFinding, 'name'>;
const ok = (says: string): Found => ({ status: 'ok', says });
const warning = (says: string): Found => ({ status: 'warning', says });
const problem = (says: string): Found => ({ status: 'problem', says });

/** Time limit of a check. */
const PATIENCE_MS = 20_000;
const [GIB, DAY_MS] = [1024 ** 3, 86_400_000];
const SEAL_DAYS_LEFT = 60;
const LATE_RELAY_S = 60;

const CHECKS: Readonly<Record<string, () => Promise<Found>>> = {
  database,
  migrations,
  clock: clocks,
  secret,
  disk,
  storage,
  mail,
  mail_dns: mailDns,
  sealing_key: sealingKey,
  public_log: publicLog,
  timestamps,
  log_witnesses: logWitnesses,
  durable_work: durableWork,
  outbox,
  redis,
  sign_in: signIn,
  custom_domains: customDomains,
};

/** Runs all checks. Never throws: a check that fails is reported as a problem. */
export async function runDiagnosis(): Promise<InstallationDiagnosis> {
  const data = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => {
      const found = await withinPatience(check()).catch((error: unknown) =>
        problem(error instanceof Error ? error.message : String(error)),
      );
      return { name, ...found };
    }),
  );
  return { ok: data.every(({ status }) => status !== 'problem'), data };
}

async function withinPatience(check: Promise<Found>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Found>((done) => {
    timer = setTimeout(() => done(problem(`No answer within ${PATIENCE_MS / 1000} s.`)), PATIENCE_MS);
  });
  return Promise.race([check, late]).finally(() => clearTimeout(timer));
}

async function database(): Promise<Found> {
  const began = performance.now();
  const [row] = await systemDb().$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  const kind = config().database_url ? 'PostgreSQL' : 'Embedded PostgreSQL';
  return ok(`${kind} ${row?.version} answers in ${Math.round(performance.now() - began)} ms.`);
}

async function migrations(): Promise<Found> {
  const { wanted, failed, missing, newer } = await getMigrationState();
  if (failed.length > 0) return problem(`Not finished: ${failed.join(', ')}.`);
  if (missing.length > 0) return problem(`Not applied: ${missing.join(', ')}.`);
  if (newer.length > 0) return warning(`A newer version has migrated this database: ${newer.join(', ')}.`);
  return ok(`All ${wanted} are applied.`);
}

async function clocks(): Promise<Found> {
  const [row] = await systemDb().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const apart_ms = Math.abs((row?.now.getTime() ?? 0) - clock().now().getTime());
  const told = `The clocks of this machine and the database differ by ${(apart_ms / 1000).toFixed(1)} s.`;
  return apart_ms > MAX_CLOCK_SKEW_MS ? problem(told) : ok(told);
}

async function secret(): Promise<Found> {
  await assertAppSecretUnchanged();
  return ok('APP_SECRET is the one that the database was created with.');
}

async function publicLog(): Promise<Found> {
  const gap = await findGapInPublicLog();
  if (gap)
    return problem(`Entry ${gap.position} of epoch ${gap.epoch} is missing. Nothing is sealed until it is restored.`);
  const restores = (await listLoggedDatabaseRestores()).map(formatLoggedDatabaseRestoreSentence);
  return restores.length > 0 ? warning(restores.join(' ')) : ok('No entry is missing, and no backup was restored.');
}

async function signIn(): Promise<Found> {
  const { oidc, app_url } = config();
  if (!oidc) return ok('By password. No OpenID Connect provider is configured (OIDC_ISSUER).');
  await fetchSignInProviderMetadata(oidc.issuer);
  return ok(`${oidc.issuer} responds. Its redirect URI must be ${app_url}/api/auth${COMPANY_SIGN_IN_CALLBACK_PATH}.`);
}

async function disk(): Promise<Found> {
  const folder = nearestFolder(resolve(config().data_dir));
  const { bavail, bsize } = await statfs(folder);
  const told = `${((bavail * bsize) / GIB).toFixed(1)} GiB are free at ${folder}.`;
  // With an external database, its data is not on this disk, so little free space is no problem.
  return bavail * bsize < GIB && !config().database_url ? problem(told) : ok(told);
}

/**
 * Returns the folder, or its nearest existing parent, because an installation with an external
 * database needs no data directory.
 */
const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(dirname(folder)));

async function storage(): Promise<Found> {
  const { storage_url, storage_write } = config();
  const there = await countStoredFiles();
  if (!storage_url)
    return there === 0
      ? ok('PDFs and photos are in the database.')
      : problem(
          `${there === 1 ? 'A file is' : `${there} files are`} in a storage that is not configured. Set STORAGE_URL.`,
        );
  const began = performance.now();
  await checkStorageReadAndWriteAccess();
  const told = `${new URL(storage_url).host} stored, returned and deleted a test file in ${Math.round(performance.now() - began)} ms. Files there: ${there}.`;
  return storage_write ? ok(told) : warning(`${told} write=off: no new files are stored there.`);
}

const senderDomain = () => getSenderEmailAddress().split('@').at(-1) ?? '';

async function mail(): Promise<Found> {
  const { resend_api_key, resend_base_url, resend_webhook_secret, smtp_url } = config();
  if (smtp_url) return smtp(smtp_url);
  if (!resend_api_key)
    return warning(
      'No provider is configured (RESEND_API_KEY or SMTP_URL). Guests receive nothing, and mails stay in the outbox.',
    );
  const response = await safeFetch(`${resend_base_url ?? 'https://api.resend.com'}/domains`, {
    method: 'GET',
    headers: { Authorization: `Bearer ${resend_api_key}` },
    timeout_ms: 10_000,
    max_body_bytes: 256 * 1024,
    body_policy: 'whole',
    allow_loopback: true,
  });
  // A key that may only send mail cannot list domains, but is valid.
  const text = response.body.toString('utf8');
  if (response.status === 401 && /restricted/i.test(text))
    return ok('The provider accepts the key, which may only send.');
  if (response.status !== 200)
    return problem(`The provider responded to RESEND_API_KEY with status ${response.status}.`);
  const { data = [] } = JSON.parse(text) as { data?: { name: string; status: string }[] };
  const own = data.find(({ name }) => senderDomain() === name || senderDomain().endsWith(`.${name}`));
  if (!own) return problem(`The provider does not know the domain of MAIL_FROM, ${senderDomain()}.`);
  if (own.status !== 'verified') return problem(`The provider has not verified ${own.name}: it is ${own.status}.`);
  if (!resend_webhook_secret)
    return warning('RESEND_WEBHOOK_SECRET is not set: bounces and complaints are not received.');
  return ok(`The provider has verified ${own.name}.`);
}

async function smtp(url: string): Promise<Found> {
  const began = performance.now();
  try {
    await checkSmtpConnection(url);
  } catch (error) {
    return problem(`The server of SMTP_URL: ${error instanceof Error ? error.message : String(error)}`);
  }
  const encrypted = url.startsWith('smtps:') || !url.includes('starttls=off');
  const told = `The server of SMTP_URL accepts mail. It responded in ${Math.round(performance.now() - began)} ms.`;
  return encrypted ? ok(told) : warning(`${told} The connection is not encrypted.`);
}

/** Checks the DNS records by which receivers of mail verify the sender. */
async function mailDns(): Promise<Found> {
  if (!isMailProviderConfigured()) return ok('No mail is sent.');
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const records = (name: string) =>
    resolver.resolveTxt(name).then(
      (found) => found.map((parts) => parts.join('')),
      (error: { code?: string }) => (error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : null),
    );
  const organization = senderDomain().split('.').slice(-2).join('.');
  const [own, send, own_policy, policy] = await Promise.all([
    records(senderDomain()),
    records(`send.${senderDomain()}`),
    records(`_dmarc.${senderDomain()}`),
    records(`_dmarc.${organization}`),
  ]);
  if (!own || !send || !own_policy || !policy) return warning('DNS did not respond.');
  const missing = [
    // SPF may also be set for the `send` subdomain, where the provider handles bounces.
    ...([...own, ...send].some((text) => /^v=spf1\b/i.test(text)) ? [] : ['SPF']),
    ...([...own_policy, ...policy].some((text) => /^v=dmarc1\b/i.test(text)) ? [] : ['DMARC']),
  ];
  if (missing.length > 0)
    return warning(`${senderDomain()} has no ${missing.join(' and no ')} record: mails may be treated as spam.`);
  return ok(
    `${senderDomain()} has SPF and DMARC records; DKIM is ${config().smtp_url ? 'signed by the server of SMTP_URL' : 'checked by the provider'}.`,
  );
}

async function sealingKey(): Promise<Found> {
  const current = (await listTrustedSealingCertificates()).find((known) => known.current);
  if (!current) return ok('None yet. The first certificate creates one.');
  const days = Math.floor((Date.parse(current.valid_to) - clock().now().getTime()) / DAY_MS);
  const told = `The certificate ${current.fingerprint_sha256.slice(0, 16)}… is valid until ${current.valid_to.slice(0, 10)}.`;
  if (days < 0) return problem(told);
  return days < SEAL_DAYS_LEFT ? warning(told) : ok(told);
}

async function timestamps(): Promise<Found> {
  const authority = getConfiguredTimestampAuthority();
  if (!authority) return ok('TSA_URL is not set. Certificates have this installation’s own time.');
  const began = performance.now();
  await authority(new Uint8Array(32));
  return ok(`The authority of TSA_URL returned a timestamp in ${Math.round(performance.now() - began)} ms.`);
}

async function logWitnesses(): Promise<Found> {
  if (config().log_witnesses.length === 0) return ok('LOG_WITNESSES is not set. The public log has no cosignatures.');
  const { missing, size } = await listWitnessesWithoutCosignature();
  if (missing.length > 0)
    return warning(`The public log has no cosignature of ${missing.join(', ')} at ${size} entries.`);
  return ok(`Every witness cosigned the public log at ${size} entries.`);
}

async function durableWork(): Promise<Found> {
  if (isInngestServerConfigured()) {
    const { ok: well, says } = await probeInngestServer();
    return well ? ok(says) : problem(says);
  }
  const trouble = getDurableRunsStoppedReason();
  return trouble ? problem(trouble) : ok('The embedded engine is in use.');
}

/** Checks events that wait to be relayed, and dead letters. */
async function outbox(): Promise<Found> {
  const dead = await listDeadLetters();
  if (dead.length > 0)
    return problem(
      `The relay gave up ${dead.length === 1 ? 'one event' : `${dead.length} events`} (${dead[0]?.id}: ${dead[0]?.relay_error}). See \`dead-letter list\`.`,
    );
  const [oldest] = await systemDb().$queryRaw<{ created_at: Date | null }[]>`
    SELECT min(created_at) AS created_at FROM (SELECT created_at FROM events WHERE relayed_at IS NULL LIMIT 10000) e`;
  if (!oldest?.created_at) return ok('No event waits to be relayed.');
  const age_s = Math.max(0, Math.round((clock().now().getTime() - oldest.created_at.getTime()) / 1_000));
  const told = `The oldest event that waits to be relayed is ${age_s} s old.`;
  return age_s > LATE_RELAY_S ? problem(told) : ok(told);
}

async function redis(): Promise<Found> {
  const url = config().redis_url;
  if (!url) return ok('REDIS_URL is not set. Each process counts requests on its own.');
  const { RedisRateLimiter } = await import('@/api/rest/rate-limit/redis-limiter');
  await (await RedisRateLimiter.connect(url)).close();
  return ok('Redis responds.');
}

async function customDomains(): Promise<Found> {
  const { asked, problems } = await checkDnsOfVerifiedDomains();
  if (problems.length > 0) return warning(problems.join(' '));
  return ok(asked === 0 ? 'No property has one.' : `${asked} point here.`);
}
