/**
 * Tests every parser of untrusted input with texts that are designed to be slow. A text of maximum
 * length may take at most 2.6 times as long as a text of half that length.
 * (regular-expressions.test.ts checks each pattern separately.)
 */
import { describe, expect, it } from 'vitest';
import { validateAndNormalizeOutboundUrl } from '@/infra/outbound/url';
import { parseApiKey, parseAuthorizationHeader } from '@/modules/api-keys/rules';
import { readMailRecipientAddresses } from '@/modules/forwarded-mail/http';
import { extractReservationFromMail } from '@/modules/forwarded-mail/mail/extractors/extract';
import { parseGmailForwardingConfirmation } from '@/modules/forwarded-mail/mail/gmail-confirmation';
import { htmlToText, normalizeWhitespace } from '@/modules/forwarded-mail/mail/html-text';
import { MAX_MAIL_PART_TEXT_LENGTH } from '@/modules/forwarded-mail/mail/limits';
import type { ForwardedMail } from '@/modules/forwarded-mail/mail/parse-forwarded';
import { unwrapInlineOriginalMail } from '@/modules/forwarded-mail/mail/unwrap';
import { canTrackingPixelRequestBeAutomated } from '@/modules/mail/rules/opens.rules';
import { isSignedByMailProvider } from '@/modules/mail/rules/provider-signature.rules';
import { classifyFee } from '@/modules/packets/rules/fee-classes';
import { renderHouseRulesTextForListing } from '@/modules/packets/rules/listing';
import { PropertyCreate } from '@/modules/properties/schemas';
import { MAX_IMPORT_TEXT_LENGTH } from '@/modules/reservations/import/file.rules';
import { parseReservationImport } from '@/modules/reservations/import/import.rules';
import { buildWordPrefixTsquery, splitSearchWords } from '@/modules/reservations/rules/search';
import { classifyFeedEntry } from '@/modules/sync-sources/feed/classify';
import { MAX_FEED_LINE_CHARACTERS } from '@/modules/sync-sources/feed/text';
import { executeParserJob } from '@/parser-worker/jobs';
import { assertEtagMatches } from '@/shared/etag';
import { chooseGuestPageLocale } from '@/shared/guest-text/locale';
import { maskGuestName } from '@/shared/guest-text/mask';
import { fillShortCodes, findUnknownShortCodes } from '@/shared/guest-text/short-codes';
import { getClientIpAddress } from '@/shared/ip';
import { EmailAddress } from '@/shared/schemas';
import { toStorableText } from '@/shared/text/storable-text';
import { parseEventDataPath as parseEngineKey } from '../../../inngest/engine/concurrency-key';
import { parseDurationMs, parseRetryAfter } from '../../../inngest/engine/timing';
import { readGuestReplyFromForm, readSignForm } from '../../guest/http/sign-form';
import { splitTextAtLinks } from '../../guest/linkify';
import { isGuestPagePath } from '../../http-entry/property-hosts';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '../sample';

const APART = 2.6;
/**
 * Times below this limit are accepted without a comparison. They do not delay other requests, and
 * the clock is too coarse to measure them.
 */
const HARMLESS_MS = 40;
const ROUNDS = 8;

type Read = (text: string) => unknown;

