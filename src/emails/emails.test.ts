import { describe, expect, it } from 'vitest';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '@/shared/guest-text/locale';
import { renderSyncFailingEmail } from './calendar-mails';
import { renderEmailVerificationEmail } from './email-verification';
import { renderEndpointDisabledEmail } from './endpoint/disabled';
import { renderWebhookDeliveryWarningEmail } from './endpoint/warning';
import { renderInvitationEmail } from './invitation';
import { renderLateSigningAlertEmail } from './late-alert';
import { renderOneTimeCodeEmail } from './one-time-code';
import { renderPacketEmail } from './packet';
import { renderPasswordResetEmail } from './password-reset';
import { renderReminder2hBeforeCheckinEmail, renderReminder24hBeforeCheckinEmail } from './reminder';
import { type RenderedEmail, toSingleLineMailHeader } from './render';
import { renderSignInFailuresEmail } from './sign-in-failures';
import { renderSignUpAttemptEmail } from './sign-up-attempt';

const guest = {
  locale: 'en' as string | null,
  guest_name: 'Ada Lovelace' as string | null,
  property_name: 'Harbour Loft',
  brand_color: '#0a6ebd',
  logo_url: null,
  checkin_date: '2026-07-03',
  checkout_date: '2026-07-07',
  signing_url: 'https://threshold.example/sign/tok_abc',
  open_pixel_url: 'https://threshold.example/o/tok.gif',
  livemode: true,
};
const packet = { ...guest, welcome_message: 'Hi {{guest_name}},\nsee you on {{checkin_date}}.' };
const at = new Date('2026-06-20T10:00:00Z');

const everyMail: [string, string | null, () => Promise<RenderedEmail>][] = [
  ['packet', guest.signing_url, () => renderPacketEmail(packet)],
  ['reminder a day before', guest.signing_url, () => renderReminder24hBeforeCheckinEmail(guest)],
  ['reminder two hours before', guest.signing_url, () => renderReminder2hBeforeCheckinEmail(guest)],
  ['one-time code', null, () => renderOneTimeCodeEmail({ ...guest, code: '048213', expires_in_minutes: 10 })],
  [
    'late alert',
    'https://threshold.example/r',
    () =>
      renderLateSigningAlertEmail({
        property_name: 'Harbour Loft',
        guest_name: 'Ada Lovelace',
        checkin_date: '2026-07-03',
        status: 'opened',
        sent_at: at,
        timezone: 'Europe/London',
        reservation_url: 'https://threshold.example/r',
      }),
  ],
  [
    'endpoint warning',
    'https://threshold.example/w',
    () =>
      renderWebhookDeliveryWarningEmail({
        endpoint_url: 'https://hooks.example/x',
        event_type: 'reservation.signed',
        failed_attempts: 3,
        disabled_after: 9,
        last_error: 'HTTP 500',
        next_retry_at: at,
        dashboard_url: 'https://threshold.example/w',
      }),
  ],
  [
    'endpoint disabled',
    'https://threshold.example/w',
    () =>
      renderEndpointDisabledEmail({
        endpoint_url: 'https://hooks.example/x',
        failed_attempts: 9,
        failing_since: at,
        last_error: null,
        dashboard_url: 'https://threshold.example/w',
      }),
  ],
  [
    'sync failing',
    'https://threshold.example/s',
    () =>
      renderSyncFailingEmail({
        property_name: 'Harbour Loft',
        source_label: 'Airbnb calendar',
        failing_since: at,
        failures: 5,
        last_error: 'HTTP 404',
        dashboard_url: 'https://threshold.example/s',
      }),
  ],
  [
    'invitation',
    'https://threshold.example/i',
    () =>
      renderInvitationEmail({
        team_name: 'Harbour Homes',
        inviter_name: 'Grace',
        role: 'manager',
        accept_url: 'https://threshold.example/i',
        expires_in_days: 7,
      }),
  ],
  [
    'password reset',
    'https://threshold.example/p',
    () => renderPasswordResetEmail({ reset_url: 'https://threshold.example/p', expires_in_minutes: 60 }),
  ],
  [
    'account exists',
    'https://threshold.example/s',
    () =>
      renderSignUpAttemptEmail({
        sign_in_url: 'https://threshold.example/s',
        reset_url: 'https://threshold.example/p',
      }),
  ],
  [
    'wrong passwords',
    'https://threshold.example/p',
    () => renderSignInFailuresEmail({ kind: 'code', reset_url: 'https://threshold.example/p' }),
  ],
  [
    'address verification',
    'https://threshold.example/v',
    () => renderEmailVerificationEmail({ verify_url: 'https://threshold.example/v', expires_in_minutes: 60 }),
  ],
];

