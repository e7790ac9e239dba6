/** Tests the parsing of one event: its days, identity, errors and recurrence. */

import { describe, expect, it } from 'vitest';
import { createRefusalFromKeyAndValues } from '@/shared/refusals/refusal';
import { MAX_NIGHTS_PER_CALENDAR_EVENT } from './event';
import { type FeedInterpretationContext, interpretFeed } from './reader';
import { repairIcalEventLines } from './repair';
import { splitFeedIntoEvents } from './text';

const CONTEXT: FeedInterpretationContext = { kind: 'channel_b_ical', time_zone: 'Europe/Paris', today: '2026-05-15' };
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

function read(lines: readonly string[], context: Partial<FeedInterpretationContext> = {}) {
  const opened = splitFeedIntoEvents(
    new TextEncoder().encode(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')),
  );
  if (!opened.ok) throw new Error(opened.reason);
  return interpretFeed(opened, { ...CONTEXT, ...context });
}
/** Returns the days of each entry, or the error. */
function daysOf(...lines: string[]) {
  const { entries, problems } = read(event('UID:u', 'SUMMARY:Reserved', ...lines));
  return [
    ...problems.map(({ reason }) => reason),
    ...entries.map(({ checkin_date, checkout_date }) => `${checkin_date}/${checkout_date}`),
  ].join(' ');
}

describe('the days of an event', () => {
  it.each([
    ['DTSTART;VALUE=DATE:20260601', 'DTEND;VALUE=DATE:20260603', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601', 'DTEND:20260603', '2026-06-01/2026-06-03'],
    ['DTSTART;VALUE=DATE:2026-06-01', 'DTEND;VALUE=DATE-TIME:20260603', '2026-06-01/2026-06-03'],
    ['DTSTART;TZID=Asia/Tokyo:20260601', 'DTEND;TZID=Asia/Tokyo:20260603', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601T150000', 'DTEND:20260603T100000', '2026-06-01/2026-06-03'],
    ['DTSTART;TZID=Asia/Tokyo:20260601T003000', 'DTEND;TZID=Asia/Tokyo:20260603T100000', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601T223000Z', 'DTEND:20260603T080000Z', '2026-06-02/2026-06-03'],
    ['DTSTART:20260601', 'X-A:b', '2026-06-01/2026-06-02'],
    ['DTSTART:20260601T150000', 'X-A:b', 'no_night'],
    ['DTSTART:20260601', 'DURATION:P2D', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601', 'DURATION:PT36H', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601T150000', 'DURATION:PT20H', '2026-06-01/2026-06-02'],
    ['DTSTART:20260601T150000', 'DURATION:PT8H', 'no_night'],
    ['DTSTART:20260601T150000', 'DURATION:P1W', '2026-06-01/2026-06-08'],
    // The event starts at 17:00 in Paris and ends at 00:30 two days later.
    ['DTSTART:20260601T150000Z', 'DURATION:PT31H30M', '2026-06-01/2026-06-03'],
    ['DTSTART:20260601', 'DTEND:20260601', 'no_night'],
    ['DTSTART:20260603', 'DTEND:20260601', 'no_night'],
    ['DTSTART:20260230', 'DTEND:20260303', 'invalid_date'],
    ['DTSTART:20260601', 'DTEND:20260631', 'invalid_date'],
    ['DTSTART:20260601T250000Z', 'DTEND:20260603', 'invalid_date'],
    ['DTEND:20260603', 'X-A:b', 'missing_start'],
    ['DTSTART:soon', 'DTEND:20260603', 'invalid_date'],
    ['DTSTART;VALUE=INTEGER:5', 'DTEND:20260603', 'invalid_date'],
    ['DTSTART:20260601T1500', 'DTEND:20260603', 'invalid_date'],
    ['DTSTART;VALUE=TEXT:2026-06-01 T15:00:00', 'DTEND:20260603', 'invalid_date'],
    ['DTSTART;VALUE=TEXT:2026-06-01T15:00:00 on', 'DTEND:20260603', 'invalid_date'],
    ['DTSTART:20260601', 'DURATION:soon', 'invalid_date'],
    ['DTSTART:20260601', 'DURATION;VALUE=INTEGER:5', 'invalid_date'],
    ['DTSTART:20260601T250000', 'DURATION:P1D', 'invalid_date'],
  ])('with %s and %s are %s', (start, end, found) => {
    expect(daysOf(start, end)).toBe(found);
  });

  it('that cannot be parsed are quoted to the host, cut to 40 characters', () => {
    const said = (...lines: string[]) =>
      read(event(...lines)).problems.map(({ message }) => String(createRefusalFromKeyAndValues(message)));
    const long = 'x'.repeat(100);
    expect(said(`DTSTART;VALUE=TEXT:${long}`)).toEqual([`“${'x'.repeat(40)}” is not a date.`]);
    expect(said(`DTSTART;VALUE=TEXT:2026-06-01${long}`)).toEqual([
      `“2026-06-01${'x'.repeat(30)}” is not a date and time.`,
    ]);
    expect(said('DTSTART:20260601', `DURATION:${long}`)).toEqual([`“${'x'.repeat(40)}” is not a duration.`]);
    expect(said(`DTSTART;A${long}${long}:20260601`)[0]?.length).toBeLessThan(200);
  });

  it('more than two years apart are rejected', () => {
    expect(MAX_NIGHTS_PER_CALENDAR_EVENT).toBe(730);
    expect(daysOf('DTSTART:20260601', 'DTEND:20280531')).toBe('2026-06-01/2028-05-31');
    expect(daysOf('DTSTART:20260601', 'DTEND:20280601')).toBe('too_long');
  });
});

describe('an event', () => {
  const days = ['DTSTART:20260601', 'DTEND:20260603'];
  const entryOf = (...lines: string[]) => read(event(...days, ...lines)).entries[0];

  it.each([
    ['STATUS:CANCELLED', true],
    ['STATUS: canceled ', true],
    ['STATUS:CONFIRMED', false],
    ['X-STATUS:CANCELLED', false],
  ])('with %s is cancelled: %j', (line, cancelled) => {
    expect(entryOf('SUMMARY:Reserved', line)?.cancelled).toBe(cancelled);
  });

  it('with STATUS:TENTATIVE is tentative', () => {
    expect(entryOf('SUMMARY:Reserved', 'STATUS:tentative')?.class).toBe('tentative');
  });

  it('has its UID cut to 255 characters and its summary to 300', () => {
    expect(entryOf(`UID: ${'u'.repeat(300)} `, `SUMMARY: ${'s'.repeat(301)}`)).toMatchObject({
      uid: 'u'.repeat(255),
      external_id: 'u'.repeat(255),
      summary: 's'.repeat(300),
    });
    expect(entryOf('UID: ', 'SUMMARY: Reserved ')).toMatchObject({
      uid: null,
      external_id: '2026-06-01/2026-06-03',
      summary: 'Reserved',
    });
  });

  it('takes its reservation code from the description or the URL', () => {
    expect(entryOf('UID:u', 'URL:https://a.example/details/HMABCD2345')?.external_id).toBe('HMABCD2345');
    expect(entryOf('UID:u', 'DESCRIPTION:Reservation code: HA12345\\nx')?.external_id).toBe('HA12345');
    expect(entryOf('UID:u', `DESCRIPTION:${'x '.repeat(2_000)}Reservation code: HA12345`)?.external_id).toBe('u');
  });

  it('is read from its newest revision that is not cancelled', () => {
    const twice = (...more: [string[], string[]]) =>
      read(more.flatMap((lines) => event('UID:u', ...lines))).entries.map(
        (one) => `${one.checkin_date} ${one.summary}`,
      );
    const [june, moved] = [
      [...days, 'SUMMARY:A'],
      ['DTSTART:20260602', 'DTEND:20260604', 'SUMMARY:B'],
    ];
    expect(twice([...june, 'SEQUENCE:2'], [...moved, 'SEQUENCE:10'])).toEqual(['2026-06-02 B']);
    expect(twice([...june, 'SEQUENCE:2'], [...moved, 'SEQUENCE:x'])).toEqual(['2026-06-01 A']);
    expect(twice([...june, 'STATUS:CANCELLED'], moved)).toEqual(['2026-06-02 B']);
    expect(twice(moved, june)).toEqual(['2026-06-01 A']);
    expect(twice([...days, 'SUMMARY:B'], [...days, 'SUMMARY:A'])).toEqual(['2026-06-01 A']);
  });
});

describe('stays under one UID', () => {
  const stay = (from: number, to: number, ...lines: string[]) =>
    event('UID:u', `DTSTART:202606${from}`, `DTEND:202606${to}`, ...lines);
  const idsOf = (...events: string[][]) => read(events.flat()).entries.map(({ external_id }) => external_id);

  it('are distinguished by check-in date, and only one of overlapping stays is kept', () => {
    expect(idsOf(stay(20, 22), stay(10, 12), stay(12, 14))).toEqual(['u/2026-06-10', 'u/2026-06-12', 'u/2026-06-20']);
    expect(idsOf(stay(10, 14), stay(12, 16), stay(20, 22))).toEqual(['u/2026-06-10', 'u/2026-06-20']);
    expect(idsOf(stay(12, 16), stay(10, 14, 'SEQUENCE:1'))).toEqual(['u']);
    expect(read([stay(10, 14), stay(12, 16)].flat()).problems).toMatchObject([{ reason: 'duplicate_uid', uid: 'u' }]);
  });

  it('are distinguished in any order of their revisions', () => {
    const events = [
      stay(20, 22, 'SEQUENCE:9'),
      stay(10, 12, 'SEQUENCE:8'),
      stay(26, 28, 'SEQUENCE:7'),
      stay(14, 16, 'SEQUENCE:6'),
      stay(18, 20, 'SEQUENCE:5'),
      // Each of these events overlaps a newer one.
      stay(11, 13, 'SEQUENCE:4'),
      stay(24, 27, 'SEQUENCE:3'),
      stay(15, 18, 'SEQUENCE:2'),
      stay(10, 11, 'SEQUENCE:1'),
    ];
    expect(idsOf(...events)).toEqual([10, 14, 18, 20, 26].map((day) => `u/2026-06-${day}`));
  });

  it('with the same code are one booking', () => {
    const coded = 'URL:https://a.example/details/HMABCD2345';
    expect(idsOf(stay(10, 12, coded), stay(20, 22, coded))).toEqual(['HMABCD2345']);
  });
});

describe('a recurring event', () => {
  const START = ['DTSTART;VALUE=DATE:20260601', 'DTEND;VALUE=DATE:20260603'];
  const starts = (lines: string[], context: Partial<FeedInterpretationContext> = {}) =>
    read(event('UID:u', 'SUMMARY:Reserved', ...lines), context).entries.map(({ checkin_date }) =>
      checkin_date.slice(2),
    );

  it.each([
    ['RRULE:FREQ=WEEKLY;COUNT=3', ['26-06-01', '26-06-08', '26-06-15']],
    ['RRULE:FREQ=WEEKLY;UNTIL=20260608', ['26-06-01', '26-06-08']],
    ['RRULE:FREQ=WEEKLY;UNTIL=20260607', ['26-06-01']],
    ['RRULE:FREQ=WEEKLY;UNTIL=20260608T120000Z', ['26-06-01', '26-06-08']],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2;WKST=SU', ['26-06-01', '26-06-15']],
    ['RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2', ['26-06-01', '26-07-06']],
    ['RRULE:FREQ=MONTHLY;BYDAY=-1MO;UNTIL=20260701', ['26-06-01', '26-06-29']],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=31;UNTIL=20260801', ['26-06-01', '26-07-31']],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20260801', ['26-06-01', '26-06-30', '26-07-31']],
    ['RRULE:FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=28;UNTIL=20270101', ['26-06-01', '26-07-28']],
    ['RDATE;VALUE=DATE:20260701,20260710', ['26-06-01', '26-07-01', '26-07-10']],
  ])('with %s begins on %j', (rule, days) => {
    expect(starts([...START, rule])).toEqual(days);
  });

  it.each([
    'FREQ=HOURLY;COUNT=2',
    'FREQ=WEEKLY;BYSETPOS=1',
    'FREQ=WEEKLY;INTERVAL=1001',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=29',
    'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-29',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=6;BYDAY=5MO',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=-5MO',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=1',
    'FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=4',
  ])('with the rule %s is reported as unsupported, and only its first date is read', (rule) => {
    const { entries, problems } = read(event('UID:u', 'SUMMARY:Reserved', ...START, `RRULE:${rule}`));
    expect(problems.map(({ reason }) => reason)).toEqual(['unsupported_recurrence']);
    expect(entries.map((one) => `${one.external_id} ${one.checkin_date}`)).toEqual(['u 2026-06-01']);
  });

  it.each([
    'FREQ=weekly',
    'FREQ=DAILY;INTERVAL=x',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=MONTHLY;BYMONTHDAY=x',
    'FREQ=YEARLY;BYMONTH=0',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=YEARLY;BYMONTH=x',
  ])('with the invalid rule %s is reported as unreadable', (rule) => {
    const { entries, problems, seen } = read(event('UID:u', ...START, `RRULE:${rule}`));
    expect([entries, problems.map(({ reason }) => reason), seen]).toEqual([[], ['unreadable'], ['u']]);
  });

  it.each(['INTERVAL=0', 'INTERVAL=-2'])('with %s recurs every week', (interval) => {
    expect(starts([...START, `RRULE:FREQ=WEEKLY;${interval};COUNT=2`])).toEqual(['26-06-01', '26-06-08']);
  });

  it.each(['FREQ=WEEKLY;INTERVAL=1000', 'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=4MO'])(
    'with the rule %s is expanded',
    (rule) => {
      expect(read(event('UID:u', ...START, `RRULE:${rule}`)).problems).toEqual([]);
    },
  );

  it('omits excluded dates and past occurrences', () => {
    const weekly = [...START, 'RRULE:FREQ=WEEKLY;COUNT=5'];
    expect(starts([...weekly, 'EXDATE;VALUE=DATE:20260608,20260615', 'EXDATE:20260622'])).toEqual([
      '26-06-01',
      '26-06-29',
    ]);
    const daily = ['DTSTART:20260512', 'DTEND:20260514', 'RRULE:FREQ=DAILY;COUNT=5'];
    expect(starts(daily)).toEqual(['26-05-14', '26-05-15', '26-05-16']);
  });

  it('is expanded for two years', () => {
    const yearly = ['DTSTART:20260514', 'DTEND:20260516', 'RRULE:FREQ=YEARLY'];
    expect(starts(yearly)).toEqual(['26-05-14', '27-05-14', '28-05-14']);
    expect(starts(yearly, { today: '2026-05-14' })).toEqual(['26-05-14', '27-05-14']);
  });

  it('gives each occurrence its own identity, and replaces an occurrence that was moved', () => {
    const events = [
      event('UID:u', ...START, 'RRULE:FREQ=WEEKLY;COUNT=3'),
      event('UID:u', 'RECURRENCE-ID;VALUE=DATE:20260608', 'DTSTART:20260610', 'DTEND:20260611'),
    ];
    expect(read(events.flat()).entries.map(({ external_id }) => external_id)).toEqual([
      'u/2026-06-01',
      'u/2026-06-10',
      'u/2026-06-15',
    ]);
  });

  it('is expanded only as far as the limit shared by the whole calendar allows', () => {
    const ancient = (nth: number) => event(`UID:a${nth}`, 'DTSTART:20000101', 'DTEND:20000102', 'RRULE:FREQ=DAILY');
    const last = event('UID:u', ...START, 'RRULE:FREQ=WEEKLY;COUNT=3');
    const of = (count: number) => read([...Array.from({ length: count }, (_, nth) => ancient(nth)), last].flat());
    expect(of(3).entries).toHaveLength(3);
    expect(of(4).entries.map(({ external_id }) => external_id)).toEqual(['u/2026-06-01']);
  });

  it('has at most a thousand occurrences, all within two years', () => {
    const long = event('UID:u', 'DTSTART:20240701', 'DTEND:20260601', 'RRULE:FREQ=DAILY');
    expect(read(long).entries).toHaveLength(1_000);
    expect(starts([...START, 'RDATE;VALUE=DATE:20280514,20280515'])).toEqual(['26-06-01', '28-05-14']);
  });

  it('reports that its occurrences were cut off', () => {
    const ancient = ['DTSTART:20000101', 'DTEND:20000102', 'RRULE:FREQ=DAILY'];
    const { problems } = read(event('UID:u', 'SUMMARY:S', ...ancient));
    expect(problems).toMatchObject([{ reason: 'recurrence_cut', uid: 'u', summary: 'S' }]);
  });
});

describe('broken lines', () => {
  it.each<[string, string[], string[]]>([
    [
      'text after a stray line break rejoins its property',
      ['SUMMARY:Ana B.', 'Costa, 2'],
      ['SUMMARY:Ana B.\\nCosta\\, 2'],
    ],
    ['rejoined text keeps its escapes', ['DESCRIPTION:a', ' b\\, c; d '], ['DESCRIPTION:a\\nb\\, c\\; d']],
    ['several pieces of text are rejoined in order', ['LOCATION:a', 'b', 'c'], ['LOCATION:a\\nb\\nc']],
    ['text after a property that is not text is dropped', ['UID:u', 'b'], ['UID:u']],
    [
      'prose that looks like a property is text',
      ['DTSTART:20260601', 'COMMENT:a', 'Status: cancelled'],
      ['DTSTART;VALUE=DATE:20260601', 'COMMENT:a\\nStatus: cancelled'],
    ],
    [
      'a property in mixed case is a property when all are in mixed case',
      ['dtstart:x', 'Status: cancelled'],
      ['dtstart:x', 'Status: cancelled'],
    ],
    [
      'contradictory parameters of a date are corrected',
      [
        'DTEND;TZID=Europe/Paris;X-A=b;VALUE=DATE-TIME: 2026-06-03 ',
        'EXDATE:20260601,2026-06-02',
        'RECURRENCE-ID:20260601',
      ],
      ['DTEND;X-A=b;VALUE=DATE:20260603', 'EXDATE;VALUE=DATE:20260601,20260602', 'RECURRENCE-ID;VALUE=DATE:20260601'],
    ],
    ['date-times are unchanged', ['RDATE:20260601T150000Z'], ['RDATE:20260601T150000Z']],
    ['a broken line that a stay depends on is kept', ['STATUS', 'RRULE FREQ'], ['STATUS', 'RRULE FREQ']],
    ['a broken line with only a similar name is dropped', ['UID:u', 'STATUSES', 'X-DTSTART'], ['UID:u']],
  ])('%s', (_name, lines, repaired) => {
    expect(repairIcalEventLines(lines)).toEqual(repaired);
  });

  it('of a text are rejoined up to the maximum length', () => {
    const [text] = repairIcalEventLines(['SUMMARY:a', 'x'.repeat(64 * 1024), 'y']);
    expect(text).toBe(`SUMMARY:a\\n${'x'.repeat(64 * 1024)}`);
  });

  it('that no stay depends on are dropped, as are nested components', () => {
    const { entries, problems } = read(
      event(
        ...['UID:u', 'DTSTART:20260601', 'DTEND:20260603', 'X-A;B:broken', 'X-NOTE:BEGIN:nothing'],
        ...[
          'BEGIN:VALARM',
          'BEGIN:X-INNER',
          'END:X-INNER',
          'X-NOTE:END:nothing',
          'SUMMARY:Reserved - Kim',
          'END:VALARM',
        ],
        'SUMMARY:Reserved - Jane',
      ),
    );
    expect([entries[0]?.guest_name, problems]).toEqual(['Jane', []]);
  });

  it.each<[string, string, string]>([
    ['a hundred parameters', `DURATION${';A=B'.repeat(100)}:P2D`, '2026-06-01/2026-06-03'],
    ['a hundred and one parameters', `DURATION${';A=B'.repeat(101)}:P2D`, 'unreadable'],
    ['semicolons in a quoted parameter', `DURATION;A="${';'.repeat(200)}":P2D`, '2026-06-01/2026-06-03'],
    ['too many parameters after a quoted one', `DURATION;A=";"${';A=B'.repeat(100)}:P2D`, 'unreadable'],
    ['semicolons in the value', `STATUS:${';A=B'.repeat(200)}`, '2026-06-01/2026-06-02'],
    ['many parameters of an unused property', `X-A${';A=B'.repeat(101)}:v`, '2026-06-01/2026-06-02'],
  ])('with %s yield $2', (_name, line, found) => {
    expect(daysOf('DTSTART:20260601', line)).toBe(found);
  });
});

describe('unreadable events', () => {
  const BROKEN = ['DTSTART:20260601', 'DTEND:20260631'];

  it('still report their UIDs and the codes in their text', () => {
    expect(read(event('UID:', 'UID; X=y: a ', ...BROKEN)).seen).toEqual(['a']);
    expect(read(event('UIDS:x', 'SUMMARY:Jane Doe (HMABCD2345)', ...BROKEN)).seen).toEqual(['HMABCD2345']);
    expect(read(event('DESCRIPTION:Reservation code:\\nHA12345', ...BROKEN)).seen).toEqual(['HA12345']);
  });

  it('with two UIDs report both, because lines between them may be lost', () => {
    const { entries, seen } = read(event('UID:a', 'UID:b', 'DTSTART:20260601', 'DTEND:20260603'));
    expect([entries.length, seen]).toEqual([1, ['a', 'b']]);
    expect(read(event('UID:a', 'DTSTART:20260601', 'DTEND:20260603')).seen).toEqual([]);
  });

  it('are reported at most a hundred times, and incomplete events only once together', () => {
    const many = Array.from({ length: 101 }, (_, nth) => event(`UID:${nth}`, ...BROKEN)).flat();
    expect(read(many).problems).toHaveLength(100);
    const messages = (...lines: string[]) =>
      read(lines).problems.map(({ message }) => String(createRefusalFromKeyAndValues(message)));
    expect(messages('BEGIN:VEVENT', 'UID:a')).toEqual(['An event is incomplete.']);
    expect(messages('BEGIN:VEVENT', 'UID:a', 'BEGIN:VEVENT', 'UID:b')).toEqual(['2 events are incomplete.']);
  });
});
