import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FICTITIOUS_CHANNEL_DOMAINS } from '../testing/channel-domains';
import { checkDkimAlignment } from './authentication.rules';
import { extractReservationFromMail } from './extractors/extract';
import { parseGmailForwardingConfirmation } from './gmail-confirmation';
import { htmlToText } from './html-text';
import { MAX_MAIL_BYTES } from './limits';
import { type ForwardedMail, parseForwardedMail } from './parse-forwarded';

const folder = new URL('../fixtures/mail/', import.meta.url);
const OWN = { senders: ['no-reply@threshold.example'], inbound_domain: 'in.threshold.example' };
const TRUSTED = 'mx.threshold.example';

async function read(name: string): Promise<ForwardedMail> {
  const parsed = await parseForwardedMail(new Uint8Array(readFileSync(new URL(`${name}.eml`, folder))), OWN);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.mail;
}

/** Returns a mail's facts in a short form, for readable test tables. */
async function facts(name: string) {
  const mail = await read(name);
  const found = extractReservationFromMail(mail.original, FICTITIOUS_CHANNEL_DOMAINS);
  return {
    how: `${mail.forwarding} ${found.channel ?? 'no channel'} ${found.intent}`,
    who: [found.guest_name, found.guest_email, found.relay_address ? 'relay' : ''].filter(Boolean).join(' '),
    stay: found.checkin_date
      ? `${found.checkin_date}→${found.checkout_date}`
      : found.ambiguous_dates
        ? 'ambiguous'
        : '',
    code: found.reservation_code,
  };
}

const RESERVATIONS: Record<string, [how: string, who: string, stay: string, code: string | null]> = {
  'channel-a-en-redirected': ['redirected channel_a confirmation', 'Jane Doe', '2026-06-12→2026-06-15', 'HMABCD2345'],
  'channel-a-en-text-only': ['redirected channel_a confirmation', 'Jane Doe', '2026-06-12→2026-06-15', 'HMTEXT0001'],
  'channel-a-checkin-only': ['redirected channel_a confirmation', 'Jane Doe', '2026-06-12→null', 'HMONLY0001'],
  'channel-a-march-or-tuesday': ['redirected channel_a confirmation', 'Jane Doe', 'ambiguous', 'HMMARTUE01'],
  'channel-a-fr-gmail-inline': [
    'inline channel_a confirmation',
    'Chloé Lefèvre',
    '2026-12-28→2027-01-02',
    'HMFRAB1234',
  ],
  'channel-a-de-outlook-html': ['inline channel_a confirmation', 'Jürgen Weiß', '2026-06-12→2026-06-15', 'HMDEAB9876'],
  'channel-a-es-apple-inline': [
    'inline channel_a confirmation',
    'María José Núñez',
    '2026-06-12→2026-06-15',
    'HMESAB5555',
  ],
  'channel-a-en-attached': ['attached channel_a confirmation', 'Kim Lee', '2026-07-01→2026-07-04', 'HMATTACH99'],
  'channel-a-inquiry': ['redirected channel_a other', '', '2026-06-12→2026-06-15', null],
  'channel-a-spoofed': ['redirected channel_a confirmation', 'Mallory', '2026-06-12→2026-06-15', 'HMSPOOF001'],
  'channel-b-en-redirected': [
    'redirected channel_b confirmation',
    'Jane Doe jane-doe-9f3k@messages.channel-b.example relay',
    '2026-06-01→2026-06-05',
    'HA-Q2W3E4',
  ],
  'channel-b-fr-gmail-inline': [
    'inline channel_b confirmation',
    'Chloé Lefèvre c.lefevre-77@messages.channel-b.example relay',
    '2026-06-01→2026-06-05',
    'HA-FR7788',
  ],
  'channel-b-new-year': ['redirected channel_b confirmation', 'Max Roe', '2026-12-29→2027-01-03', 'HA-NEWYR1'],
  'channel-c-en-redirected': [
    'redirected channel_c confirmation',
    'Ada Smith asmith.482193@guest.channel-c.example relay',
    '2026-06-12→2026-06-14',
    '3456789012',
  ],
  'channel-c-it-outlook-inline': [
    'inline channel_c confirmation',
    'Giulia Rossi grossi.111@guest.channel-c.example relay',
    '2026-04-03→2026-04-07',
    '4567890123',
  ],
  'channel-c-nl-redirected': [
    'redirected channel_c confirmation',
    'Sanne de Vries sdevries.9@guest.channel-c.example relay',
    '2026-06-12→2026-06-14',
    '5678901234',
  ],
  'channel-c-cancelled': ['redirected channel_c cancellation', 'Ada Smith', '2026-06-12→2026-06-14', '3456789012'],
  'form-en': ['redirected no channel confirmation', 'Jane Doe jane@example.com', '2026-06-12→2026-06-15', 'ABC-123'],
  'form-de': [
    'redirected no channel confirmation',
    'Jürgen Weiß juergen@example.com',
    '2026-06-12→2026-06-15',
    '2026-0042',
  ],
  'form-latin1': ['redirected no channel confirmation', 'Zoë Müller zoe@example.com', '2026-04-03→2026-04-07', null],
  'form-ambiguous': ['redirected no channel confirmation', 'Jane Doe jane@example.com', 'ambiguous', null],
  'form-ambiguous-en-us': [
    'redirected no channel confirmation',
    'Jane Doe jane@example.com',
    '2026-03-04→2026-03-07',
    null,
  ],
  'form-proven-order': ['redirected no channel confirmation', 'Jane Doe', '2026-04-03→2026-04-15', null],
  'form-channel-line': ['redirected channel_b other', 'Jane Doe jane@example.com', '2026-06-12→2026-06-15', null],
  newsletter: ['redirected no channel other', '', '', null],
};
const OTHERS = [
  'gmail-forwarding-confirmation',
  'gmail-confirmation-faked',
  'gmail-confirmation-foreign-link',
  'out-of-office',
  'bounce',
  'loop',
  'delivered-twice',
  'no-message-id',
];

