/** Tests that third parties see the sealed values and a warning after stored rows were changed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handleSignedCopyPageRequest, handleSignedCopyPdfRequest } from '@/guest/http/certificate/copy';
import { handleVerifyPageRequest } from '@/guest/http/certificate/verify';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { deriveCertificateVerifyToken, deriveLinkToken } from '@/modules/links/urls';
import { appendTrailEntries } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';
import { unpackZip } from '@/testing/unzip';
import { buildDisputePackUrlOfSealedCertificate } from '../dispute-pack/pack';
import { downloadDisputePack } from '../http';
import { loadCertificateAttachments } from '../seal/copy-mail';
import { retrieveCertificateWithoutTrail } from '../service';
import { insertSealedCertificate, readCertificateWithTrail, TEST_GUEST } from '../testing/signed';
import { extractPdfText, isProgramInstalled } from '../testing/tools';
import { verifySealedPdf } from './pdf';

let scope: Scope;
let made: Awaited<ReturnType<typeof insertSealedCertificate>>;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  made = await insertSealedCertificate(scope);
});

const FORGED = { signer_name: 'Eve Forger', signed_ip: '198.51.100.66', signed_at: new Date('2020-02-02T02:02:02Z') };
const SHOWS_FORGED = /Eve Forger|198\.51\.100\.66|2020-02-02|2 Feb(ruary)? 2020|2031/;

async function forge() {
  await systemDb().signature.update({ where: { id: made.signature_id }, data: FORGED });
  await systemDb().reservation.update({
    where: { id: made.reservation_id },
    data: { checkin_date: new Date('2031-01-01T00:00:00Z'), checkout_date: new Date('2031-01-09T00:00:00Z') },
  });
}
const at = (path: string) => new Request(`http://localhost${path}`);
const copy = () => deriveLinkToken('copy', made.signature_id);

async function pack() {
  const answer = await downloadDisputePack(
    new Request(await buildDisputePackUrlOfSealedCertificate(scope, made.signature_id, true)),
  );
  const files = unpackZip(Buffer.from(await answer.arrayBuffer()));
  return { files, name: decodeURIComponent(answer.headers.get('content-disposition') ?? '') };
}

describe('after signer, time, address and stay were changed in the database', () => {
  it.skipIf(!isProgramInstalled('pdftotext'))(
    'the dispute pack shows the sealed values, and names the changed fields on its first page',
    async () => {
      await forge();
      const { files } = await pack();
      const page = extractPdfText(files.get('summary.pdf') as Buffer);
      const readable = [page, ...['README.txt', 'audit.json'].map((name) => `${files.get(name)}`)].join('\n');
      expect(readable).not.toMatch(SHOWS_FORGED);
      expect(page).toContain(TEST_GUEST.name);
      for (const text of [page, `${files.get('README.txt')}`])
        for (const field of ['signatures.signer_name', 'signatures.signed_ip', 'signatures.signed_at'])
          expect(text.replace(/\s+/g, '')).toContain(field);
    },
  );

  it('the copy page refuses to show the certificate, and the copy link serves no file', async () => {
    await forge();
    const page = await handleSignedCopyPageRequest(at(`/c/${copy()}`), copy());
    expect(page.status).toBe(409);
    const text = await page.text();
    expect(text).toContain('Something does not match');
    expect(text).not.toMatch(SHOWS_FORGED);
    expect((await handleSignedCopyPdfRequest(at(`/c/${copy()}/certificate.pdf`), copy())).status).toBe(409);
  });

  it('the API returns the sealed values, and lists the altered fields', async () => {
    await forge();
    const answer = await readCertificateWithTrail(
      scope,
      await retrieveCertificateWithoutTrail(scope, made.signature_id),
    );
    expect(JSON.stringify(answer)).not.toMatch(SHOWS_FORGED);
    expect(answer).toMatchObject({
      evidence: {
        status: 'altered',
        altered: ['signatures.signer_name', 'signatures.signed_at', 'signatures.signed_ip'],
      },
    });
  });

  it('the verification page names the changed field, and shows the sealed values', async () => {
    await forge();
    const token = deriveCertificateVerifyToken(made.signature_id);
    const text = await (await handleVerifyPageRequest(at(`/verify/${token}`), token)).text();
    expect(text).toContain('signatures.signer_name');
    expect(text).not.toMatch(SHOWS_FORGED);
  });

  it('no mail contains the certificate', async () => {
    await forge();
    expect(await loadCertificateAttachments({ ...scope, attachment: made.signature_id } as never)).toBeNull();
  });
});

it('entries added after the seal are counted as not sealed', async () => {
  const token = deriveCertificateVerifyToken(made.signature_id);
  const items = [{ type: 'acceptance.given', actor: { kind: 'guest' }, data: { item: 'damage' } }] as never;
  await inTransaction(scope, () => appendTrailEntries(scope, made.reservation_id, items, new Date()));
  const sealed = await readCertificateWithTrail(scope, await retrieveCertificateWithoutTrail(scope, made.signature_id));
  const { entries } = sealed.audit_trail;
  expect(sealed.evidence).toEqual({ status: 'verified', altered: [], sealed_entries: expect.any(Number) });
  expect(entries[(sealed.evidence.sealed_entries ?? 0) - 1]?.type).toBe('reservation.signed');
  const page = await (await handleVerifyPageRequest(at(`/verify/${token}`), token)).text();
  expect(page).toContain(`${entries.length} entries. ${sealed.evidence.sealed_entries} of these entries are sealed.`);
});

describe('after the snapshot was replaced by invalid text', () => {
  it.each(selectSampledCases(['{', '{}', 'null', '{"version":3}']))(
    '%s: the API still responds',
    MATRIX_TEST_OPTIONS,
    async (canonical) => {
      const { snapshot_id } = await systemDb().signature.findUniqueOrThrow({ where: { id: made.signature_id } });
      await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { canonical } });
      const sealed = await readCertificateWithTrail(
        scope,
        await retrieveCertificateWithoutTrail(scope, made.signature_id),
      );
      expect(sealed).toMatchObject({ evidence: { status: 'altered', altered: ['snapshots.canonical'] } });
      expect(sealed.audit_trail.snapshot).toMatchObject({ version: 1 });
    },
  );

  it('before the seal: the API states that nothing is proven', async () => {
    const { snapshot_id, reservation_id } = await systemDb().signature.findUniqueOrThrow({
      where: { id: made.signature_id },
    });
    await systemDb().trailEntry.deleteMany({ where: { reservation_id, type: { startsWith: 'certificate.' } } });
    const pending = { sealed_at: null, pdf: null, pdf_sha256: null };
    await systemDb().signature.update({ where: { id: made.signature_id }, data: pending });
    const whole = await readCertificateWithTrail(
      scope,
      await retrieveCertificateWithoutTrail(scope, made.signature_id),
    );
    expect(whole.evidence).toMatchObject({ status: 'pending', altered: [] });
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { canonical: '{' } });
    const answer = await readCertificateWithTrail(
      scope,
      await retrieveCertificateWithoutTrail(scope, made.signature_id),
    );
    expect(answer.evidence).toMatchObject({ status: 'unverified', altered: ['snapshots.canonical'] });
    expect(answer.audit_trail.snapshot).toBeNull();
    expect((await handleSignedCopyPageRequest(at(`/c/${copy()}`), copy())).status).toBe(409);
  });
});

describe('after the sealed file was replaced', () => {
  it('the pack shows no stored values', async () => {
    await systemDb().signature.update({
      where: { id: made.signature_id },
      data: { ...FORGED, pdf: new TextEncoder().encode('%PDF-1.7 something else') },
    });
    const { files } = await pack();
    const page = isProgramInstalled('pdftotext') ? extractPdfText(files.get('summary.pdf') as Buffer) : '';
    expect(page).not.toMatch(SHOWS_FORGED);
    expect(`${page}${files.get('README.txt')}`.replace(/\s+/g, '')).toContain('signatures.pdf');
    expect((await handleSignedCopyPageRequest(at(`/c/${copy()}`), copy())).status).toBe(409);
  });
});

describe('an unaltered certificate', () => {
  it('has a summary sealed with the installation’s key, and an archive named after the stay', async () => {
    const { files, name } = await pack();
    const verdict = await verifySealedPdf(files.get('summary.pdf') as Buffer);
    const certificate = await verifySealedPdf(files.get('certificate.pdf') as Buffer);
    expect(verdict).toMatchObject({ seal: 'valid', covers_whole_document: true });
    expect(verdict.signer).toEqual(certificate.signer);
    const { checkin_date } = await systemDb().reservation.findUniqueOrThrow({ where: { id: made.reservation_id } });
    expect(name).toContain(`Harbour Loft ${checkin_date.toISOString().slice(0, 10)} Lovelace.zip`);
    expect(name).not.toContain(made.signature_id);
    const answer = await readCertificateWithTrail(
      scope,
      await retrieveCertificateWithoutTrail(scope, made.signature_id),
    );
    expect(answer.evidence).toMatchObject({ status: 'verified', altered: [] });
    expect((await handleSignedCopyPageRequest(at(`/c/${copy()}`), copy())).status).toBe(200);
  });
});
