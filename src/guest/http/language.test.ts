/**
 * Tests which language a guest page uses. The order is: language switch, the host's choice, the
 * browser, other known languages.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { agreementSnapshotSchema } from '@/modules/snapshot/snapshot';
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

async function guestOf(known: { locale?: string; guest_locale?: string }) {
  const { reservation_id } = await insertSentReservation(scope);
  await systemDb().reservation.update({ where: { id: reservation_id }, data: known });
  const token = deriveLinkToken('signing', reservation_id);
  const url = `http://localhost/sign/${token}`;
  const open = async (browser?: string, query = '') => {
    const headers = browser ? { 'accept-language': browser } : undefined;
    return (await handleSignPageRequest(new Request(`${url}${query}`, { headers }), token)).text();
  };
  const sign = async (page: string, locale: string) => {
    const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const fields = { intent: 'sign', typed_name: 'Ada Lovelace', consent: 'on', displayed_hash, locale };
    return handleSignSubmit(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }), token);
  };
  return { reservation_id, open, sign };
}

const langOf = (page: string) => /<html lang="([^"]*)"/.exec(page)?.[1];

describe('the language of a guest page', () => {
  it.each([
    ['the browser’s when the host chose none', {}, 'de', '', 'de'],
    ['the host’s choice, whatever the browser’s language', { locale: 'ja' }, 'de', '', 'ja'],
    ['the one that the guest switches to, whatever the host chose', { locale: 'ja' }, 'de', '?lang=fr', 'fr'],
    ['the browser’s when the host’s choice is not supported', { locale: 'sv' }, 'de', '', 'de'],
    ['the browser’s rather than a guessed one', { guest_locale: 'it' }, 'de', '', 'de'],
    ['the guessed one when the browser’s is not supported', { guest_locale: 'it' }, 'sv', '', 'it'],
    ['the one that the guest switched to at an earlier visit', { locale: 'ja', guest_locale: 'ko' }, 'de', '', 'ko'],
    ['English when nothing is known', {}, undefined, '', 'en'],
    ['British English when the host chose Australian English', { locale: 'en-AU' }, 'de', '', 'en-GB'],
  ])('is %s', async (_, known, browser, query, lang) => {
    const { open } = await guestOf(known);
    expect(langOf(await open(browser, query))).toBe(lang);
  });

  it('is frozen in the snapshot at signing, and is used when the guest returns', async () => {
    const { open, sign, reservation_id } = await guestOf({ locale: 'ar' });
    const page = await open('de');
    expect(page).toMatch(/<html lang="ar" dir="rtl">/);
    expect((await sign(page, 'ar')).status).toBe(303);
    const stored = await systemDb().snapshot.findFirstOrThrow({
      where: { signatures: { some: { reservation_id } } },
    });
    const snapshot = agreementSnapshotSchema.parse(JSON.parse(stored.canonical));
    expect([snapshot.locale, snapshot.acknowledgement.locale]).toEqual(['ar', 'ar']);
    expect(snapshot.acknowledgement.text).toContain('قواعد المنزل');
    expect(page).toContain(snapshot.acknowledgement.text);
    expect(langOf(await open('de'))).toBe('ar');
  });
});