describe('the sample mails', () => {
  it('each have a row in the table, and each row has a file', () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.eml$/, ''));
    expect(files.sort()).toEqual([...Object.keys(RESERVATIONS), ...OTHERS].sort());
  });
  it.each(Object.entries(RESERVATIONS))(
    'include %s, which is read as expected',
    async (name, [how, who, stay, code]) => {
      expect(await facts(name)).toEqual({ how, who, stay, code });
    },
  );
});

describe('a mail whose text and HTML differ', () => {
  const stays = async (...bodies: string[]) => {
    const texts = bodies.map((body) => `Check-in: ${body}`);
    const original = { ...(await read('channel-a-en-redirected')).original, texts };
    const { checkin_date, checkout_date, readings, ambiguous_dates } = extractReservationFromMail(
      original,
      FICTITIOUS_CHANNEL_DOMAINS,
    );
    return { read: `${checkin_date}→${checkout_date}`, ambiguous_dates, readings };
  };
  it('is ambiguous when they give different stays', async () => {
    expect(await stays('12 June 2026\nCheckout: 15 June 2026', '13 June 2026\nCheckout: 15 June 2026')).toEqual({
      read: 'null→null',
      ambiguous_dates: true,
      readings: [
        { checkin_date: '2026-06-12', checkout_date: '2026-06-15' },
        { checkin_date: '2026-06-13', checkout_date: '2026-06-15' },
      ],
    });
  });
  it('is read when one of them is less specific', async () => {
    const whole = { read: '2026-06-12→2026-06-15', ambiguous_dates: false, readings: [] };
    expect(await stays('12 June 2026', '12 June 2026\nCheckout: 15 June 2026')).toEqual(whole);
    const numbers = '06/07/2026\nCheckout: 08/07/2026';
    expect((await stays(numbers)).readings).toHaveLength(2);
    expect((await stays(numbers, '6 July 2026\nCheckout: 8 July 2026')).read).toBe('2026-07-06→2026-07-08');
  });
});

