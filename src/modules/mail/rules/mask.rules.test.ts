import { expect, it } from 'vitest';
import { EMAIL_SAMPLES } from '@/emails/samples';
import { maskMailLinksAndCodes, SECRET_MASK } from './mask.rules';

const TOKEN = 'plKFc-WXftzbGsZehHOxhQY5x4UqmniS';
const JWT = `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(60)}.${'b'.repeat(43)}`;
const mask = (text: string, template = 'packet') =>
  maskMailLinksAndCodes({ subject: text, html: text, text }, template).text;

it.each([
  [`https://a.example/sign/${TOKEN}`, `https://a.example/sign/${SECRET_MASK}`],
  [`<a href="https://a.example/c/${TOKEN}?lang=de">`, `<a href="https://a.example/c/${SECRET_MASK}?lang=de">`],
  [`https://a.example/reset-password?token=${TOKEN}&x=1`, `https://a.example/reset-password?token=${SECRET_MASK}&x=1`],
  [`https://a.example/invite/${TOKEN}`, `https://a.example/invite/${SECRET_MASK}`],
  [
    `https://a.example/verify?token=${JWT}&callbackURL=%2F`,
    `https://a.example/verify?token=${SECRET_MASK}.${SECRET_MASK}.${SECRET_MASK}&callbackURL=%2F`,
  ],
  [`<img src="https://a.example/o/${TOKEN}.gif">`, `<img src="https://a.example/o/${SECRET_MASK}.gif">`],
  [
    'https://a.example/reservations/res_01jd8z6q0v7m3k5n9r2t4w6y8a',
    'https://a.example/reservations/res_01jd8z6q0v7m3k5n9r2t4w6y8a',
  ],
  ['https://a.example/reservations/res_01jd8z6q0v7m3k5n9r2t4w6y8aX', `https://a.example/reservations/${SECRET_MASK}`],
  ['Write to a-very-long-address-of-somebody@example.com', 'Write to a-very-long-address-of-somebody@example.com'],
  ['Door code 123456', 'Door code 123456'],
])('%s is shown as %s', (text, shown) => {
  expect(mask(text)).toBe(shown);
  expect(mask(mask(text))).toBe(shown);
});

it('a one-time code is masked in its mail, including the subject', () => {
  expect(
    maskMailLinksAndCodes({ subject: '048213 is your code', html: '<b>048213</b>', text: '048213' }, 'one_time_code'),
  ).toEqual({
    subject: `${SECRET_MASK} is your code`,
    html: `<b>${SECRET_MASK}</b>`,
    text: SECRET_MASK,
  });
});

it('no template exposes its link or code after masking', async () => {
  for (const [name, { render }] of Object.entries(EMAIL_SAMPLES)) {
    const mail = await render({ locale: 'en', app_url: 'https://a.example', now: new Date('2026-11-21T00:00:00Z') });
    const masked = maskMailLinksAndCodes(mail, name);
    const links = masked.html.match(/https:\/\/a\.example\/[^\s"'<>]+/g) ?? [];
    for (const link of links) expect(link, name).not.toMatch(/[\w-]{24,}(?<!\b[a-z]{2,5}_[0-9a-z]{26})/);
    if (name === 'one_time_code') expect(masked.html + masked.text + masked.subject).not.toMatch(/\b\d{6}\b/);
  }
});
