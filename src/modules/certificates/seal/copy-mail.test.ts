/**
 * Tests that the guest's signed copy is mailed once per certificate, with the sealed PDF, and never
 * in test mode.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { decryptMailContent } from '@/modules/mail/content';
import { updateProperty } from '@/modules/properties/service';
import { sendMailAndRecordFailure } from '@/modules/reservations/mail-reports';
import { listTrailEntries } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { redactCertificate } from '../privacy/service';
import { insertSealedCertificate, insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import { loadCertificateAttachments } from './copy-mail';
import { sealCertificate } from './sealing';

interface Sent {
  to: string;
  reply_to?: string;
  attachments?: { filename: string; content: string }[];
}

const sent: Sent[] = [];
let server: Server;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  sent.length = 0;
  server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    sent.push(JSON.parse(Buffer.concat(body).toString('utf8')) as Sent);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"id":"re_${sent.length}_${Math.random()}"}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  setConfig({ resend_api_key: 're_test', resend_base_url: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  setConfig({ resend_api_key: undefined, resend_base_url: undefined });
});

let teams = 0;
const newTeam = (mode: 'live' | 'test' = 'live') => insertTeam(mode, `owner-${++teams}@example.com`);
const copies = (reservation_id: string) =>
  systemDb().mailMessage.findMany({ where: { reservation_id, template: 'signed_copy' } });
const typesOf = async (scope: Scope, id: string) => (await listTrailEntries(scope, id)).map(({ type }) => type);

describe('when a certificate is sealed', () => {
  it('the guest is mailed the sealed PDF with the property’s reply-to, and the row only references it', async () => {
    const scope = await newTeam();
    const made = await insertSentReservation(scope);
    await updateProperty(scope, made.property_id, { reply_to_email: 'host@example.com' }, null);
    const signature_id = await signAsGuest(scope, made.reservation_id);
    expect(await copies(made.reservation_id)).toEqual([]);
    await sealCertificate(scope, signature_id);
    const [mail] = await copies(made.reservation_id);
    expect(mail).toMatchObject({ to: TEST_GUEST.email, status: 'queued', attachment: signature_id });
    expect(mail?.content?.length).toBeLessThan(20_000);
    expect(await typesOf(scope, made.reservation_id)).toEqual(
      expect.arrayContaining(['certificate.created', 'certificate.copy_sent']),
    );
    expect(await sendMailAndRecordFailure(mail?.id ?? '', loadCertificateAttachments)).toEqual({ outcome: 'sent' });
    const { pdf_sha256 } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: TEST_GUEST.email, reply_to: 'host@example.com' });
    expect(sent[0]?.attachments?.map(({ filename }) => filename)).toEqual([
      expect.stringMatching(/^\d{4}-\d{2}-\d{2} Ada Lovelace, Harbour Loft\.pdf$/),
      'inclusion.tlog-proof',
    ]);
    const proof = Buffer.from(sent[0]?.attachments?.[1]?.content ?? '', 'base64').toString();
    expect(proof).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex \d+\n/);
    expect(proof).toContain('/.well-known/threshold-log\n');
    expect(sha256Hex(Buffer.from(sent[0]?.attachments?.[0]?.content ?? '', 'base64'))).toBe(pdf_sha256);
  });

  it('one mail is sent, even if the certificate is sealed repeatedly or concurrently', async () => {
    const scope = await newTeam();
    const { reservation_id } = await insertSentReservation(scope);
    const signature_id = await signAsGuest(scope, reservation_id);
    await Promise.all([sealCertificate(scope, signature_id), sealCertificate(scope, signature_id)]);
    await sealCertificate(scope, signature_id);
    expect(await copies(reservation_id)).toHaveLength(1);
    expect((await typesOf(scope, reservation_id)).filter((type) => type === 'certificate.copy_sent')).toHaveLength(1);
  });

  it('no mail is sent in test mode, but it can be previewed', async () => {
    const scope = await newTeam('test');
    const { reservation_id } = await insertSealedCertificate(scope);
    const [mail] = await copies(reservation_id);
    expect(mail?.status).toBe('captured');
    expect(mail && decryptMailContent(mail).text).toContain('The sealed certificate is attached');
    expect(await sendMailAndRecordFailure(mail?.id ?? '', loadCertificateAttachments)).toEqual({ outcome: 'not_due' });
    expect(sent).toEqual([]);
  });

  it('nothing is mailed after a redaction or without the file', async () => {
    const scope = await newTeam();
    const redacted = await insertSealedCertificate(scope);
    await redactCertificate(scope, redacted.signature_id);
    const gone = await insertSealedCertificate(scope);
    await systemDb().signature.update({ where: { id: gone.signature_id }, data: { pdf: null } });
    for (const { reservation_id } of [redacted, gone]) {
      const [mail] = await copies(reservation_id);
      await sendMailAndRecordFailure(mail?.id ?? '', loadCertificateAttachments);
      expect((await copies(reservation_id))[0]?.status).not.toBe('sent');
    }
    expect(await typesOf(scope, gone.reservation_id)).toContain('mail.failed');
    expect(sent).toEqual([]);
  });

  it('another team’s mail cannot reference it', async () => {
    const { signature_id } = await insertSealedCertificate(await newTeam());
    const other = await newTeam();
    const mail = { team_id: other.team_id, mode: 'live', attachment: signature_id } as Parameters<
      typeof loadCertificateAttachments
    >[0];
    expect(await loadCertificateAttachments(mail)).toBeNull();
  });
});