async function timeOf(read: Read, text: string): Promise<number> {
  // Measures processor time, because other processes share a busy machine.
  const started = process.cpuUsage();
  try {
    await read(text);
  } catch {
    // The parser may refuse the text.
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/**
 * Returns the ratio of the times for a text and for a text of half the length. Each time is the
 * shortest of several runs, because the machine may be busy. Returns 0 when the growth is
 * acceptable.
 */
async function apart(read: Read, make: (length: number) => string, length: number, harmless_ms: number) {
  const [half, full] = [make(Math.floor(length / 2)), make(length)];
  const least = { half: Number.POSITIVE_INFINITY, full: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    least.half = Math.min(least.half, await timeOf(read, half));
    least.full = Math.min(least.full, await timeOf(read, full));
    if (least.full < harmless_ms || least.full <= APART * least.half) return 0;
  }
  return least.full / least.half;
}

/**
 * Returns the growth of a parser's time, or 0 when the time is proportional to the length. A slow
 * parser is slow at every length, whereas garbage collection disturbs only some measurements. The
 * growth is therefore measured twice at the full length and twice at half the length, and the
 * smallest result counts.
 */
async function growth(read: Read, make: (length: number) => string, length: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const share of [1, 2, 1, 2]) {
    least = Math.min(least, await apart(read, make, length / share, HARMLESS_MS / share ** 2));
    if (least === 0) return 0;
  }
  return least;
}

const repeated = (unit: string, length: number) =>
  unit.repeat(Math.max(0, Math.ceil(length / unit.length))).slice(0, length);

/**
 * Inputs that make parsers slow: repetitions that two parts of a pattern can match, openings
 * without an end, ends without an opening.
 */
// biome-ignore format: one kind per line.
const UNITS = [
  ...['a', '0', ' ', '\t', '\u3000', '\n', '\r', '.', '-', '_', '/', '@', '%', '\\', '*', '#', '=', '&', '+', 'é', '🏠',],
  ...['"', "'", '(', ')', '[', ']', '{', '}', '<', '>', ';', ',', ':', '|'],
  ...['{{', '}}', '{{ ', '{{a ', '> ', '>> ', '< ', '<a ', '<a href="', '<!--', '<style>', '<td>', '&#', '&#1;', '("', '":',],
  ...['a@', 'a.', 'a@a.', '@a', '.a', 'a ', 'a b', ' a', ': ', 'a: ', 'A:\n', 'a=', '= ', '="', ';a=', ';A="', ',a', '1 ', '1.', '1/1/', '1-', '1 de ',],
  ...['http://', 'http://a ', 'https://a).', '4:', '4 :', 'HM', ' HM', '- ', ' - a', ' from ', ' de a:', ' at ', 'jan ', '1 jan ', 'wg:', 'fwd: ', '=?utf-8?q?a?= ',],
  ...['From: a@a.example\n', 'From:\n', 'Guest:\n', 'Guest:\t', '--b\n', '"x', "'a", 'a"', '"\n', '\r\n ', '(a', '127.0.0.1,', '[::1],', 'en;q=', 'en,', 'd1', '1d',]];
/** A selection of UNITS for parsers of long texts. */
// biome-ignore format: one kind per line.
const HEAVY_UNITS = [
  'a', ' ', '\t', '\u3000', '\n', '\r\n ', '>', '> ', '<', '< ', '<a href="', '<!--', '<style>', '<td>', '&#', '"', ': ', 'a: ', 'From: a@a.example\n', 'Guest:\n', 'Guest:\t', 'a@', 'a.', '1 jan ', '*',
];
const BEGINNINGS = ['', '{{', '"', 'a: '];
const ENDS = ['', '\u0000', '{', '!x'];

/**
 * Combines each unit with two pairs of a start and an end. Across four consecutive units, every
 * start and every end is used.
 */
function families(units: readonly string[] = UNITS): [name: string, make: (length: number) => string][] {
  return units.flatMap((unit, index) =>
    [0, 1].map((turn): [string, (length: number) => string] => {
      const [beginning, end] = [BEGINNINGS[(index + turn) % 4] ?? '', ENDS[(index + 2 * turn + 1) % 4] ?? ''];
      const name = JSON.stringify([beginning, unit, end]);
      return [name, (length) => beginning + repeated(unit, length - beginning.length - end.length) + end];
    }),
  );
}

const SHORT_CODE_VALUES = {
  guest_name: 'Ada',
  checkin_date: '2026-07-03',
  checkout_date: '2026-07-07',
  property_name: 'Loft',
  property_address: null,
};
const NOW = new Date('2026-05-01T12:00:00Z');
/** Node's limit for the request line and headers together. */
const HEADERS = 16 * 1024;
const FEED = { kind: 'channel_a_ical', time_zone: 'Europe/Lisbon', today: '2026-05-01' } as const;
const MAIL = {
  own: { senders: [], inbound_domain: 'in.example' },
  channel_domains: {
    channel_a: ['channel-a.example'],
    channel_b: ['channel-b.example'],
    channel_c: ['channel-c.example'],
  },
  authserv_id: 'mx.example',
};
const bytes = (text: string) => new TextEncoder().encode(text);
const signForm = (fields: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  readGuestReplyFromForm(body);
  return readSignForm(body, { photo_required: true, acceptances: [] });
};
const calendar = (lines: string) => {
  const text = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20260601\r\nDTEND;VALUE=DATE:20260603\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  return executeParserJob({ type: 'calendar', bytes: bytes(text), content_type: null, context: FEED });
};
/** Runs all parsers for the text of a mail. */
function readBody(text: string): void {
  const from = { name: '', address: 'forwarding-noreply@google.com' };
  const tidied = normalizeWhitespace(text);
  const original = {
    from,
    subject: 'x',
    texts: [tidied],
    links: [],
    date: null,
    dated: 'written' as const,
    language: null,
  };
  unwrapInlineOriginalMail(tidied);
  extractReservationFromMail(original, MAIL.channel_domains);
  parseGmailForwardingConfirmation({
    from,
    subject: 'x',
    original,
    forwarding: 'redirected',
  } as unknown as ForwardedMail);
}
const mail = (headers: string, body: string) =>
  executeParserJob({
    type: 'mail',
    raw: bytes(
      `From: a@channel-a.example\r\nSubject: Hi\r\nDate: Fri, 1 May 2026 10:00:00 +0000\r\n${headers}Content-Type: text/plain; charset=utf-8\r\n\r\n${body}`,
    ),
    ...MAIL,
  });

const NOTHING_KNOWN = {
  properties: [],
  channel_names: { channel_a: 'Airbnb', channel_b: 'Vrbo', channel_c: 'Booking.com' },
};
const READERS: [name: string, longest: number, read: Read][] = [
  ['short codes, found', 5_000, findUnknownShortCodes],
  ['short codes, filled in', 5_000, (text) => fillShortCodes(text, SHORT_CODE_VALUES, 'en')],
  ['links in a text', 5_000, splitTextAtLinks],
  ['a fee, classified', 620, (text) => classifyFee({ label: text.slice(0, 120), description: text.slice(120) })],
  [
    'rules for a listing',
    500,
    (text) =>
      renderHouseRulesTextForListing({
        rules: [{ id: 'r', text, category: text }],
        fees: [],
        currency: 'EUR',
        locale: 'en',
      }),
  ],
  [
    'a CSV of bookings',
    MAX_IMPORT_TEXT_LENGTH,
    (text) => parseReservationImport({ text, property_id: 'p', day_first: true }, NOTHING_KNOWN),
  ],
  [
    'a CSV’s cells',
    MAX_IMPORT_TEXT_LENGTH,
    (text) =>
      parseReservationImport(
        { text: `guest_name,checkin,checkout\n${text}`, property_id: 'p', day_first: true },
        NOTHING_KNOWN,
      ),
  ],
  ['a search', HEADERS, (text) => buildWordPrefixTsquery('team_1', splitSearchWords(text))],
  ['Accept-Language', HEADERS, (text) => chooseGuestPageLocale({ accept_language: text })],
  [
    'Authorization',
    HEADERS,
    (text) => [parseAuthorizationHeader(text), parseAuthorizationHeader(`Bearer ${text}`), parseApiKey(text)],
  ],
  ['X-Forwarded-For', HEADERS, (text) => getClientIpAddress('127.0.0.1', text, ['127.0.0.0/8', '::1'])],
  ['If-Match', HEADERS, (text) => assertEtagMatches(text, {})],
  [
    'User-Agent',
    HEADERS,
    (text) => canTrackingPixelRequestBeAutomated({ method: 'GET', user_agent: text, purpose: text }),
  ],
  ['a path', HEADERS, (text) => isGuestPagePath(`/sign/${text}`)],
  ['Retry-After', HEADERS, (text) => parseRetryAfter(text, NOW)],
  [
    'the provider’s signature',
    HEADERS,
    (text) =>
      isSignedByMailProvider(
        { id: 'a', timestamp: String(NOW.getTime() / 1000), signature: text, body: '' },
        'whsec_YQ==',
        NOW,
      ),
  ],
  [
    'a URL to call',
    100_000,
    (text) => [validateAndNormalizeOutboundUrl(text), validateAndNormalizeOutboundUrl(`https://${text}`)],
  ],
  ['an e-mail address', 100_000, (text) => EmailAddress.safeParse(text)],
  [
    'a custom domain',
    100_000,
    (text) => PropertyCreate.safeParse({ name: 'x', custom_domain: text, brand_color: text, logo_url: text }),
  ],
  ['a name, masked', 1_000, maskGuestName],
  ['text to be stored', 100_000, toStorableText],
  ['a key of the engine', 100_000, parseEngineKey],
  ['a duration of the engine', 100_000, parseDurationMs],
  [
    'a signing form’s name',
    100_000,
    (text) => signForm({ typed_name: text, otp_code: text, displayed_hash: text, locale: text }),
  ],
  [
    'a signing form’s pictures',
    400_000,
    (text) => signForm({ drawn_signature: `data:image/png;base64,${text}`, photo: `data:image/jpeg;base64,${text}` }),
  ],
  [
    'an event’s words',
    5_300,
    (text) =>
      classifyFeedEntry('channel_c_ical', text.slice(0, 300), text.slice(300), { tentative: false, free: false }),
  ],
  ['a feed’s line', MAX_FEED_LINE_CHARACTERS, (text) => calendar(`DESCRIPTION:${text}`)],
  ['a feed’s line of parameters', MAX_FEED_LINE_CHARACTERS, (text) => calendar(`X-A;${text}:x`)],
  ['a mail’s text', MAX_MAIL_PART_TEXT_LENGTH, readBody],
  ['a mail’s HTML', MAX_MAIL_PART_TEXT_LENGTH, (text) => readBody(htmlToText(text).text)],
  ['a mail’s subject', 100_000, (text) => mail(`Subject: New booking - ${text.replace(/[\r\n]/g, ' ')}\r\n`, '')],
  [
    'a mail’s verdict on DKIM',
    100_000,
    (text) => mail(`Authentication-Results: mx.example; ${text.replace(/[\r\n]/g, ' ')}\r\n`, ''),
  ],
  ['a mail’s recipients', 256 * 1024, (text) => readMailRecipientAddresses(bytes(`To: ${text}\r\n\r\n`))],
];

/** Complete files of maximum size that need much work: many events, lines or parts. */
const day = (offset: number) => new Date(Date.UTC(2026, 5, 1 + offset)).toISOString().slice(0, 10).replaceAll('-', '');
const events = (count: number, event: (n: number) => string) => {
  const list = Array.from({ length: count }, (_, n) => `BEGIN:VEVENT\n${event(n)}\nEND:VEVENT`);
  return `BEGIN:VCALENDAR\n${list.join('\n')}\nEND:VCALENDAR\n`;
};
const stay = (n: number, from: number, nights = 2) =>
  `UID:${n}\nDTSTART;VALUE=DATE:${day(from)}\nDTEND;VALUE=DATE:${day(from + nights)}\nSUMMARY:Reserved`;
const inCalendar = (unit: string) => (size: number) =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${stay(1, 1)}\n${repeated(unit, size)}\nEND:VEVENT\nEND:VCALENDAR\n`;
const parts = (unit: string) => (size: number) =>
  `From: a@a.example\nContent-Type: multipart/mixed; boundary=b\n\n${repeated(unit, size)}\n--b--\n`;
const readFeedText: Read = (text) =>
  executeParserJob({ type: 'calendar', bytes: bytes(text), content_type: null, context: FEED });
const readMailText: Read = (text) => executeParserJob({ type: 'mail', raw: bytes(text), ...MAIL });

const FILES: [name: string, size: number, read: Read, make: (size: number) => string][] = [
  ['events with one UID, one after the other', 10_000, readFeedText, (size) => events(size, (n) => stay(1, 2 * n))],
  ['events with one UID, on the same days', 10_000, readFeedText, (size) => events(size, () => stay(1, 1))],
  ['events that repeat', 10_000, readFeedText, (size) => events(size, (n) => `${stay(n, n)}\nRRULE:FREQ=DAILY`)],
  [
    'events with dates left out',
    10_000,
    readFeedText,
    (size) => events(size, (n) => `${stay(n, n)}\nEXDATE:${'20260601,'.repeat(20)}20260601`),
  ],
  [
    'events that replace an occurrence',
    10_000,
    readFeedText,
    (size) => events(size, (n) => `${stay(1, n)}\nRECURRENCE-ID:${day(n)}`),
  ],
  ...[
    'X:1\n',
    '\n',
    ' \n',
    ' a\n',
    'BEGIN:X\n',
    'BEGIN:VEVENT\n',
    'END:VCALENDAR\n',
    'X;A="\n',
    'EXDATE:20260601\n',
    'RRULE:FREQ=DAILY\n',
    'a',
    '\\n',
    '\\,',
    '\u3000',
  ].map((unit): [string, number, Read, (size: number) => string] => [
    `an event of ${JSON.stringify(unit)}`,
    2_500_000,
    readFeedText,
    inCalendar(unit),
  ]),
  ...[
    '\n',
    '--b\n\n',
    '--b\n',
    '--b\nContent-Type: message/rfc822\n\n',
    '--b\nContent-Type: text/html\n\n<p>\n',
    '--b\nContent-Type: application/octet-stream; name=a.eml\nContent-Transfer-Encoding: base64\n\nRnJvbTogYUBhLmEK\n',
    '--b\nContent-Type: multipart/mixed; boundary=b\n\n',
    'a',
  ].map((unit): [string, number, Read, (size: number) => string] => [
    `a mail of ${JSON.stringify(unit)}`,
    2_500_000,
    readMailText,
    parts(unit),
  ]),
  ...[
    'To: a@a.example, ',
    'To: "a" <a@a.example>\n',
    'To: ((',
    'Subject: =?utf-8?q?a?= \n =?utf-8?q?a?= ',
    'Content-Type: text/plain; a*0=a; a*1=a\n',
    'Content-Type: a; a*0=',
    ' a\n',
    'A\n',
  ].map((unit): [string, number, Read, (size: number) => string] => [
    `a mail’s headers of ${JSON.stringify(unit)}`,
    120_000,
    readMailText,
    (size) => `From: a@a.example\n${repeated(unit, size)}\n\nHi`,
  ]),
];

describe('a reader runs in linear time', () => {
  it.each(READERS)('%s', MATRIX_TEST_OPTIONS, async (_name, longest, reader) => {
    const slow: string[] = [];
    // Parsers of long texts get only the selected inputs, because one long text takes longer than
    // all inputs for a parser of short texts.
    const fewer = longest >= MAX_MAIL_PART_TEXT_LENGTH ? HEAVY_UNITS : UNITS;
    for (const [family, make] of selectSampledCases(families(fewer))) {
      const grown = await growth(reader, make, longest);
      if (grown > APART) slow.push(`${family} ${grown.toFixed(1)}`);
    }
    expect(slow).toEqual([]);
  });

  it.each(selectSampledCases(FILES))('%s', MATRIX_TEST_OPTIONS, async (_name, size, reader, make) => {
    expect(await growth(reader, make, size)).toBeLessThanOrEqual(APART);
  });

  it('detects a reader that searches for the end from every start', async () => {
    const make = (length: number) => `${' '.repeat(length)}x`;
    expect(await apart((text) => / +$/.test(text), make, 20_000, HARMLESS_MS)).toBeGreaterThan(APART);
  });
});
