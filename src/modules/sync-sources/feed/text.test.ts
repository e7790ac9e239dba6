/**
 * Splits a feed's bytes into events: character sets, files that are not calendars, line folds, and
 * events with a broken marker.
 */

import { describe, expect, it } from 'vitest';
import { refusal } from '@/shared/refusals/refusal';
import { decodeFeed, type FeedFailureReason, MAX_FEED_BYTES, MAX_LINE, openFeed } from './text';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));
const open = (...lines: string[]) => {
  const opened = openFeed(bytes(lines.join('\r\n')));
  if (!opened.ok) throw new Error(opened.reason);
  return opened;
};
const calendar = (...lines: string[]) => open('BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR');
const DAYS = ['DTSTART:20260601', 'DTEND:20260603'];

describe('letters', () => {
  it.each<[string, Uint8Array, string | null, string]>([
    ['a mark of UTF-8', bytes('\ufeffë'), null, 'ë'],
    ['two marks of UTF-8', bytes('\ufeff\ufeffë'), null, 'ë'],
    ['a mark of UTF-16, little end first', bytes('\ufeffë', 'utf16le'), 'text/calendar; charset=utf-8', 'ë'],
    ['a mark of UTF-16, big end first', Uint8Array.of(0xfe, 0xff, 0, 0xeb), null, 'ë'],
    ['UTF-8, whatever is declared', bytes('ë'), 'text/calendar; charset=iso-8859-1', 'ë'],
    ['the declared set', Uint8Array.of(0xe0, 0xe8), 'text/calendar; CHARSET = "windows-1251"', 'аи'],
    ['windows-1252 where nothing is declared', Uint8Array.of(0x80), null, '€'],
    ['windows-1252 where UTF-8 is, wrongly', Uint8Array.of(0x80), 'text/calendar; charset=UTF-8', '€'],
    ['windows-1252 where utf8 is, wrongly', Uint8Array.of(0x80), 'text/calendar; charset=utf8', '€'],
    ['windows-1252 where nobody knows the set', Uint8Array.of(0x80), 'text/calendar; charset=x-none', '€'],
    ['the declared set, without quotes', Uint8Array.of(0xe0, 0xe8), 'text/calendar;charset=windows-1251', 'аи'],
    ['what is no mark', Uint8Array.of(0x41, 0xfe), null, 'Aþ'],
    ['what is no other mark', Uint8Array.of(0x41, 0xff), null, 'Aÿ'],
    ['a mark inside', bytes('a\ufeffë'), null, 'a\ufeffë'],
    ['only half of a mark', Uint8Array.of(0xff, 0x41), null, 'ÿA'],
    ['the other half of a mark', Uint8Array.of(0xfe, 0x41), null, 'þA'],
    ['UTF-8 that is cut inside of a letter', bytes('aë').subarray(0, 2), null, 'a'],
    ['ASCII', bytes('a\u0000b\u007f\tc\r\nd'), null, 'ab\tc\r\nd'],
    ['controls', bytes('ë\u0001\u000b\u001f\te'), null, 'ë\te'],
  ])('are read by %s', (_name, given, type, text) => {
    expect(decodeFeed(given, type)).toBe(text);
  });

  it('of a part of a larger buffer are those of the part', () => {
    expect(decodeFeed(bytes('xxabyy').subarray(2, 4), null)).toBe('ab');
    const folded = Buffer.from('xxë');
    const split = new Uint8Array(Buffer.concat([folded.subarray(0, 3), Buffer.from('\n '), folded.subarray(3)]));
    expect(decodeFeed(split.subarray(2), null)).toBe('ë');
  });
});

describe('what is not a calendar', () => {
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
  ])('%j is %s', (text, reason) => {
    expect(openFeed(bytes(text))).toEqual({
      ok: false,
      reason,
      message: refusal(`calendar.${reason}`),
      excerpt: text.trim(),
    });
  });

  it.each(['BEGIN:VCALENDAR', ' begin:vcalendar \r\nEND:VCALENDAR', 'Hello\nBEGIN:VCALENDAR\t'])(
    '%j is one',
    (text) => {
      expect(openFeed(bytes(text)).ok).toBe(true);
    },
  );

  it('has more than 5 MiB, or more than 10,000 events, complete or not', () => {
    expect(openFeed(new Uint8Array(MAX_FEED_BYTES + 1))).toMatchObject({ reason: 'too_large', excerpt: '' });
    expect(openFeed(new Uint8Array(MAX_FEED_BYTES))).toMatchObject({ reason: 'empty_body' });
    const events = (count: number, ...more: string[]) => [
      'BEGIN:VCALENDAR',
      ...Array(count).fill('BEGIN:VEVENT\nEND:VEVENT'),
      ...more,
    ];
    expect(openFeed(bytes(events(9_999, 'BEGIN:VEVENT').join('\n'))).ok).toBe(true);
    expect(openFeed(bytes(events(10_000, 'BEGIN:VEVENT').join('\n')))).toMatchObject({ reason: 'too_many_events' });
  });

  it('is kept as an excerpt of 200 characters', () => {
    expect(openFeed(bytes(` ${'x'.repeat(300)}`))).toMatchObject({ excerpt: 'x'.repeat(200) });
  });
});

