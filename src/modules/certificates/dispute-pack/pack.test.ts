/**
 * Tests that the dispute pack is readable with third-party programs, is consistent with the
 * certificate, and contains no personal data after a redaction.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleSignedCopyOpenedReport } from '@/guest/http/certificate/copy';
import { systemDb } from '@/infra/db/client';
import { deriveLinkToken } from '@/modules/links/urls';
import { recordGuestPageView } from '@/modules/signing/service';
import { sha256Hex } from '@/shared/canonical-json';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { downloadDisputePack } from '../http';
import { redactCertificate } from '../privacy/service';
import { sealCertificate } from '../seal/sealing';
import { insertSealedCertificate, insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import { extractPdfText, isProgramInstalled, writeTemporaryFile } from '../testing/tools';
import { buildDisputePackUrlOfSealedCertificate } from './pack';
import { buildDisputeSummary, type DisputePackData } from './summary';
import { renderUnsealedDisputeSummary } from './summary-document';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

const download = (url: string) => downloadDisputePack(new Request(url));

/** Unpacks the archive with Python and returns its files. */
async function unpack(url: string): Promise<Record<string, Buffer>> {
  const answer = await download(url);
  expect(answer.status).toBe(200);
  const file = writeTemporaryFile('pack.zip', new Uint8Array(await answer.arrayBuffer()));
  const folder = path.dirname(file);
  const script = `import sys, zipfile, json
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
archive.extractall(sys.argv[2])
print(json.dumps(archive.namelist()))`;
  const names = JSON.parse(execFileSync('python3', ['-c', script, file, folder], { encoding: 'utf8' })) as string[];
  if (isProgramInstalled('unzip')) execFileSync('unzip', ['-tq', file]);
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))]));
}

describe.skipIf(!isProgramInstalled('python3'))('the dispute pack', () => {
  it('contains the sealed file, the log of mails and visits, the photo, and a one-page summary', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    await systemDb().reservation.update({
      where: { id: reservation_id },
      data: { external_id: 'HM123ABC', external_source: 'channel_a' },
    });
    const signature_id = await signAsGuest(scope, reservation_id);
    await sealCertificate(scope, signature_id);
    const guest: Scope = { ...scope, actor: { kind: 'guest' } };
    await recordGuestPageView(guest, reservation_id, { ip: TEST_GUEST.ip, user_agent: TEST_GUEST.user_agent });
    const token = deriveLinkToken('copy', signature_id);
    for (let look = 0; look < 3; look++)
      await handleSignedCopyOpenedReport(new Request(`http://localhost/c/${token}/view`, { method: 'POST' }), token);
    await systemDb().mailMessage.updateMany({
      where: { reservation_id, template: 'packet' },
      data: { status: 'sent', provider_id: `re_${reservation_id}`, sent_at: new Date('2026-05-01T10:00:00Z') },
    });
    const files = await unpack(await buildDisputePackUrlOfSealedCertificate(scope, signature_id, true));
    expect(Object.keys(files)).toEqual([
      'README.txt',
      'summary.pdf',
      'certificate.pdf',
      'audit.json',
      'mail-log.json',
      'accesses.json',
      'photo.jpg',
    ]);
    const row = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    expect(sha256Hex(files['certificate.pdf'] as Buffer)).toBe(row.pdf_sha256);
    expect(files['photo.jpg']).toEqual(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
    const audit = JSON.parse(`${files['audit.json']}`);
    expect(audit).toMatchObject({ id: signature_id, audit_trail: { content_hash: row.content_hash } });
    expect(audit.audit_trail.log_inclusion).not.toBeNull();
    const mails = JSON.parse(`${files['mail-log.json']}`) as { template: string; provider_id: string | null }[];
    expect(mails.map(({ template }) => template)).toEqual(['packet', 'signed_copy']);
    expect(mails[0]).toMatchObject({ to: TEST_GUEST.email, provider_id: `re_${reservation_id}`, status: 'sent' });
    const accesses = JSON.parse(`${files['accesses.json']}`) as { type: string }[];
    expect(accesses.map(({ type }) => type)).toEqual([
      'reservation.clicked',
      'reservation.arrival_details_viewed',
      'copy.opened',
    ]);
    expect((await PDFDocument.load(files['summary.pdf'] as Buffer)).getPageCount()).toBe(1);
    if (!isProgramInstalled('pdftotext')) return;
    const text = extractPdfText(files['summary.pdf'] as Buffer).replace(/\s+/g, '');
    const titles = ['1.Who', '2.What', '3.When', '4.How', '5.How', '6.Use'].map((title) => text.indexOf(title));
    expect(titles).toEqual([...titles].sort((a, b) => a - b));
    expect(titles).not.toContain(-1);
    for (const said of [
      TEST_GUEST.name.replace(' ', ''),
      TEST_GUEST.email,
      TEST_GUEST.ip,
      'HM123ABC',
      row.pdf_sha256 ?? '',
      'sent2026-05-01',
    ])
      expect(text).toContain(said);
  });

  it('requested by a member contains and lists no photo', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    const files = await unpack(await buildDisputePackUrlOfSealedCertificate(scope, signature_id, false));
    expect(Object.keys(files)).not.toContain('photo.jpg');
    // No mail was sent, so the summary does not claim that the link proves the guest's address.
    if (isProgramInstalled('pdftotext'))
      expect(extractPdfText(files['summary.pdf'] as Buffer)).toContain('no mail brought the link');
    expect(`${files['README.txt']}`).not.toContain('photo.jpg');
  });

  it('of a redacted certificate contains and states what remains, and nothing of the guest', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    await redactCertificate(scope, signature_id);
    const files = await unpack(await buildDisputePackUrlOfSealedCertificate(scope, signature_id, true));
    expect(Object.keys(files)).toEqual(['README.txt', 'summary.pdf', 'audit.json', 'mail-log.json', 'accesses.json']);
    expect(`${files['README.txt']}`).toContain('was erased on');
    const readable = [
      ...['README.txt', 'audit.json', 'mail-log.json', 'accesses.json'].map((name) => `${files[name]}`),
      ...(isProgramInstalled('pdftotext') ? [extractPdfText(files['summary.pdf'] as Buffer)] : []),
    ].join('\n');
    expect(readable).not.toMatch(/lovelace|203\.0\.113\.77|AdasPhone/i);
    if (isProgramInstalled('pdftotext'))
      expect(extractPdfText(files['summary.pdf'] as Buffer)).toContain('were erased on');
  });
});

