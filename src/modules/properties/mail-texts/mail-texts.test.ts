import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { sendReservation } from '@/modules/reservations/send';
import { createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { createProperty, retrieveProperty } from '../service';
import { PropertyMailTextInput } from './schemas';
import {
  previewPropertyMailText,
  retrievePropertyMailText,
  savePropertyMailText,
  sendTestMailWithText,
} from './service';

let scope: Scope;
let id: string;
let user: { id: string; email: string };
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  installFakeClock('2026-06-01T10:00:00Z');
  setConfig({ resend_api_key: 're_test' });
  scope = await insertTeam();
  id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', address: '1 Quay' }))).id;
  user = await systemDb().user.findFirstOrThrow({ select: { id: true, email: true } });
});
afterEach(() => setClock(null));

const words = (more: object) =>
  PropertyMailTextInput.parse({ id, mail: 'packet', locale: 'de', subject: null, intro: null, ...more });
const GERMAN = { subject: 'Willkommen, {{guest_name}}!', intro: 'Bis zum {{checkin_date}}.\n\nIhre Gastgeber' };

async function mailTo(locale: string) {
  const { row } = await createReservation(scope, {
    property_id: id,
    guest_name: 'Grace {{nights}} Hopper',
    guest_email: 'grace@example.com',
    locale,
    checkin_date: '2026-07-15',
    checkout_date: '2026-07-18',
    source: 'direct',
  });
  await sendReservation(scope, row.id);
  return (await readOutboundMails({ reservation_id: row.id })).at(-1)!;
}

describe('a host’s own mail texts', () => {
  it('are used only in mails of their language, filled in for the guest', async () => {
    await savePropertyMailText(scope, words(GERMAN));
    const german = await mailTo('de-AT');
    // A short code in a guest's name is not replaced.
    expect(german.subject).toBe('Willkommen, Grace {{nights}} Hopper!');
    expect(german.text).toContain('Bis zum 15. Juli 2026.');
    expect(german.text).toContain('Ihre Gastgeber');
    const standard = await retrievePropertyMailText(scope, id, { mail: 'packet', locale: 'fr' });
    const french = await mailTo('fr');
    const spaced = (text: string) => text.replaceAll(/\s/g, ' ');
    expect(spaced(french.subject)).toBe(spaced(standard.standard.subject));
    expect(french.text).not.toContain('Gastgeber');
  });

  it('are stored by mail and language, and removed when empty', async () => {
    const standard = await retrievePropertyMailText(scope, id, words({}));
    expect(standard).toMatchObject({ own: { subject: null, intro: null }, written: [] });
    await savePropertyMailText(scope, words(GERMAN));
    await savePropertyMailText(scope, words({ locale: 'en', subject: 'Hello' }));
    await savePropertyMailText(scope, words({ mail: 'reminder_2h', intro: 'Nicht vergessen!' }));
    const kept = await retrievePropertyMailText(scope, id, words({}));
    expect(kept.own).toEqual(GERMAN);
    expect(kept.written).toHaveLength(3);
    await savePropertyMailText(scope, words({}));
    expect(await retrievePropertyMailText(scope, id, words({}))).toMatchObject({
      own: { subject: null },
      standard: standard.standard,
    });
    expect((await retrievePropertyMailText(scope, id, words({ locale: 'en' }))).own.subject).toBe('Hello');
    const noted = await systemDb().auditLog.findMany({ where: { action: 'property.mail_text_changed' } });
    expect(noted).toHaveLength(4);
  });

  it('change nothing that partners see, and emit no event', async () => {
    const events = await systemDb().event.count();
    await savePropertyMailText(scope, words(GERMAN));
    expect(await systemDb().event.count()).toBe(events);
    expect((await retrieveProperty(scope, id)).name).toBe('Casa Azul');
  });

  it.each([
    ['a line break in the subject', { subject: 'Hello\r\nBcc: a@example.com' }, 'Hello Bcc: a@example.com'],
    ['a blank subject', { subject: '   ' }, null],
  ])('normalise %s', (_name, given, subject) => {
    expect(words(given).subject).toBe(subject);
  });

  it.each([
    { subject: 'x'.repeat(151) },
    { intro: 'x'.repeat(2_001) },
    { subject: '{{door_code}}' },
    { intro: '{{x}}' },
  ])('are rejected with %j', (given) => {
    const parsed = PropertyMailTextInput.safeParse({
      id,
      mail: 'packet',
      locale: 'de',
      subject: null,
      intro: null,
      ...given,
    });
    expect(parsed.success).toBe(false);
  });

  it.each(['packet', 'reminder_24h', 'reminder_2h'] as const)(
    'are previewed in %s as a guest would receive them',
    async (mail) => {
      const preview = await previewPropertyMailText(
        scope,
        words({ mail, ...GERMAN, intro: '<script>alert(1)</script>' }),
      );
      expect(preview.subject).toBe('Willkommen, Ada Lovelace!');
      expect(preview.html).toContain('&lt;script&gt;');
      expect(preview.html).not.toContain('<script>alert');
    },
  );

  it('are not found by another team or mode', async () => {
    for (const stranger of [
      await insertTeam('live', 'other@example.com'),
      createSystemScope(scope.team_id, 'test', 'test'),
    ]) {
      const missing = expect.objectContaining({ code: 'resource_missing' });
      await expect(retrievePropertyMailText(stranger, id, words({}))).rejects.toEqual(missing);
      await expect(savePropertyMailText(stranger, words(GERMAN))).rejects.toEqual(missing);
      await expect(sendTestMailWithText(stranger, user, words(GERMAN))).rejects.toEqual(missing);
    }
  });
});

describe('a test mail', () => {
  const confirm = () => systemDb().user.updateMany({ data: { emailVerified: true } });

  it('is sent only to the member who requests it', async () => {
    await confirm();
    expect(await sendTestMailWithText(scope, user, words(GERMAN))).toEqual({ to: user.email, sent: true });
    expect(await readOutboundMails({ template: 'mail_test' })).toMatchObject([
      { to: user.email, subject: 'Willkommen, Ada Lovelace!', status: 'queued' },
    ]);
  });

  it('is not sent to an unconfirmed address', async () => {
    await expect(sendTestMailWithText(scope, user, words(GERMAN))).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await readOutboundMails({ template: 'mail_test' })).toEqual([]);
  });

  it('is limited to fifty a day', async () => {
    await confirm();
    await sendTestMailWithText(scope, user, words(GERMAN));
    const { id: _id, open_token_hash: _hash, ...mail } = await systemDb().mailMessage.findFirstOrThrow();
    await systemDb().mailMessage.createMany({
      data: Array.from({ length: 49 }, (_, nth) => ({ ...mail, id: `mail_${nth}` })),
    });
    await expect(sendTestMailWithText(scope, user, words(GERMAN))).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    });
  });
});
