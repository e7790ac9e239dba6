/**
 * Tests the splitting of a feed's bytes into events: character sets, files that are not calendars,
 * line folds, and events with a malformed marker.
 */

import { describe, expect, it } from 'vitest';
import { createRefusal } from '@/shared/refusals/refusal';
import {
  decodeFeed,
  type FeedFailureReason,
  MAX_FEED_BYTES,
  MAX_FEED_LINE_CHARACTERS,
  splitFeedIntoEvents,
} from './text';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));
const open = (...lines: string[]) => {
  const opened = splitFeedIntoEvents(bytes(lines.join('\r\n')));
  if (!opened.ok) throw new Error(opened.reason);
  return opened;
};
const calendar = (...lines: string[]) => open('BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR');
const DAYS = ['DTSTART:20260601', 'DTEND:20260603'];

describe('decoding', () => {
  it.each<[string, Uint8Array, string | null, string]>([
    ['honours a UTF-8 byte order mark', bytes('\ufeffë'), null, 'ë'],
    ['honours two UTF-8 byte order marks', bytes('\ufeff\ufeffë'), null, 'ë'],
    [
      'honours a little-endian UTF-16 byte order mark',
      bytes('\ufeffë', 'utf16le'),
      'text/calendar; charset=utf-8',
      'ë',
    ],
    ['honours a big-endian UTF-16 byte order mark', Uint8Array.of(0xfe, 0xff, 0, 0xeb), null, 'ë'],
    ['prefers valid UTF-8 to the declared charset', bytes('ë'), 'text/calendar; charset=iso-8859-1', 'ë'],
    ['uses the declared charset in quotes', Uint8Array.of(0xe0, 0xe8), 'text/calendar; CHARSET = "windows-1251"', 'аи'],
    ['falls back to windows-1252 when no charset is declared', Uint8Array.of(0x80), null, '€'],
    [
      'falls back to windows-1252 when UTF-8 is declared wrongly',
      Uint8Array.of(0x80),
      'text/calendar; charset=UTF-8',
      '€',
    ],
    [
      'falls back to windows-1252 when utf8 is declared wrongly',
      Uint8Array.of(0x80),
      'text/calendar; charset=utf8',
      '€',
    ],
    [
      'falls back to windows-1252 when the declared charset is unknown',
      Uint8Array.of(0x80),
      'text/calendar; charset=x-none',
      '€',
    ],
    ['uses the declared charset without quotes', Uint8Array.of(0xe0, 0xe8), 'text/calendar;charset=windows-1251', 'аи'],
    ['does not take 0xFE after a letter for a byte order mark', Uint8Array.of(0x41, 0xfe), null, 'Aþ'],
    ['does not take 0xFF after a letter for a byte order mark', Uint8Array.of(0x41, 0xff), null, 'Aÿ'],
    ['keeps a byte order mark inside the text', bytes('a\ufeffë'), null, 'a\ufeffë'],
    ['does not take the first half of a byte order mark for one', Uint8Array.of(0xff, 0x41), null, 'ÿA'],
    ['does not take the second half of a byte order mark for one', Uint8Array.of(0xfe, 0x41), null, 'þA'],
    ['drops a character that the end of the file cuts off', bytes('aë').subarray(0, 2), null, 'a'],
    ['removes control characters from ASCII', bytes('a\u0000b\u007f\tc\r\nd'), null, 'ab\tc\r\nd'],
    ['removes control characters from UTF-8', bytes('ë\u0001\u000b\u001f\te'), null, 'ë\te'],
  ])('%s', (_name, given, type, text) => {
    expect(decodeFeed(given, type)).toBe(text);
  });

  it('reads only the given part of a larger buffer', () => {
    expect(decodeFeed(bytes('xxabyy').subarray(2, 4), null)).toBe('ab');
    const folded = Buffer.from('xxë');
    const split = new Uint8Array(Buffer.concat([folded.subarray(0, 3), Buffer.from('\n '), folded.subarray(3)]));
    expect(decodeFeed(split.subarray(2), null)).toBe('ë');
  });
});

