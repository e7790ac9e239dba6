/** Tests that no text of a host or guest can create a link or a header in a mail's subject. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { CUSTOMIZABLE_MAILS } from '@/shared/guest-text/mail-texts';
import { toSingleLineMailHeader } from './render';

const HOSTILE = [
  'Your parcel is held, pay at http://evil.example/x',
  'evil.example',
  'www．evil．example/pay',
  'Pay evil。example',
  'mail me@evil.example now',
  '=?utf-8?b?UGF5IG5vdyBhdCBldmlsLmV4YW1wbGU=?=',
  '=?utf-8?q?Pay=20now?=',
  'a\u202Egpj.elif\u2066x\u200B\u00ADy',
  'Casa\r\nBcc: everybody@evil.example\r\n\r\nHello',
  'javascript://evil.example',
  'HTTPS:evil.example',
];
const FORBIDDEN = [
  /https?:|\bhttps?\b/i,
  /:\/\//,
  /\p{L}[.．。｡]\p{L}/u,
  /@|＠/,
  /=\?|\?=/,
  /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u,
];
/** Fields that contain names or other texts of hosts and guests. */
const NAMES = ['guest_name', 'property_name', 'team_name', 'inviter_name', 'signer_name', 'summary', 'message'];

let said = '';
/** Returns a copy of the value in which the current hostile text replaces every name. */
function hostile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hostile);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      NAMES.includes(name) && typeof inner === 'string' ? said : hostile(inner),
    ]),
  );
}

/** Replaces the renderers of all mails with functions that insert hostile names. */
const files = (readdirSync('src/emails', { recursive: true }) as string[]).filter(
  (file) =>
    /\.tsx?$/.test(file) &&
    /export (?:async )?function render\w+Email/.test(readFileSync(`src/emails/${file}`, 'utf8')),
);
for (const file of files) {
  vi.doMock(`./${file.replace(/\.tsx?$/, '')}`, async (original) =>
    Object.fromEntries(
      Object.entries((await original()) as object).map(([name, value]) => [
        name,
        /^render\w+Email$/.test(name) ? (props: unknown) => value(hostile(props)) : value,
      ]),
    ),
  );
}
const { EMAIL_SAMPLES } = await import('./samples');

function renderHostile(name: keyof typeof EMAIL_SAMPLES, words: string) {
  said = words;
  return EMAIL_SAMPLES[name].render({
    locale: 'en',
    app_url: 'https://threshold.example',
    now: new Date('2026-06-20T10:00:00Z'),
  });
}

it('the renderers of mails are found', () => expect(files.length).toBeGreaterThan(10));

it.each(Object.keys(EMAIL_SAMPLES) as (keyof typeof EMAIL_SAMPLES)[])(
  'the subject of %s contains no link or header from a hostile name',
  async (name) => {
    const own = (await renderHostile(name, 'Quiet')).subject;
    for (const words of HOSTILE) {
      const { subject } = await renderHostile(name, words);
      // The host of an endpoint is allowed in the subject, because the owners entered it
      // themselves.
      const shown = name.startsWith('endpoint_') ? subject.replace('example.com', '') : subject;
      for (const pattern of FORBIDDEN) expect([words, shown]).not.toEqual([words, expect.stringMatching(pattern)]);
      expect(subject).toBe(toSingleLineMailHeader(subject));
    }
    expect(own).toMatch(/\S/);
  },
);

it.each(CUSTOMIZABLE_MAILS)(
  'a host’s own subject for %s contains no link or header from hostile text',
  async (mail) => {
    for (const words of HOSTILE) {
      said = words;
      const own_texts = { [mail]: { en: { subject: `${words} {{guest_name}}`, intro: null } } };
      const stay = { checkin_date: '2026-07-03', checkout_date: '2026-07-07', open_pixel_url: null, livemode: true };
      const render = mail === 'packet' ? (await import('./packet')).renderPacketEmail : await reminder(mail);
      const { subject } = await render({
        ...{ ...stay, own_texts, locale: 'en', guest_name: words, property_name: words, brand_color: null },
        ...{ logo_url: null, welcome_message: null, signing_url: 'https://threshold.example/sign/x' },
      });
      for (const pattern of FORBIDDEN) expect([words, subject]).not.toEqual([words, expect.stringMatching(pattern)]);
    }
  },
);

const reminder = async (mail: string) => {
  const { renderReminder2hBeforeCheckinEmail, renderReminder24hBeforeCheckinEmail } = await import('./reminder');
  return mail === 'reminder_24h' ? renderReminder24hBeforeCheckinEmail : renderReminder2hBeforeCheckinEmail;
};