describe('a message', () => {
  it('keeps an inner mail and drops attachments', async () => {
    const mail = await read('channel-a-en-attached');
    expect(mail.attachments_dropped).toBe(1);
    expect(mail.from?.address).toBe('hanna@host.example');
    expect(mail.original.from?.address).toBe('automated@channel-a.example');
    expect(mail.message_id).toBe('fwd-4@host.example');
  });
  it('is read after an attachment of any size, up to a maximum length', async () => {
    const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;
    const headers = 'From: a@a.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
    const attached = part('Content-Type: image/png\r\nContent-Disposition: attachment', 'QUJD\r\n'.repeat(100_000));
    const text = (lines: number) =>
      part('Content-Type: text/plain', `${'a line of it\r\n'.repeat(lines)}the end of it`);
    const readLines = (lines: number) =>
      parseForwardedMail(new Uint8Array(Buffer.from(`${headers}${attached}${text(lines)}--b--\r\n`)), OWN);

    const honest = await readLines(5_000);
    expect(honest).toMatchObject({ ok: true, mail: { attachments_dropped: 1 } });
    expect(honest.ok && honest.mail.original.texts[0]).toContain('the end of it');
    expect(Buffer.from(honest.kept).toString()).not.toContain('QUJD');

    const endless = await readLines(100_000);
    expect(endless.ok && endless.mail.original.texts[0]).toMatch(/a line of it$/);
    expect(Buffer.from(endless.kept).toString().split('\n').length).toBeLessThanOrEqual(20_001);
  });
  it('without a Message-ID is identified by its bytes', async () => {
    const [first, second] = [await read('no-message-id'), await read('no-message-id')];
    expect(first.message_id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second.message_id).toBe(first.message_id);
  });
  it('that is an automatic reply, a bounce or a loop is distinguished from a confirmation', async () => {
    const flags = async (name: string) => {
      const { auto_submitted, bounce, loop } = await read(name);
      return { auto_submitted, bounce, loop };
    };
    expect(await flags('out-of-office')).toEqual({ auto_submitted: 'replied', bounce: false, loop: false });
    expect(await flags('bounce')).toEqual({ auto_submitted: 'no', bounce: true, loop: false });
    expect(await flags('loop')).toEqual({ auto_submitted: 'no', bounce: false, loop: true });
    expect(await flags('delivered-twice')).toEqual({ auto_submitted: 'no', bounce: false, loop: true });
    expect(await flags('channel-a-en-redirected')).toEqual({ auto_submitted: 'generated', bounce: false, loop: false });
  });
  it.each(['CONFIRMED', 'CONFIRMADA', '3 nights'])('with “%s” in place of a booking code has no code', async (word) => {
    const original = {
      ...(await read('form-en')).original,
      texts: [`Booking: ${word}\nReserva: ${word}\nBuchung: ${word}`],
    };
    expect(extractReservationFromMail(original, FICTITIOUS_CHANNEL_DOMAINS).reservation_code).toBeNull();
  });
  it('of more than 10 MiB is rejected', async () => {
    const parsed = await parseForwardedMail(new Uint8Array(MAX_MAIL_BYTES + 1), OWN);
    expect(parsed).toMatchObject({ ok: false, reason: 'too_large' });
  });
  it('with a NUL or half a character in an encoded subject can be stored', async () => {
    const long = Buffer.from(`${'a'.repeat(499)}😀`).toString('base64');
    for (const word of ['=?utf-8?Q?Booking=00_by_phone?=', `=?utf-8?B?${long}?=`]) {
      const raw = `From: "=?utf-8?Q?A=00da?=" <ada@host.example>\r\nSubject: ${word}\r\n\r\nHello`;
      const parsed = await parseForwardedMail(new TextEncoder().encode(raw), OWN);
      expect(parsed.ok).toBe(true);
      const stored = JSON.stringify(parsed);
      expect(stored).not.toContain('\\u0000');
      expect(stored).not.toMatch(/\\ud83d/);
    }
  });
  it('of arbitrary bytes never makes the reader throw', async () => {
    const source = readFileSync(new URL('channel-b-fr-gmail-inline.eml', folder), 'utf8');
    const mangled = fc
      .array(
        fc.record({ at: fc.nat(source.length), cut: fc.nat(30), put: fc.string({ unit: 'binary', maxLength: 6 }) }),
        {
          maxLength: 5,
        },
      )
      .map((edits) => edits.reduce((text, e) => text.slice(0, e.at) + e.put + text.slice(e.at + e.cut), source));
    const bytes = fc.oneof(
      mangled.map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 400 }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (raw) => {
        const parsed = await parseForwardedMail(raw, OWN);
        if (!parsed.ok) return parsed.message_id.startsWith('sha256:');
        const found = extractReservationFromMail(parsed.mail.original, FICTITIOUS_CHANNEL_DOMAINS);
        const real = [found, ...found.readings].every(
          ({ checkin_date, checkout_date }) => !checkin_date || !checkout_date || checkin_date < checkout_date,
        );
        return real && JSON.stringify([parsed.mail, found]).includes('\\u0000') === false;
      }),
      { numRuns: 300 },
    );
  });
});