describe('the link of a dispute pack', () => {
  it('works for fifteen minutes, for this certificate, and without a photo if none was requested', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    const other = await insertSealedCertificate(scope);
    const url = await buildDisputePackUrlOfSealedCertificate(scope, signature_id, false);
    const changed = (name: string, value: string) => {
      const given = new URL(url);
      given.searchParams.set(name, value);
      return given.href;
    };
    for (const wrong of [
      changed('certificate', other.signature_id),
      changed('photo', '1'),
      changed('expires', String(Date.now() + 10 * 60_000_000)),
      changed('signature', 'x'),
    ])
      expect((await download(wrong)).status).toBe(403);
    const time = installFakeClock(new Date().toISOString());
    time.advance(16 * 60_000);
    expect((await download(url)).status).toBe(403);
    setClock(null);
  });

  it('is not issued for another team’s certificate, nor before it is sealed', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    const stranger = await insertTeam('live', 'stranger@example.com');
    const missing = { code: 'resource_missing' };
    await expect(buildDisputePackUrlOfSealedCertificate(stranger, signature_id, true)).rejects.toMatchObject(missing);
    await expect(
      buildDisputePackUrlOfSealedCertificate({ ...scope, mode: 'test' }, signature_id, true),
    ).rejects.toMatchObject(missing);
    const { reservation_id } = await insertSentReservation(scope);
    const unsealed = await signAsGuest(scope, reservation_id);
    await expect(buildDisputePackUrlOfSealedCertificate(scope, unsealed, true)).rejects.toMatchObject(missing);
    await sealCertificate(scope, unsealed);
    expect(await buildDisputePackUrlOfSealedCertificate(scope, unsealed, true)).toContain(unsealed);
  });
});

describe('the summary of a dispute pack', () => {
  it('fits on one page for any text in any script', async () => {
    const long = 'வணக்கம் ഹലോ 你好 '.repeat(60);
    const mail = {
      id: 'm',
      template: 'packet',
      to: long,
      from: '',
      subject: '',
      status: 'sent',
      provider_id: null,
      attempts: 1,
      last_error: null,
      created_at: '2026-05-01T10:00:00.000Z',
      sent_at: '2026-05-01T10:00:00.000Z',
      opened_at: '2026-05-01T10:00:00.000Z',
      outcomes: [],
    };
    const facts = {
      certificate: {
        id: 'sig_1',
        reservation_id: 'res_1',
        signer_name: long,
        signer_email: long,
        signed_at: '2026-05-01T10:00:00.000Z',
        signed_ip: long,
        user_agent: long,
        otp_confirmed: true,
        content_hash: 'a'.repeat(64),
        pdf_sha256: 'b'.repeat(64),
        sealed_at: '2026-05-01T10:00:00.000Z',
        redacted_at: null,
        verify_url: `https://x.example/${'v'.repeat(300)}`,
        has_photo: true,
        has_drawing: true,
      },
      livemode: false,
      snapshot: {
        property: { name: long, address: long },
        sender: { legal_name: long, postal_address: long, contact_email: null },
        reservation: { guest_name: long, checkin_date: '2026-05-01', checkout_date: '2026-05-02', source: 'direct' },
        packet: {
          name: long,
          currency: 'EUR',
          rules: Array(50).fill({}),
          fees: Array(50).fill({ label: long, amount_cents: 1, unit: long }),
        },
        acknowledgement: { text: long },
      },
      entries: [],
      sealed_entries: [],
      evidence: { status: 'altered', altered: Array(100).fill('signatures.drawn_signature') },
      mails: Array(50).fill(mail),
      log_number: 1,
      booking: { channel: 'channel_a', checkin_date: '2026-05-01', checkout_date: '2026-05-02' },
    } as unknown as DisputePackData;
    const page = await renderUnsealedDisputeSummary(buildDisputeSummary(facts));
    expect((await PDFDocument.load(page)).getPageCount()).toBe(1);
    if (isProgramInstalled('pdftotext')) expect(extractPdfText(page)).toContain('Signed copy opened');
  });
});
