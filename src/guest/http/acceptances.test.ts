/**
 * Tests acceptances of separate statements. Each statement has its own checkbox, and the
 * certificate records when the guest accepted it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { extractPdfText, isProgramInstalled } from '@/modules/certificates/testing/tools';
import { deriveLinkToken } from '@/modules/links/urls';
import { updateProperty } from '@/modules/properties/service';
import { agreementSnapshotSchema, hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { ACCEPTANCE_STATEMENT_NAMES } from '@/shared/guest-text/acceptances';
import { listRequiredAcceptanceStatements } from '@/shared/guest-text/consent';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

const ALL = Object.fromEntries(ACCEPTANCE_STATEMENT_NAMES.map((name) => [`accept_${name}`, 'on']));

async function openForm(required_acceptances: (typeof ACCEPTANCE_STATEMENT_NAMES)[number][], lang = 'en') {
  const made = await insertSentReservation(scope);
  await updateProperty(scope, made.property_id, { required_acceptances }, null);
  const token = deriveLinkToken('signing', made.reservation_id);
  const url = `http://localhost/sign/${token}?lang=${lang}`;
  const page = await (await handleSignPageRequest(new Request(url), token)).text();
  const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const fields = { intent: 'sign', typed_name: 'Ada Lovelace', consent: 'on', displayed_hash, locale: lang };
  const post = (changes: Record<string, string> = {}) =>
    handleSignSubmit(new Request(url, { method: 'POST', body: new URLSearchParams({ ...fields, ...changes }) }), token);
  return { ...made, page, post };
}

const boxes = (html: string) => [...html.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);

it('a property without separate acceptances shows only the consent checkbox', async () => {
  const { page, post } = await openForm([]);
  expect(boxes(page)).toHaveLength(1);
  expect((await post()).status).toBe(303);
});

it.each(ACCEPTANCE_STATEMENT_NAMES)(
  'a form without the required acceptance “%s” can be neither reviewed nor signed',
  async (name) => {
    const { post, reservation_id } = await openForm([...ACCEPTANCE_STATEMENT_NAMES]);
    for (const intent of ['sign', 'review']) {
      const answer = await post({ ...ALL, [`accept_${name}`]: '', intent });
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toContain(`<a href="#accept_${name}">Tick this box too. Your host asks for it separately.</a>`);
      expect(boxes(html)).toHaveLength(5);
      expect(boxes(html).filter((box) => box.includes(' checked'))).toEqual([]);
    }
    expect(await systemDb().signature.count({ where: { reservation_id } })).toBe(0);
  },
);

it('an acceptance that became required after the page was opened is shown before signing', async () => {
  const { post, property_id, reservation_id } = await openForm(['damage']);
  await updateProperty(scope, property_id, { required_acceptances: ['damage', 'smoking'] }, null);
  const answer = await post(ALL);
  expect(answer.status).toBe(409);
  expect(boxes(await answer.text())).toHaveLength(3);
  expect(await systemDb().signature.count({ where: { reservation_id } })).toBe(0);
});

it('each acceptance is shown in the guest’s language, frozen in the snapshot and printed with its time', async () => {
  const { page, post, reservation_id } = await openForm(['cancellation', 'damage'], 'de');
  const texts = listRequiredAcceptanceStatements(['damage', 'cancellation'], 'de');
  for (const { text } of texts) expect(page).toContain(`<span>${text}</span>`);
  // The review page without JavaScript repeats the acceptances.
  const review = await (await post({ ...ALL, intent: 'review' })).text();
  for (const { name, text } of texts) {
    expect(review).toContain(`<input type="hidden" name="accept_${name}" value="on"/>`);
    expect(review).toContain(text);
  }
  expect((await post(ALL)).status).toBe(303);
  const signature = await systemDb().signature.findFirstOrThrow({ where: { reservation_id } });
  const { canonical } = await systemDb().snapshot.findUniqueOrThrow({ where: { id: signature.snapshot_id } });
  const snapshot = agreementSnapshotSchema.parse(JSON.parse(canonical));
  expect(snapshot.acceptances).toEqual(texts);
  expect(hashAgreementSnapshot(snapshot)).toBe(signature.content_hash);
  const trail = await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
  const given = trail.filter(({ type }) => type === 'acceptance.given');
  expect(given.map(({ data }) => data)).toEqual(
    texts.map(({ name, version, locale }) => ({ acceptance: name, wording_version: version, locale })),
  );
  expect(given.every(({ seq }) => seq < (trail.find(({ type }) => type === 'reservation.signed')?.seq ?? 0))).toBe(
    true,
  );
  if (!isProgramInstalled('pdftotext')) return;
  await sealCertificate(scope, signature.id);
  const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature.id } });
  const printed = extractPdfText(pdf ?? new Uint8Array()).replace(/\s+/g, '');
  for (const { text } of texts) expect(printed).toContain(text.replace(/\s+/g, ''));
  const at = signature.signed_at.toISOString();
  const time = `Angenommen${at.slice(0, 10)}${at.slice(11, 23)}UTC`;
  expect(printed.split(time)).toHaveLength(1 + texts.length);
});
