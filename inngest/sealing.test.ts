/**
 * Tests sealing with the embedded engine. A time-stamping authority runs `openssl ts` behind HTTP.
 * Skipped without OpenSSL.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { findUnsealedCertificates, sealCertificate } from '@/modules/certificates/seal/sealing';
import { requestTimestampForPublicLog } from '@/modules/certificates/seal/timestamp-authority';
import { insertSealedCertificate, insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import {
  type HttpTimestampAuthority,
  startHttpTimestampAuthority,
} from '@/modules/certificates/testing/time-authority';
import { isProgramInstalled, writeTemporaryFile } from '@/modules/certificates/testing/tools';
import { findSignatureByVerifyToken, verifyCertificate } from '@/modules/certificates/verify/verification';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import { readPublicLogFile } from '@/modules/public-log/service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { insertTeam } from '@/testing/team';
import { waitUntil } from './engine/testing/harness';
import { type DurableWorkRuntime, startDurableWorkRuntime } from './start';

let scope: Scope;
let work: DurableWorkRuntime | null = null;
let authority: HttpTimestampAuthority;

const signature = (id: string) => systemDb().signature.findUniqueOrThrow({ where: { id } });
async function verify(id: string) {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  if (!holder) throw new Error('The verify token opens nothing.');
  return verifyCertificate(holder);
}

describe.skipIf(!isProgramInstalled('openssl'))('sealing with a time-stamping authority', () => {
  beforeAll(async () => {
    await openTestDatabase();
    scope = await insertTeam();
  });
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    authority = await startHttpTimestampAuthority();
    setConfig({ tsa_url: authority.url });
  });
  afterEach(async () => {
    await work?.stop();
    work = null;
    setClock(null);
    await authority.close();
    setConfig({ tsa_url: undefined });
  });

  it('requests a timestamp over HTTP and records the authority in the seal', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    expect(authority.requests).toEqual([{ content_type: 'application/timestamp-query', readable: true }]);
    expect((await verify(signature_id)).seal).toMatchObject({
      state: 'sealed',
      timestamp: { authority: 'Test Time Authority', problem: null, known: false },
    });
  });

  it('also stamps the checkpoint of the public log, once, as OpenSSL confirms', async () => {
    await insertSealedCertificate(scope);
    expect(await requestTimestampForPublicLog()).toBe(true);
    expect(await requestTimestampForPublicLog()).toBe(false);
    const checkpoint = String(await readPublicLogFile({ epoch: 1, kind: 'stamped-checkpoint' }));
    expect(checkpoint).toBe(await readPublicLogFile({ epoch: 1, kind: 'checkpoint' }));
    const token = (await readPublicLogFile({ epoch: 1, kind: 'stamped-checkpoint.tst' })) as Buffer;
    const verify = (data: string) =>
      spawnSync('openssl', [
        ...['ts', '-verify', '-token_in', '-in', writeTemporaryFile('token.tst', token)],
        ...[
          '-data',
          writeTemporaryFile('checkpoint', data),
          '-CAfile',
          writeTemporaryFile('ca.pem', authority.certificate),
        ],
      ]).status;
    expect([verify(checkpoint), verify(`${checkpoint} `)]).toEqual([0, 1]);
    await insertSealedCertificate(scope);
    authority.behavior = 'fails';
    await expect(requestTimestampForPublicLog()).rejects.toThrow();
    expect(await readPublicLogFile({ epoch: 1, kind: 'stamped-checkpoint' })).toBe(checkpoint);
  });

  it.each(selectSampledCases(['rejects', 'hangs up', 'talks nonsense'] as const))(
    'does not seal while the authority %s, and the signature stays valid',
    MATRIX_TEST_OPTIONS,
    async (mood) => {
      authority.behavior = mood;
      const { reservation_id } = await insertSentReservation(scope);
      const signature_id = await signAsGuest(scope, reservation_id);
      await expect(sealCertificate(scope, signature_id)).rejects.toThrow();
      const row = await signature(signature_id);
      expect(row).toMatchObject({ sealed_at: null, pdf: null });
      expect(row.seal_error).toMatch(/timestamp|authority|answered|socket|closed|reset|DER|ASN/i);
      expect((await loadReservation(scope, reservation_id)).row.status).toBe('signed');
      expect(await verify(signature_id)).toMatchObject({
        content: 'intact',
        chain: { ok: true },
        seal: { state: 'pending' },
      });
    },
  );

  it('accepts timestamps only from the authorities in TSA_CA_FILE, if it is set', async () => {
    const other = await startHttpTimestampAuthority();
    try {
      setConfig({ tsa_ca_file: writeTemporaryFile('others.pem', other.certificate) });
      const { reservation_id } = await insertSentReservation(scope);
      const signature_id = await signAsGuest(scope, reservation_id);
      await expect(sealCertificate(scope, signature_id)).rejects.toThrow('not one of TSA_CA_FILE');
      setConfig({ tsa_ca_file: writeTemporaryFile('ours.pem', other.certificate + authority.certificate) });
      expect(await sealCertificate(scope, signature_id)).toBe('sealed');
      expect((await verify(signature_id)).seal).toMatchObject({ timestamp: { problem: null, known: true } });
      setConfig({ tsa_ca_file: undefined });
      expect((await verify(signature_id)).seal).toMatchObject({ timestamp: { problem: null, known: false } });
    } finally {
      setConfig({ tsa_ca_file: undefined });
      await other.close();
    }
  });

  it('is retried by the engine until the authority responds again', async () => {
    authority.behavior = 'fails';
    work = await startDurableWorkRuntime();
    const { reservation_id } = await insertSentReservation(scope);
    const signature_id = await signAsGuest(scope, reservation_id);
    await waitUntil(async () => (await signature(signature_id)).seal_error !== null, 30_000);
    expect((await loadReservation(scope, reservation_id)).row.status).toBe('signed');
    const tried = authority.requests.length;
    authority.behavior = 'answers';
    await waitUntil(async () => (await signature(signature_id)).sealed_at !== null, 30_000);
    expect(authority.requests.length).toBeGreaterThan(tried);
    expect(await signature(signature_id)).toMatchObject({ seal_error: null });
    expect((await verify(signature_id)).seal).toMatchObject({
      state: 'sealed',
      timestamp: { authority: 'Test Time Authority', problem: null, known: false },
    });
    const events = await systemDb().event.findMany({ where: { object_id: signature_id, type: 'certificate.created' } });
    expect(events).toHaveLength(1);
  });

  it('is found by the sweep after the retries are exhausted', async () => {
    authority.behavior = 'hangs up';
    const { reservation_id } = await insertSentReservation(scope);
    const signature_id = await signAsGuest(scope, reservation_id);
    await expect(sealCertificate(scope, signature_id)).rejects.toThrow();
    setClock({ now: () => new Date(Date.now() + 86_400_000) });
    const found = await findUnsealedCertificates(50);
    const own = found.find((unsealed) => unsealed.signature_id === signature_id);
    expect(own?.scope).toMatchObject({ team_id: scope.team_id, mode: scope.mode });
    // The authority uses the real time, so sealing must use it too.
    setClock(null);
    authority.behavior = 'answers';
    expect(await sealCertificate(own?.scope ?? scope, signature_id)).toBe('sealed');
    expect((await findUnsealedCertificates(50)).map((unsealed) => unsealed.signature_id)).not.toContain(signature_id);
  });
});