describe('opening a feed', () => {
  it.each<[string, FeedFailureReason]>([
    ['', 'empty_body'],
    [' \n', 'empty_body'],
    ['x', 'empty_body'],
    ['placeholder', 'placeholder'],
    [' "Placeholder". ', 'placeholder'],
    ['a placeholder', 'not_a_calendar'],
    ['placeholders', 'not_a_calendar'],
    ['<!DOCTYPE   html><p>', 'html'],
    ['\n<html lang="de">', 'html'],
    ['<head>', 'html'],
    ['<body>', 'html'],
    ['<?xml version="1.0"?>', 'html'],
    ['<!-- a page -->', 'html'],
    ['see <html>', 'not_a_calendar'],
    ['{"error":"no"}', 'not_a_calendar'],
    ['X-BEGIN:VCALENDAR', 'not_a_calendar'],
    ['BEGIN:VCALENDARS', 'not_a_calendar'],
  ])('%j fails with %s', (text, reason) => {
    expect(splitFeedIntoEvents(bytes(text))).toEqual({
      ok: false,
      reason,
      message: createRefusal(`calendar.${reason}`),
      excerpt: text.trim(),
    });
  });

  it.each(['BEGIN:VCALENDAR', ' begin:vcalendar \r\nEND:VCALENDAR', 'Hello\nBEGIN:VCALENDAR\t'])(
    '%j is accepted as a calendar',
    (text) => {
      expect(splitFeedIntoEvents(bytes(text)).ok).toBe(true);
    },
  );

  it('rejects more than 5 MiB and more than 10,000 events, complete or not', () => {
    expect(splitFeedIntoEvents(new Uint8Array(MAX_FEED_BYTES + 1))).toMatchObject({ reason: 'too_large', excerpt: '' });
    expect(splitFeedIntoEvents(new Uint8Array(MAX_FEED_BYTES))).toMatchObject({ reason: 'empty_body' });
    const events = (count: number, ...more: string[]) => [
      'BEGIN:VCALENDAR',
      ...Array(count).fill('BEGIN:VEVENT\nEND:VEVENT'),
      ...more,
    ];
    expect(splitFeedIntoEvents(bytes(events(9_999, 'BEGIN:VEVENT').join('\n'))).ok).toBe(true);
    expect(splitFeedIntoEvents(bytes(events(10_000, 'BEGIN:VEVENT').join('\n')))).toMatchObject({
      reason: 'too_many_events',
    });
  });

  it('returns an excerpt of 200 characters of a text that is not a calendar', () => {
    expect(splitFeedIntoEvents(bytes(` ${'x'.repeat(300)}`))).toMatchObject({ excerpt: 'x'.repeat(200) });
  });
});

describe('lines', () => {
  it.each([
    ['\r\n', ' '],
    ['\n', '\t'],
    ['\r', ' '],
  ])('that end with %j and fold with %j are unfolded', (end, fold) => {
    const text = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      `SUMMARY:a${end}${fold}b${end}${fold} c`,
      '',
      'END:VEVENT',
      'END:VCALENDAR',
    ];
    expect(splitFeedIntoEvents(bytes(text.join(end)))).toMatchObject({
      events: [['BEGIN:VEVENT', 'SUMMARY:ab c', 'END:VEVENT']],
    });
  });

  it('are cut at their maximum length, and events at their maximum number of lines', () => {
    const [event] = calendar(
      'BEGIN:VEVENT',
      `X:${'a'.repeat(MAX_FEED_LINE_CHARACTERS)}`,
      `Y:${'b'.repeat(MAX_FEED_LINE_CHARACTERS - 3)}`,
      ' cd',
      ' ef',
      'END:VEVENT',
    ).events;
    expect(event?.slice(1, -1).map((line) => line.length)).toEqual([
      MAX_FEED_LINE_CHARACTERS,
      MAX_FEED_LINE_CHARACTERS,
    ]);
    const long = calendar('BEGIN:VEVENT', ...Array(5_001).fill('X:a'), 'END:VEVENT');
    expect(long.events[0]).toHaveLength(5_002);
  });
});

