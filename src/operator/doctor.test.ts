/** Tests `admin doctor`, with each part of an installation working and failing. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetConfig, setConfig } from '@/config';
import { DEAD_LETTER_FAILURE_COUNT } from '@/events/outbox';
import { systemDb } from '@/infra/db/client';
import { setDurableRunsStoppedReason } from '@/infra/durable-runs';
import { setClock } from '@/shared/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { startOidcProvider } from '@/testing/providers/oidc-provider';
import { startS3Server } from '@/testing/providers/s3-server';
import { commitTestEvent, insertTeam } from '@/testing/team';
import { type DiagnosisFinding, runDiagnosis } from './doctor';
import { executeCommand } from './execute';

const SECRET = 'the-secret-of-this-database-0123456789';
let provider: Server;
let answer = { status: 200, body: '{}' };
let asked: string | undefined;

beforeAll(async () => {
  await openTestDatabase();
  provider = createServer((request, response) => {
    asked = `${request.url} ${request.headers.authorization}`;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterAll(async () => {
  provider.close();
  await closeTestDatabase();
});
beforeEach(async () => {
  await systemDb().installationKey.deleteMany();
  setConfig({ app_secret: SECRET, data_dir: '.' });
});
afterEach(() => {
  setClock(null);
  setDurableRunsStoppedReason(null);
  resetConfig();
});

async function finding(name: string): Promise<DiagnosisFinding | undefined> {
  const { ok, data } = await runDiagnosis();
  expect(ok).toBe(data.every(({ status }) => status !== 'problem'));
  return data.find((one) => one.name === name);
}

it('checks the disk of the parent folder when an external database never created the data directory', async () => {
  setConfig({ data_dir: '/tmp/never-made/by-anyone', database_url: 'postgres://db.example/threshold' });
  expect(await finding('disk')).toMatchObject({ status: 'ok', says: expect.stringContaining('free') });
});

it('finds no problem in a fresh installation, and lists everything it checked', async () => {
  const { ok, data } = await runDiagnosis();
  expect(data.filter(({ status }) => status === 'problem')).toEqual([]);
  expect(ok).toBe(true);
  expect(data.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'database ok',
    'migrations ok',
    'clock ok',
    'secret ok',
    'disk ok',
    'storage ok',
    'mail warning',
    'mail_dns ok',
    'sealing_key ok',
    'public_log ok',
    'timestamps ok',
    'log_witnesses ok',
    'durable_work ok',
    'outbox ok',
    'redis ok',
    'sign_in ok',
    'custom_domains ok',
  ]);
});

it('reports a different secret, a wrong clock, stalled work, and services that do not respond', async () => {
  await runDiagnosis();
  setConfig({
    app_secret: 'another-secret-of-the-same-length-0123',
    redis_url: 'redis://127.0.0.1:1',
    tsa_url: 'http://127.0.0.1:1',
  });
  setClock({ now: () => new Date(Date.now() + 3_600_000) });
  setDurableRunsStoppedReason('The Inngest server has not called for 5 minutes.');
  const { ok, data } = await runDiagnosis();
  expect(ok).toBe(false);
  const told = Object.fromEntries(
    data.flatMap(({ name, status, says }) => (status === 'problem' ? [[name, says]] : [])),
  );
  expect(told).toEqual({
    secret: expect.stringMatching(/^APP_SECRET: has to be the one/),
    clock: expect.stringMatching(/differ by 3[56]\d\d\.\d s/),
    durable_work: 'The Inngest server has not called for 5 minutes.',
    redis: expect.stringMatching(/No Redis answers/),
    timestamps: expect.any(String),
  });
}, 60_000);

it('reports an event that the relay gave up, which can be retried', async () => {
  const scope = await insertTeam('live', 'dead@example.com');
  const id = await commitTestEvent(scope);
  expect(await finding('outbox')).toMatchObject({ status: 'ok' });
  await systemDb().event.update({
    where: { id },
    data: { relay_failures: DEAD_LETTER_FAILURE_COUNT, relay_error: 'too large' },
  });
  expect(await finding('outbox')).toMatchObject({
    status: 'problem',
    says: expect.stringContaining(`${id}: too large`),
  });
  expect(await executeCommand({ name: 'dead-letter list', options: {} })).toMatchObject({ data: [{ id }] });
  const retry = () => executeCommand({ name: 'dead-letter retry', options: { event: id } });
  expect(await retry()).toEqual({ id, retried: true });
  expect(await retry()).toEqual({ id, retried: false });
  expect(await finding('outbox')).toMatchObject({ status: 'ok' });
  await systemDb().event.update({ where: { id }, data: { relayed_at: new Date() } });
});

it('reports a migration that is not applied, not finished, or newer than this version', async () => {
  const last = () => systemDb().$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`;
  const [newest] = await last();
  const rename = (from: string, to: string) =>
    systemDb().$executeRaw`UPDATE _prisma_migrations SET migration_name = ${to} WHERE migration_name = ${from}`;
  await rename(newest?.name ?? '', '20990101000000_later');
  expect(await finding('migrations')).toMatchObject({ status: 'problem', says: `Not applied: ${newest?.name}.` });
  await rename('20990101000000_later', newest?.name ?? '');
  await systemDb().$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('x', '', '20990101000000_later', now())`;
  expect(await finding('migrations')).toMatchObject({ status: 'warning', says: expect.stringContaining('_later') });
  await systemDb().$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE id = 'x'`;
  expect(await finding('migrations')).toMatchObject({ status: 'problem', says: expect.stringContaining('_later') });
  await systemDb().$executeRaw`DELETE FROM _prisma_migrations WHERE id = 'x'`;
});

it('reports whether the storage can write, read and delete a file, and files in an unconfigured storage', async () => {
  const server = await startS3Server();
  try {
    setConfig({ storage_url: server.url, storage_write: true });
    expect(await finding('storage')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('Files there: 0.'),
    });
    expect(server.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
    expect(server.objects.size).toBe(0);
    expect(await systemDb().storedObject.count()).toBe(0);
    setConfig({ storage_write: false });
    expect(await finding('storage')).toMatchObject({ status: 'warning', says: expect.stringContaining('write=off') });
    // The storage accepts writes and refuses deletions, so the probe file remains and its key stays
    // recorded.
    server.trouble = ({ method }) => (method === 'DELETE' ? 403 : null);
    expect(await finding('storage')).toMatchObject({ status: 'problem', says: expect.stringMatching(/answered 403/) });
    expect(await systemDb().storedObject.count()).toBe(1);
    await systemDb().storedObject.updateMany({ data: { state: 'kept' } });
    // Deletions succeed again. The check counts the leftover probe file, which this test has marked
    // as kept.
    server.trouble = () => null;
    expect(await finding('storage')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('Files there: 1.'),
    });
    server.objects.clear();
    expect(await finding('storage')).toMatchObject({
      status: 'problem',
      says: expect.stringMatching(/another bucket/),
    });
    setConfig({ storage_url: undefined });
    const unnamed = 'A file is in a storage that is not configured. Set STORAGE_URL.';
    expect(await finding('storage')).toMatchObject({ status: 'problem', says: unnamed });
  } finally {
    await systemDb().storedObject.deleteMany();
    await server.close();
  }
});

it('reports whether the mail server accepts a login, and warns of an unencrypted connection', async () => {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  try {
    setConfig({ smtp_url: `smtp://127.0.0.1:${port}?starttls=off`, mail_from: 'stay@casa.invalid' });
    expect(await finding('mail')).toMatchObject({ status: 'warning', says: expect.stringContaining('not encrypted') });
    setConfig({ smtp_url: `smtp://127.0.0.1:${port}` });
    expect(await finding('mail')).toMatchObject({ status: 'problem', says: expect.stringContaining('SMTP_URL') });
  } finally {
    setConfig({ smtp_url: undefined });
    await new Promise<void>((closed) => void server.close(closed));
  }
});

it('reports whether the OpenID Connect provider works, and the redirect URL to register there', async () => {
  const there = await startOidcProvider('https://guests.example.com/api/auth/oauth2/callback/oidc');
  const oidc = { ...there, name: 'work', trust_email: false };
  try {
    setConfig({ oidc });
    expect(await finding('sign_in')).toMatchObject({ status: 'ok', says: expect.stringContaining('/callback/oidc') });
    setConfig({ oidc: { ...oidc, issuer: `${there.issuer}/` } });
    const told = { status: 'problem', says: expect.stringContaining(`names the issuer “${there.issuer}”`) };
    expect(await finding('sign_in')).toMatchObject(told);
    setConfig({ oidc: { ...oidc, issuer: 'http://127.0.0.1:9' } });
    expect(await finding('sign_in')).toMatchObject({ status: 'problem' });
  } finally {
    setConfig({ oidc: null });
    await there.stop();
  }
});

describe('with a mail provider', () => {
  beforeEach(() => {
    setConfig({
      resend_api_key: 're_key',
      resend_base_url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
      resend_webhook_secret: 'whsec_x',
      mail_from: 'Casa Azul <stay@mail.casa.example>',
    });
  });
  const domains = (...data: object[]) => JSON.stringify({ data });
  it.each([
    ['a domain it has verified', 200, domains({ name: 'casa.example', status: 'verified' }), 'ok'],
    ['a domain it has not verified yet', 200, domains({ name: 'casa.example', status: 'pending' }), 'problem'],
    ['only another domain', 200, domains({ name: 'azul.example', status: 'verified' }), 'problem'],
    ['an invalid key', 401, '{"name":"validation_error","message":"API key is invalid"}', 'problem'],
    ['a key that may only send', 401, '{"name":"restricted_api_key"}', 'ok'],
    ['an error', 503, 'busy', 'problem'],
  ])('reports whether mail works when the provider responds with %s', async (_what, status, body, expected) => {
    answer = { status, body };
    expect(await finding('mail')).toMatchObject({ status: expected });
    expect(asked).toBe('/domains Bearer re_key');
  });
});