describe('lines', () => {
  it.each([
    ['\r\n', ' '],
    ['\n', '\t'],
    ['\r', ' '],
  ])('are unfolded at %j and %j', (end, fold) => {
    const text = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      `SUMMARY:a${end}${fold}b${end}${fold} c`,
      '',
      'END:VEVENT',
      'END:VCALENDAR',
    ];
    expect(openFeed(bytes(text.join(end)))).toMatchObject({ events: [['BEGIN:VEVENT', 'SUMMARY:ab c', 'END:VEVENT']] });
  });

  it('are read up to their maximum length, and events up to their maximum number of lines', () => {
    const [event] = calendar(
      'BEGIN:VEVENT',
      `X:${'a'.repeat(MAX_LINE)}`,
      `Y:${'b'.repeat(MAX_LINE - 3)}`,
      ' cd',
      ' ef',
      'END:VEVENT',
    ).events;
    expect(event?.slice(1, -1).map((line) => line.length)).toEqual([MAX_LINE, MAX_LINE]);
    const long = calendar('BEGIN:VEVENT', ...Array(5_001).fill('X:a'), 'END:VEVENT');
    expect(long.events[0]).toHaveLength(5_002);
  });
});

describe('events', () => {
  const A = ['UID:a', ...DAYS];
  const B = ['UID:b', ...DAYS];
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

  it.each<[string, string[], string[], string[]]>([
    ['are told apart', [...event(...A), ...event(...B)], ['a', 'b'], []],
    ['in whatever case, with spaces around', ['Begin: vevent ', ...A, ' end:VEVENT'], ['a'], []],
    ['with a letter missing in its first line', ['BEGIN:VEVET', ...A, 'END:VEVENT'], ['a'], []],
    ['with two letters missing in its last line', ['BEGIN:VEVENT', ...A, 'END:VENT'], ['a'], []],
    ['but not three', ['BEGIN:VEVENT', 'UID:a', 'END:VEV', ...event(...B)], ['b'], ['a']],
    ['without a first line, when they have both days', [...A, 'END:VEVENT', ...event(...B)], ['a', 'b'], []],
    ['without a last line, when they have both days', ['BEGIN:VEVENT', ...A, ...event(...B)], ['a', 'b'], []],
    ['without a last line at the calendar’s end', ['BEGIN:VEVENT', ...A], ['a'], []],
    ['without a first line and a day', ['UID:a', 'DTSTART:20260601', 'END:VEVENT'], [], ['a']],
    ['without a last line and a day', ['BEGIN:VEVENT', 'UID:a', 'DTEND:20260603'], [], ['a']],
    ['without a last line and with two starts', ['BEGIN:VEVENT', ...A, 'DTSTART:20260609'], [], ['a']],
    ['of which two lost the lines between', ['BEGIN:VEVENT', ...A, 'UID:b', 'END:VTODO'], [], ['a b']],
    [
      'are no tasks and zones',
      ['BEGIN:VTODO', ...A, 'END:VTODO', 'BEGIN:VTIMEZONE', 'TZID:x', 'END:VTIMEZONE'],
      [],
      [],
    ],
    ['are no lines outside of events', ['X-NAME:a', 'DTSTART:20260601'], [], []],
    ['but what a line outside of events is called by is seen', ['UID:a'], [], ['a']],
    ['with an alarm are one', event(...A, 'BEGIN:VALARM', 'TRIGGER:x', 'END:VALARM'), ['a'], []],
    ['without a first line, with an alarm, too', [...A, 'BEGIN:VALARM', 'X:y', 'END:VALARM', 'END:VEVENT'], ['a'], []],
    ['behind another’s broken first line', ['DTSTART:20260701', 'BEGIN VEVENT', ...A, 'END:VEVENT'], ['a'], []],
    ['are no last line alone', ['X-UID:a', 'END:VEVENT'], [], []],
    ['without a last line, with names that look alike', ['BEGIN:VEVENT', ...A, 'X-UID:b', 'X-DTSTART:1'], ['a'], []],
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
    ['of which one did not end', ['BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VCALENDAR'], false],
    ['that ended twice', ['BEGIN:VCALENDAR', 'END:VCALENDAR', 'END:VCALENDAR'], true],
  ])('are of a calendar that %s: whole %3$j', (_name, lines, whole) => {
    expect(open(...lines).whole).toBe(whole);
  });

  it('cut off by the file’s end are broken, though they have both days', () => {
    const { events, broken_events } = open('BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...A);
    expect([events, broken_events]).toEqual([[], [A]]);
  });

  it.each([
    ['RRULE:FREQ=DAILY', true],
    ['rdate;VALUE=DATE:20260601', true],
    ['X-RRULE:FREQ=DAILY', false],
    ['RRULES:x', false],
  ])('with %s repeat: %j', (line, repeats) => {
    expect(calendar(...event(...A, line)).repeats).toBe(repeats);
  });
});

describe('the fingerprint', () => {
  const print = (...lines: string[]) => calendar('BEGIN:VEVENT', 'UID:a', ...DAYS, ...lines, 'END:VEVENT').fingerprint;

  it.each(['DTSTAMP:20260101T000000Z', 'Created:20260101T000000Z', 'LAST-MODIFIED;X=y:20260101T000000Z'])(
    'leaves %s out',
    (line) => {
      expect(print(line)).toBe(print());
    },
  );
  it.each(['DTSTAMPS:x', 'DESCRIPTION:DTSTAMP:x', 'CREATED-BY:x', 'LOCATION:x'])('has %s in it', (line) => {
    expect(print(line)).not.toBe(print());
  });
  it('tells a broken event from a whole one, and a cut calendar from a whole one', () => {
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