describe.each(everyMail)('the %s mail', (_, link, render) => {
  it('has a one-line subject, and its link in HTML and text', async () => {
    const { subject, html, text } = await render();
    expect(subject).toMatch(/^\S.*\S$/);
    if (link) {
      expect(html).toContain(`href="${link}"`);
      expect(text).toContain(link);
    }
  });

  it('declares its language, has one heading, and contains no unfilled placeholder', async () => {
    const { html, text } = await render();
    expect(html).toMatch(/<html[^>]* lang="en"/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain('prefers-color-scheme:dark');
    expect(`${html}${text}`).not.toMatch(/\{\w+\}(?!\s*\.)|undefined|\[object/);
  });

  it('contains no markup in its text form', async () => {
    const { text } = await render();
    expect(text).not.toMatch(/<[a-z]|&[a-z]+;/);
    expect(text.length).toBeGreaterThan(80);
  });
});

describe('the packet mail', () => {
  it.each(GUEST_LOCALES)('is written in %s', async (locale) => {
    const { subject, html } = await renderPacketEmail({ ...packet, locale });
    expect(html).toMatch(new RegExp(`<html[^>]* lang="${locale}`));
    expect(subject).toContain('Harbour Loft');
    if (!locale.startsWith('en')) expect(html).not.toContain('Your stay at');
    expect(html).toContain(`dir="${GUEST_LANGUAGES[locale].dir}"`);
  });

  it('replaces the host’s short codes and preserves line breaks', async () => {
    const { html, text } = await renderPacketEmail(packet);
    expect(html).toContain('Hi Ada Lovelace,<br/>see you on July 3, 2026.');
    expect(text).toContain('Hi Ada Lovelace,\nsee you on July 3, 2026.');
  });

  it('is in English for an unknown language, and does not greet a guest by a channel’s placeholder', async () => {
    const { html, text } = await renderPacketEmail({
      ...packet,
      locale: 'xx',
      guest_name: 'Guest HMABC',
      welcome_message: null,
    });
    expect(html).toMatch(/<html[^>]* lang="en"/);
    expect(text).toContain('Hello,');
    expect(text).not.toContain('HMABC');
  });

  it('contains the open pixel only in the HTML, and only when requested', async () => {
    const { html, text } = await renderPacketEmail(packet);
    expect(html).toContain('https://threshold.example/o/tok.gif');
    expect(text).not.toContain('tok.gif');
    expect((await renderPacketEmail({ ...packet, open_pixel_url: null })).html).not.toContain('.gif');
  });

  it('is marked as a test only in test mode', async () => {
    expect((await renderPacketEmail({ ...packet, livemode: false })).text).toContain('Test mode');
    expect((await renderPacketEmail(packet)).text).not.toContain('Test mode');
  });

  it('escapes the host’s and the guest’s text in markup and headers', async () => {
    const evil = '<script>alert(1)</script>\r\nBcc: everyone@example.com';
    const { subject, html } = await renderPacketEmail({
      ...packet,
      property_name: evil,
      guest_name: evil,
      welcome_message: evil,
      logo_url: 'javascript:alert(1)',
      brand_color: '"><script>',
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<script|javascript:/);
    expect(html).toContain('&lt;script&gt;');
  });
});

it('the one-time code is in the subject and in the text', async () => {
  const { subject, text } = await renderOneTimeCodeEmail({ ...guest, code: '048213', expires_in_minutes: 10 });
  expect(subject).toContain('048213');
  expect(text).toContain('048213');
});

it.each([
  ['a\r\nb', 'a b'],
  [' a\u2028b\u0000 c ', 'a b c'],
  ['plain', 'plain'],
])('the header text %j is normalized to %j', (text, expected) => {
  expect(toSingleLineMailHeader(text)).toBe(expected);
});