describe('Gmail’s forwarding confirmation', () => {
  it('is recognised with its link, code and mailbox', async () => {
    expect(parseGmailForwardingConfirmation(await read('gmail-forwarding-confirmation'))).toEqual({
      provider: 'gmail',
      link: 'https://mail-settings.google.com/mail/vf-%5BANGjdJ8-abc%5D-xyz_123',
      code: '123456789',
      mailbox: 'hanna@host.example',
    });
  });
  it('is rejected from another domain, and loses a link to another site', async () => {
    expect(parseGmailForwardingConfirmation(await read('gmail-confirmation-faked'))).toBeNull();
    expect(parseGmailForwardingConfirmation(await read('gmail-confirmation-foreign-link'))).toMatchObject({
      link: null,
    });
    expect(parseGmailForwardingConfirmation(await read('channel-a-en-redirected'))).toBeNull();
  });
});

describe('DKIM', () => {
  const verdict = async (name: string, trusted: string | null = TRUSTED) => {
    const mail = await read(name);
    const domain = mail.from?.address.split('@').at(-1) ?? null;
    return checkDkimAlignment(
      mail.authentication_results,
      trusted,
      domain,
      Object.values(FICTITIOUS_CHANNEL_DOMAINS).flat(),
    );
  };
  it('of a channel is aligned, also with its subdomains', async () => {
    expect(await verdict('channel-a-en-redirected')).toEqual({ aligned: true, domain: 'channel-a.example' });
    expect(await verdict('channel-b-en-redirected')).toEqual({ aligned: true, domain: 'messages.channel-b.example' });
  });
  it('of another domain is not aligned, nor are headers added by the sender', async () => {
    expect(await verdict('channel-a-spoofed')).toEqual({ aligned: false, reason: 'other_domain' });
  });
  it('counts only when verified by the trusted server', async () => {
    expect(await verdict('channel-a-en-redirected', 'mx.other.example')).toEqual({
      aligned: false,
      reason: 'no_trusted_result',
    });
    expect(await verdict('channel-a-en-redirected', null)).toEqual({ aligned: false, reason: 'no_trusted_result' });
    expect(await verdict('form-en')).toEqual({ aligned: false, reason: 'no_trusted_result' });
  });
});

describe('HTML converted to text', () => {
  it('keeps rows and cells separate and drops invisible content', () => {
    const html =
      '<style>a{}</style><table><tr><td>A</td><td>B&nbsp;&amp;&#8211;C</td></tr></table><p>x<br>y</p><!-- no -->3 < 5';
    expect(htmlToText(html).text.split('\n').filter(Boolean)).toEqual(['A\tB &–C', 'x', 'y', '3 < 5']);
  });
  it.each(['<', '<a ', '<!--', '<style>', '&#', '<td>'])('takes linear time for a megabyte of %s', (piece) => {
    // A backtracking parser would exceed the test's time limit here.
    expect(htmlToText(piece.repeat(Math.floor(1_000_000 / piece.length))).links).toEqual([]);
  });
});
