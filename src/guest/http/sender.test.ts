/**
 * Tests the sender details of a property in mails to guests, on the signing page, on the copy and
 * in the certificate. The certificate keeps the details from the time of signing.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { updateTeamSenderDetails } from '@/modules/accounts/team.service';
import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import { extractPdfText, isProgramInstalled } from '@/modules/certificates/testing/tools';
import { deriveLinkToken } from '@/modules/links/urls';
import { updateProperty } from '@/modules/properties/service';
import { resendReservation } from '@/modules/reservations/send';
import { agreementSnapshotSchema, hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { EMPTY_SENDER_DETAILS } from '@/shared/guest-text/sender';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { handleSignedCopyPageRequest } from './certificate/copy';
import { handleSignPageRequest, handleSignSubmit } from './sign';

const SENDER = {
  legal_name: 'Sea View <Stays> Lda',
  postal_address: 'Rua 1, Porto',
  contact_email: 'hi@seaview.example',
};
const LINE = 'Sea View &lt;Stays&gt; Lda · Rua 1, Porto · hi@seaview.example';

let scope: Scope;
const tell = (sender = SENDER as typeof EMPTY_SENDER_DETAILS) =>
  updateTeamSenderDetails(
    { team_id: scope.team_id, user: { id: 'user_1', name: 'Olga', email: 'o@example.com' } as never, ip: null },
    sender,
  );
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  await tell();
});
afterAll(closeTestDatabase);

const pageOf = async (token: string) =>
  (await handleSignPageRequest(new Request(`http://localhost/sign/${token}`), token)).text();

it('the sender is shown on mails and pages, and replies go to the team or the property’s reply address', async () => {
  const { reservation_id, property_id } = await insertSentReservation(scope);
  const [mail] = await readOutboundMails({ reservation_id, template: 'packet' });
  expect(mail?.html).toContain(LINE);
  expect(mail?.reply_to).toBe(SENDER.contact_email);
  expect(await pageOf(deriveLinkToken('signing', reservation_id))).toContain(LINE);
  await updateProperty(scope, property_id, { reply_to_email: 'desk@example.com' }, null);
  await resendReservation(scope, reservation_id);
  expect((await readOutboundMails({ reservation_id, template: 'packet' })).at(-1)?.reply_to).toBe('desk@example.com');
});

it('the sender is frozen at signing: a later change affects neither the copy nor the certificate', async () => {
  const { reservation_id } = await insertSentReservation(scope);
  const signature_id = await signAsGuest(scope, reservation_id);
  await tell({ ...SENDER, legal_name: 'Somebody Else' });
  await sealCertificate(scope, signature_id);
  const { snapshot_id, pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  const { canonical, content_hash } = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
  const snapshot = agreementSnapshotSchema.parse(JSON.parse(canonical));
  expect(snapshot).toMatchObject({ version: 1, sender: SENDER });
  expect(hashAgreementSnapshot(snapshot)).toBe(content_hash);
  const token = deriveLinkToken('copy', signature_id);
  const copy = await (await handleSignedCopyPageRequest(new Request(`http://localhost/c/${token}`), token)).text();
  expect(copy).toContain(LINE);
  expect(copy).not.toContain('Somebody Else');
  if (isProgramInstalled('pdftotext'))
    expect(extractPdfText(pdf ?? new Uint8Array()).replace(/\s+/g, '')).toContain('SeaView<Stays>Lda·Rua1,Porto');
  await tell();
});

it('a sender that changes while a page is open must be shown again before signing', async () => {
  const { reservation_id } = await insertSentReservation(scope);
  const token = deriveLinkToken('signing', reservation_id);
  const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(await pageOf(token))?.[1] ?? '';
  await tell({ ...SENDER, legal_name: 'Another Ltd' });
  const fields = { intent: 'sign', typed_name: 'Ada', consent: 'on', displayed_hash, locale: 'en' };
  const post = new Request(`http://localhost/sign/${token}`, { method: 'POST', body: new URLSearchParams(fields) });
  expect((await handleSignSubmit(post, token)).status).toBe(409);
  await tell();
});

it('a sender without a legal name appears by the team’s name on page, mail and certificate', async () => {
  await tell(EMPTY_SENDER_DETAILS);
  const { reservation_id } = await insertSentReservation(scope);
  const [mail] = await readOutboundMails({ reservation_id, template: 'packet' });
  expect(mail?.reply_to).toBeNull();
  expect(mail?.html).not.toContain('Porto');
  expect(mail?.html).toContain('Sea View');
  expect(await pageOf(deriveLinkToken('signing', reservation_id))).toContain('Sea View');
  const signature_id = await signAsGuest(scope, reservation_id);
  await systemDb().team.update({ where: { id: scope.team_id }, data: { name: 'Renamed' } });
  await sealCertificate(scope, signature_id);
  const { snapshot_id, pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  const { canonical } = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
  expect(JSON.parse(canonical).sender).toEqual({ ...EMPTY_SENDER_DETAILS, team_name: 'Sea View' });
  if (isProgramInstalled('pdftotext')) expect(extractPdfText(pdf ?? new Uint8Array())).toContain('Sea View');
  await tell();
});