describe('events', () => {
  const A = ['UID:a', ...DAYS];
  const B = ['UID:b', ...DAYS];
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

  it.each<[string, string[], string[], string[]]>([
    ['are separated', [...event(...A), ...event(...B)], ['a', 'b'], []],
    ['may begin and end in any case and with spaces', ['Begin: vevent ', ...A, ' end:VEVENT'], ['a'], []],
    ['with a letter missing in BEGIN:VEVENT are whole', ['BEGIN:VEVET', ...A, 'END:VEVENT'], ['a'], []],
    ['with two letters missing in END:VEVENT are whole', ['BEGIN:VEVENT', ...A, 'END:VENT'], ['a'], []],
    [
      'with three letters missing in END:VEVENT are broken',
      ['BEGIN:VEVENT', 'UID:a', 'END:VEV', ...event(...B)],
      ['b'],
      ['a'],
    ],
    ['without BEGIN are whole when they have both dates', [...A, 'END:VEVENT', ...event(...B)], ['a', 'b'], []],
    ['without END are whole when they have both dates', ['BEGIN:VEVENT', ...A, ...event(...B)], ['a', 'b'], []],
    ['without END at the end of the calendar are whole', ['BEGIN:VEVENT', ...A], ['a'], []],
    ['without BEGIN and without one of the dates are broken', ['UID:a', 'DTSTART:20260601', 'END:VEVENT'], [], ['a']],
    ['without END and without one of the dates are broken', ['BEGIN:VEVENT', 'UID:a', 'DTEND:20260603'], [], ['a']],
    ['without END but with two starts are broken', ['BEGIN:VEVENT', ...A, 'DTSTART:20260609'], [], ['a']],
    ['that lost the lines between them are broken', ['BEGIN:VEVENT', ...A, 'UID:b', 'END:VTODO'], [], ['a b']],
    [
      'exclude tasks and time zones',
      ['BEGIN:VTODO', ...A, 'END:VTODO', 'BEGIN:VTIMEZONE', 'TZID:x', 'END:VTIMEZONE'],
      [],
      [],
    ],
    ['exclude lines outside of events', ['X-NAME:a', 'DTSTART:20260601'], [], []],
    ['include a lone UID outside of events as broken', ['UID:a'], [], ['a']],
    ['with an alarm are one event', event(...A, 'BEGIN:VALARM', 'TRIGGER:x', 'END:VALARM'), ['a'], []],
    [
      'without BEGIN and with an alarm are one event',
      [...A, 'BEGIN:VALARM', 'X:y', 'END:VALARM', 'END:VEVENT'],
      ['a'],
      [],
    ],
    ['after a broken BEGIN line are whole', ['DTSTART:20260701', 'BEGIN VEVENT', ...A, 'END:VEVENT'], ['a'], []],
    ['exclude a lone END line', ['X-UID:a', 'END:VEVENT'], [], []],
    ['without END may have properties with similar names', ['BEGIN:VEVENT', ...A, 'X-UID:b', 'X-DTSTART:1'], ['a'], []],
  ])('%s', (_name, lines, whole, broken) => {
    const uids = (list: readonly (readonly string[])[]) =>
      list.map((one) => one.flatMap((line) => /^UID:(.*)/.exec(line)?.[1] ?? []).join(' '));
    const { events, broken_events } = calendar(...lines);
    expect([uids(events), uids(broken_events)]).toEqual([whole, broken]);
    for (const one of events) expect([one[0], one.at(-1)]).toEqual(['BEGIN:VEVENT', 'END:VEVENT']);
  });

  it.each<[string, string[], boolean]>([
    ['ended', ['BEGIN:VCALENDAR', 'END:VCALENDAR'], true],
    ['did not end', ['BEGIN:VCALENDAR', ...event(...A)], false],
    ['has a second, unfinished calendar', ['BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VCALENDAR'], false],
    ['ended twice', ['BEGIN:VCALENDAR', 'END:VCALENDAR', 'END:VCALENDAR'], true],
  ])('in a calendar that %s: whole is $2', (_name, lines, whole) => {
    expect(open(...lines).whole).toBe(whole);
  });

  it('cut off at the end of the file are broken, even with both dates', () => {
    const { events, broken_events } = open('BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...A);
    expect([events, broken_events]).toEqual([[], [A]]);
  });

  it.each([
    ['RRULE:FREQ=DAILY', true],
    ['rdate;VALUE=DATE:20260601', true],
    ['X-RRULE:FREQ=DAILY', false],
    ['RRULES:x', false],
  ])('with %s are recurring: %j', (line, repeats) => {
    expect(calendar(...event(...A, line)).repeats).toBe(repeats);
  });
});

describe('the fingerprint', () => {
  const print = (...lines: string[]) => calendar('BEGIN:VEVENT', 'UID:a', ...DAYS, ...lines, 'END:VEVENT').fingerprint;

  it.each(['DTSTAMP:20260101T000000Z', 'Created:20260101T000000Z', 'LAST-MODIFIED;X=y:20260101T000000Z'])(
    'ignores %s',
    (line) => {
      expect(print(line)).toBe(print());
    },
  );
  it.each(['DTSTAMPS:x', 'DESCRIPTION:DTSTAMP:x', 'CREATED-BY:x', 'LOCATION:x'])('includes %s', (line) => {
    expect(print(line)).not.toBe(print());
  });
  it('differs between broken and whole events, and between cut and whole calendars', () => {
    const lines = ['BEGIN:VEVENT', 'UID:a', 'X:y'];
    const prints = [
      calendar(...lines, 'END:VEVENT'),
      calendar(...lines),
      open('BEGIN:VCALENDAR', ...lines),
      open('BEGIN:VCALENDAR', ...lines, 'END:VEVENT'),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(4);
  });
});
