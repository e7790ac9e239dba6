/**
 * Tests that a guessed language never replaces a stated language, and in which language the guest's
 * mails are written.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';

type Body = Record<string, never> & { id: string; locale: string | null; error: { code: string; param: string } };

let api: TestApiServer;
let team: TestTeam;
let property_id: string;
beforeAll(async () => {
  api = await startTestApiServer();
  team = await api.createTeam({ plan: 'pro' });
  property_id = (await call('POST', '/properties', { name: 'Harbour Loft' })).body.id;
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.request<Body>(method, path, { key: team.test, body });
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
const create = (more: object = {}) =>
  call('POST', '/reservations', {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    checkin_date: days(10),
    checkout_date: days(14),
    ...more,
  });
const guess = (id: string, guest_locale: string) =>
  systemDb().reservation.update({ where: { id }, data: { guest_locale } });

describe('a reservation’s language', () => {
  it.each([
    [{ locale: 'PT-br' }, 'pt-BR'],
    [{ locale: 'sv' }, 'sv'],
    [{ locale: null }, null],
    [{}, null],
  ])('created with %j is stored and returned as %j', async (given, locale) => {
    const made = await create(given);
    expect([made.status, made.body.locale]).toEqual([201, locale]);
    expect((await call('GET', `/reservations/${made.body.id}`)).body.locale).toBe(locale);
  });

  it.each(['German', 'de_DE', 'und', '', 'de-u-nu-latn', 7])(
    'is rejected when it is %j, with an error on locale',
    async (locale) => {
      for (const answer of [
        await create({ locale }),
        await call('PATCH', `/reservations/${(await create()).body.id}`, { locale }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.error).toMatchObject({
          type: 'invalid_request_error',
          code: 'invalid_field',
          param: 'locale',
        });
      }
    },
  );

  it('can be changed and removed', async () => {
    const { id } = (await create({ locale: 'fr' })).body;
    expect((await call('PATCH', `/reservations/${id}`, { locale: 'ja' })).body.locale).toBe('ja');
    expect((await call('PATCH', `/reservations/${id}`, { locale: null })).body.locale).toBeNull();
  });

  it('that was guessed is returned, and stays a guess when it is sent back unchanged', async () => {
    const { id } = (await create()).body;
    await guess(id, 'it');
    expect((await call('GET', `/reservations/${id}`)).body.locale).toBe('it');
    await call('PATCH', `/reservations/${id}`, { locale: 'it', guest_name: 'Ada King' });
    expect(await systemDb().reservation.findUniqueOrThrow({ where: { id } })).toMatchObject({
      locale: null,
      guest_locale: 'it',
    });
  });

  it.each(['de', null])('that was guessed is replaced when %j is set', async (locale) => {
    const { id } = (await create()).body;
    await guess(id, 'it');
    expect((await call('PATCH', `/reservations/${id}`, { locale })).body.locale).toBe(locale);
  });
});

describe('the mail with the link', () => {
  let mailed: (locale: string | null, known?: string) => Promise<{ subject: string; html: string; text: string }>;
  beforeEach(() => {
    mailed = async (locale, known) => {
      const { id } = (await create({ locale })).body;
      if (known) await guess(id, known);
      await call('POST', `/reservations/${id}/send`);
      return (await call('GET', `/reservations/${id}/email_preview`)).body as never;
    };
  });

  it.each([
    ['ja', undefined, 'ja', 'ご宿泊前のお願い'],
    ['pt-PT', undefined, 'pt-PT', 'Antes da sua estadia'],
    ['pt-BR', undefined, 'pt-BR', 'Antes da sua hospedagem'],
    [null, 'it', 'it', 'Harbour Loft'],
    // An unsupported language and a missing language both give English.
    ['sv', undefined, 'en', 'Before your stay'],
    [null, undefined, 'en', 'Before your stay'],
  ])('with locale %j and guessed locale %j is in %s', async (locale, known, lang, subject) => {
    const mail = await mailed(locale, known);
    expect(mail.html).toMatch(new RegExp(`<html[^>]* lang="${lang}"`));
    expect(mail.subject).toContain(subject);
  });

  it('in Arabic runs from right to left, except for its link', async () => {
    const { html } = await mailed('ar');
    expect(html).toMatch(/<html[^>]* dir="rtl"[^>]* lang="ar"/);
    expect(html).toMatch(/<body[^>]*dir="rtl"|dir="rtl"[^>]*class="m-page"/);
    expect(html).toMatch(/<table[^>]*class="m-card"[^>]*dir="rtl"|<table[^>]*dir="rtl"[^>]*class="m-card"/);
    expect(html).toMatch(/<p[^>]*dir="ltr"[^>]*>\s*<a[^>]*class="m-link"/);
  });
});
