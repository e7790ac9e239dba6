import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countNightsBetween, formatDay, formatInstant, formatMoney } from '@/shared/guest-text/format';
import { maskEmailAddress, maskGuestName } from '@/shared/guest-text/mask';
import { isCompleteImage } from './assets/whole-picture';
import { splitTextAtLinks } from './linkify';
import { estimateReadingMinutes } from './reading-time';
import { samplePacketView } from './testing/models';

describe('maskGuestName', () => {
  it.each([
    ['Ada Lovelace', 'A••• L•••'],
    ['  Ada   King  Lovelace ', 'A••• L•••'],
    ['Cher', 'C•••'],
    ['Émile Zola', 'É••• Z•••'],
    ['李 小龙', '李••• 小•••'],
    ['👩‍🚀 Ride', '👩‍🚀••• R•••'],
    ['', '•••'],
  ])('%j is shown as %j', (name, masked) => {
    expect(maskGuestName(name)).toBe(masked);
  });

  it('does not reveal the length of a name', () => {
    expect(maskGuestName('Al Bo')).toBe(maskGuestName('Alexandrina Bonaventura'));
  });

  it('reveals at most two letters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]*$/), (name) => maskGuestName(name).replace(/[• ]/g, '').length <= 2),
    );
  });
});

describe('maskEmailAddress', () => {
  it.each([
    ['ada@example.com', 'a•••@example.com'],
    ['a@example.com', 'a•••@example.com'],
    ['"x@y"@example.com', '"•••@example.com'],
    ['nonsense', '•••'],
    ['@example.com', '•••'],
  ])('%j is shown as %j', (email, masked) => {
    expect(maskEmailAddress(email)).toBe(masked);
  });
});

describe('formatMoney', () => {
  it.each([
    [5000, 'USD', 'en', '$50'],
    [5050, 'USD', 'en', '$50.50'],
    [0, 'EUR', 'en', '€0'],
    [5000, 'JPY', 'en', '¥5,000'],
    [12345, 'EUR', 'de', '123,45\u00a0€'],
    [1500, 'KWD', 'en', 'KWD\u00a01.500'],
    [999, 'not a currency', 'en', '9.99 not a currency'],
  ] as const)('%i %s in %s is %s', (amount, currency, locale, expected) => {
    expect(formatMoney(amount, currency, locale)).toBe(expected);
  });
});

describe('days and instants', () => {
  it('a calendar day does not depend on the time zone', () => {
    expect(formatDay('2026-07-03', 'en', 'long')).toBe('July 3, 2026');
    expect(formatDay('2026-12-31', 'de', 'long')).toBe('31. Dezember 2026');
  });

  it('text that is not a day is returned unchanged', () => {
    expect(formatDay('soon', 'en')).toBe('soon');
  });

  it('an instant is shown with its time zone, and in UTC for an unknown zone', () => {
    expect(formatInstant('2026-06-20T14:32:10Z', 'en', 'Europe/Berlin')).toContain('04:32 PM GMT+2');
    expect(formatInstant('2026-06-20T14:32:10Z', 'en', 'Mars/Olympus')).toContain('02:32 PM UTC');
  });

  it.each([
    ['2026-07-03', '2026-07-07', 4],
    ['2026-03-28', '2026-03-30', 2],
    ['2026-07-03', '2026-07-01', 0],
    ['x', 'y', 0],
  ])('from %s to %s there are %i nights', (from, to, nights) => {
    expect(countNightsBetween(from, to)).toBe(nights);
  });
});

describe('linkify', () => {
  const links = (text: string) => splitTextAtLinks(text).flatMap((part) => (part.kind === 'link' ? [part.href] : []));

  it.each([
    ['See https://example.com/a.', ['https://example.com/a']],
    ['(https://example.com/a)', ['https://example.com/a']],
    ['https://example.com/a_(b)', ['https://example.com/a_(b)']],
    ['http://example.com, https://b.example!', ['http://example.com/', 'https://b.example/']],
    ['javascript:alert(1) data:text/html,x', []],
    ['https://bank.example@evil.example', []],
    ['https://', []],
    ['xhttps://example.com', []],
  ])('in %j finds %j', (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it('preserves every character of the text', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('https://a.example/x', ' ', '.', ')', 'http://'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const parts = splitTextAtLinks(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts) if (part.kind === 'link') expect(part.href).toMatch(/^https?:\/\//);
      }),
    );
  });
});

describe('estimateReadingMinutes', () => {
  it('returns two for a short packet, and more for a longer one', () => {
    expect(estimateReadingMinutes(samplePacketView)).toBe(2);
    const long = { ...samplePacketView, welcome_message: 'word '.repeat(1_000) };
    expect(estimateReadingMinutes(long)).toBe(6);
  });
});

describe('isCompleteImage', () => {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const picture = () => sharp({ create: { width: 96, height: 64, channels: 3, background: '#000', noise } });
  it.each([
    [
      'JPEG',
      () =>
        picture()
          .jpeg()
          .withExif({ IFD0: { Make: 'Camera' } }),
    ],
    ['progressive JPEG', () => picture().jpeg({ progressive: true })],
    ['PNG', () => picture().png()],
    ['WebP', () => picture().webp()],
  ])('accepts a complete %s, even with appended bytes, and rejects it truncated at any byte', async (_, make) => {
    const file = new Uint8Array(await make().toBuffer());
    expect(isCompleteImage(file)).toBe(true);
    expect(isCompleteImage(new Uint8Array([...file, 1, 2, 3, 0xff]))).toBe(true);
    // Files of fewer than 12 bytes are left out. Their format cannot be identified, and no browser
    // decodes them.
    const ends = Array.from({ length: file.length - 12 }, (_, at) => at + 12);
    expect(ends.filter((end) => isCompleteImage(file.subarray(0, end)))).toEqual([]);
  });

  it('never throws, whatever the bytes', () => {
    const starts = fc.constantFrom([0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47], [0x52, 0x49, 0x46, 0x46], []);
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        expect(typeof isCompleteImage(new Uint8Array([...start, ...rest]))).toBe('boolean');
      }),
    );
  });
});
