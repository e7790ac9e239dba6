import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, getEndOfDay, subtractHours } from '@/shared/zoned-time';
import { RESERVATION_STATUSES } from '../schemas';
import { parseTimestamp } from '../testing/rules-fixtures';
import {
  computeScheduledActionTimeWindows,
  DEFAULT_AUTO_SEND_OFFSET_HOURS,
  getReservationDateRangeToSweep,
  getScheduledActionDueTimes,
  getStayDateBoundsForScheduledActions,
  listDueScheduledActions,
  type PropertyTimingSettings,
  type ReservationTimingFields,
  SCHEDULED_ACTION_KINDS,
  type ScheduledActionKind,
} from './reminders';

const property = (different: Partial<PropertyTimingSettings> = {}): PropertyTimingSettings => ({
  timezone: 'Europe/Berlin',
  auto_send_packet: true,
  auto_send_offset_hours: 48,
  auto_reminders: true,
  ...different,
});
const facts = (different: Partial<ReservationTimingFields> = {}): ReservationTimingFields => ({
  status: 'sent',
  guest_email: 'ada@example.com',
  checkin_date: '2026-06-15',
  checkout_date: '2026-06-18',
  sent_at: parseTimestamp('2026-06-01T00:00:00Z'),
  redacted: false,
  reminder_24h_sent_at: null,
  reminder_2h_sent_at: null,
  late_notified_at: null,
  ...different,
});
const draft = (different: Partial<ReservationTimingFields> = {}) =>
  facts({ status: 'draft', sent_at: null, ...different });
/** The check-in time of `facts()`: 15:00 in Berlin, in summer time. */
const CHECKIN = parseTimestamp('2026-06-15T13:00:00Z');
const ahead = (hours: number, plusMs = 0) => new Date(subtractHours(CHECKIN, hours).getTime() + plusMs);

describe('auto-send', () => {
  test.each([
    ['just before the offset', draft(), {}, ahead(48, -1), false],
    ['at the offset', draft(), {}, ahead(48), true],
    ['for a synced reservation', facts({ status: 'synced', sent_at: null }), {}, ahead(48), true],
    ['just before check-in', draft(), {}, ahead(0, -1), true],
    ['at check-in', draft(), {}, ahead(0), false],
    ['after check-in', draft(), {}, ahead(-30), false],
    ['without an address', draft({ guest_email: null }), {}, ahead(3), false],
    ['when redacted', draft({ redacted: true }), {}, ahead(3), false],
    ['when it is disabled', draft(), { auto_send_packet: false }, ahead(3), false],
    ['at the longest offset', draft(), { auto_send_offset_hours: 336 }, ahead(336), true],
    ['just before the shortest offset', draft(), { auto_send_offset_hours: 1 }, ahead(1, -1), false],
    ['at the shortest offset', draft(), { auto_send_offset_hours: 1 }, ahead(1), true],
    ['just before the default offset', draft(), { auto_send_offset_hours: null }, ahead(72, -1), false],
    ['at the default offset', draft(), { auto_send_offset_hours: null }, ahead(72), true],
  ] as const)('is due %s: $4', (_, row, settings, now, due) => {
    expect(DEFAULT_AUTO_SEND_OFFSET_HOURS).toBe(72);
    expect(listDueScheduledActions(row, property(settings), now).includes('auto_send')).toBe(due);
  });

  test.each(RESERVATION_STATUSES)('is due only for drafts and synced reservations: %s', (status) => {
    const due = listDueScheduledActions(facts({ status, sent_at: null }), property(), ahead(3)).includes('auto_send');
    expect(due).toBe(status === 'draft' || status === 'synced');
  });

  test('is due in the property’s time zone', () => {
    const tokyo = property({ timezone: 'Asia/Tokyo' });
    expect(listDueScheduledActions(draft(), tokyo, parseTimestamp('2026-06-13T05:59:59Z'))).toEqual([]);
    expect(listDueScheduledActions(draft(), tokyo, parseTimestamp('2026-06-13T06:00:00Z'))).toEqual(['auto_send']);
    expect(
      listDueScheduledActions(draft(), property({ timezone: null }), parseTimestamp('2026-06-13T15:00:00Z')),
    ).toEqual(['auto_send']);
  });
});

describe('reminders', () => {
  test.each([
    ['before the first window', facts(), ahead(24, -1), []],
    ['24 hours before check-in', facts(), ahead(24), ['reminder_24h']],
    ['at the end of the first window', facts(), ahead(2, -1), ['reminder_24h']],
    ['2 hours before check-in', facts(), ahead(2), ['reminder_2h']],
    ['just before check-in', facts(), ahead(0, -1), ['reminder_2h']],
    ['in the first window after the first was sent', facts({ reminder_24h_sent_at: ahead(24) }), ahead(20), []],
    ['in the second window after the second was sent', facts({ reminder_2h_sent_at: ahead(2) }), ahead(1), []],
    [
      'in the second window after the first was sent',
      facts({ reminder_24h_sent_at: ahead(24) }),
      ahead(1),
      ['reminder_2h'],
    ],
    ['in the first window when the packet was sent within it', facts({ sent_at: ahead(20) }), ahead(10), []],
    [
      'in the second window when the packet was sent within the first',
      facts({ sent_at: ahead(20) }),
      ahead(2),
      ['reminder_2h'],
    ],
    ['in the first window when the packet was sent at its start', facts({ sent_at: ahead(24) }), ahead(23), []],
    ['without an address', facts({ guest_email: null }), ahead(20), []],
    ['when redacted', facts({ redacted: true }), ahead(20), []],
  ] as const)('are due %s: $3', (_, row, now, due) => {
    expect(listDueScheduledActions(row, property(), now)).toEqual(due);
  });

  test.each(RESERVATION_STATUSES)('are due only for sent, opened and clicked reservations: %s', (status) => {
    const due = listDueScheduledActions(facts({ status }), property(), ahead(1)).includes('reminder_2h');
    expect(due).toBe(['sent', 'opened', 'clicked'].includes(status));
  });

  test('are not due when the property disables them', () => {
    expect(listDueScheduledActions(facts(), property({ auto_reminders: false }), ahead(20))).toEqual([]);
  });
});

describe('the late alert to the owner', () => {
  test.each([
    ['before check-in', facts(), {}, ahead(0, -1), false],
    ['at check-in', facts(), {}, ahead(0), true],
    ['until the end of the window', facts(), {}, ahead(-24, -1), true],
    ['after the window', facts(), {}, ahead(-24), false],
    ['after it was sent', facts({ late_notified_at: CHECKIN }), {}, ahead(-1), false],
    ['when reminders are disabled', facts(), { auto_reminders: false }, ahead(-1), true],
    ['for a packet sent only after check-in', facts({ sent_at: ahead(-1) }), {}, ahead(-2), false],
    ['when redacted', facts({ redacted: true }), {}, ahead(-1), false],
    ['for a draft that auto-send could not reach', draft({ guest_email: null }), {}, ahead(-1), true],
    ['for a draft with auto-send disabled', draft(), { auto_send_packet: false }, ahead(-1), false],
    ['when signed', facts({ status: 'signed' }), {}, ahead(-1), false],
    ['when cancelled', facts({ status: 'ignored' }), {}, ahead(-1), false],
  ] as const)('is due %s: $4', (_, row, settings, now, due) => {
    expect(listDueScheduledActions(row, property(settings), now).includes('late_alert')).toBe(due);
  });
});

test('expiry is due after the end of the check-out day, and never becomes stale', () => {
  const due = (status: ReservationTimingFields['status'], now: Date) =>
    listDueScheduledActions(facts({ status }), property(), now).includes('expire');
  expect(due('sent', parseTimestamp('2026-06-18T21:59:59Z'))).toBe(false);
  expect(due('sent', parseTimestamp('2026-06-18T22:00:00Z'))).toBe(true);
  expect(due('sent', parseTimestamp('2027-06-18T22:00:00Z'))).toBe(true);
  const after = parseTimestamp('2026-06-19T00:00:00Z');
  expect(RESERVATION_STATUSES.filter((status) => due(status, after))).toEqual(['synced', 'sent', 'opened', 'clicked']);
});

describe('daylight saving', () => {
  test.each([
    // Berlin's clocks go forward in the night before check-in, so 24 hours before 15:00 it is
    // 14:00.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T13:00:00.000Z', '2026-03-29T11:00:00.000Z', '2026-03-29T13:00:00.000Z'],
    // Berlin's clocks go back, so 24 hours before 15:00 it is 16:00.
    ['Europe/Berlin', '2026-10-25', '2026-10-24T14:00:00.000Z', '2026-10-25T12:00:00.000Z', '2026-10-25T14:00:00.000Z'],
    [
      'America/New_York',
      '2026-03-08',
      '2026-03-07T19:00:00.000Z',
      '2026-03-08T17:00:00.000Z',
      '2026-03-08T19:00:00.000Z',
    ],
    [
      'Australia/Lord_Howe',
      '2026-10-04',
      '2026-10-03T04:00:00.000Z',
      '2026-10-04T02:00:00.000Z',
      '2026-10-04T04:00:00.000Z',
    ],
    ['UTC', '2026-03-29', '2026-03-28T15:00:00.000Z', '2026-03-29T13:00:00.000Z', '2026-03-29T15:00:00.000Z'],
  ])(
    'in %s with check-in on %s does not change the elapsed hours between reminders and check-in',
    (timezone, checkin_date, first, second, checkin) => {
      const windows = computeScheduledActionTimeWindows({ checkin_date }, property({ timezone }));
      expect(windows.reminder_24h.from.toISOString()).toBe(first);
      expect(windows.reminder_2h.from.toISOString()).toBe(second);
      expect(windows.late_alert.from.toISOString()).toBe(checkin);
    },
  );
});

/** Sets the columns that a sweep sets after doing the work. */
function done(row: ReservationTimingFields, work: ScheduledActionKind, now: Date): ReservationTimingFields {
  switch (work) {
    case 'auto_send':
      return { ...row, status: 'sent', sent_at: now };
    case 'reminder_24h':
      return { ...row, reminder_24h_sent_at: now };
    case 'reminder_2h':
      return { ...row, reminder_2h_sent_at: now };
    case 'late_alert':
      return { ...row, late_notified_at: now };
    case 'expire':
      return { ...row, status: 'expired' };
  }
}

function sweep(
  row: ReservationTimingFields,
  times: Date[],
): { row: ReservationTimingFields; log: [ScheduledActionKind, Date][] } {
  const log: [ScheduledActionKind, Date][] = [];
  for (const now of times) {
    for (const work of listDueScheduledActions(row, property(), now)) {
      log.push([work, now]);
      row = done(row, work, now);
    }
  }
  return { row, log };
}
const every = (minutes: number, from: Date, to: Date): Date[] => {
  const times: Date[] = [];
  for (let t = from.getTime(); t < to.getTime(); t += minutes * 60_000) times.push(new Date(t));
  return times;
};

describe('downtime of the sweep', () => {
  const START = ahead(100);
  const END = ahead(-100);

  test('of zero length leaves everything done once and on time', () => {
    const { log } = sweep(draft(), every(5, START, END));
    expect(log).toEqual([
      ['auto_send', ahead(48)],
      ['reminder_24h', ahead(24)],
      ['reminder_2h', ahead(2)],
      ['late_alert', ahead(0)],
      ['expire', parseTimestamp('2026-06-18T22:00:00Z')],
    ]);
  });

  test('from before the first reminder to an hour before check-in causes one reminder', () => {
    const { log } = sweep(facts(), [...every(5, START, ahead(30)), ...every(5, ahead(1), END)]);
    expect(log.map(([work]) => work)).toEqual(['reminder_2h', 'late_alert', 'expire']);
  });

  test('over check-in by days causes no stale work, only the expiry', () => {
    const { log } = sweep(facts(), [...every(5, START, ahead(30)), ...every(5, ahead(-25), END)]);
    expect(log.map(([work]) => work)).toEqual(['expire']);
  });

  test('over the auto-send causes a late send and no reminder right after it', () => {
    const { log } = sweep(draft(), [...every(5, START, ahead(50)), ...every(5, ahead(20), ahead(3))]);
    expect(log).toEqual([['auto_send', ahead(20)]]);
  });

  test('of random lengths never mails a guest or an owner twice', () => {
    const minutes = fc.integer({ min: -100 * 60, max: 100 * 60 });
    fc.assert(
      fc.property(fc.array(minutes, { maxLength: 60 }), fc.boolean(), (offsets, sent) => {
        const times = offsets.sort((a, b) => a - b).map((offset) => new Date(CHECKIN.getTime() + offset * 60_000));
        const { log } = sweep(sent ? facts() : draft(), times);
        const works = log.map(([work]) => work);
        expect(new Set(works).size).toBe(works.length);
        for (const [work, now] of log) {
          if (work === 'auto_send' || work.startsWith('reminder'))
            expect(now.getTime()).toBeLessThan(CHECKIN.getTime());
        }
      }),
    );
  });
});

describe('a sweep over the candidate dates misses no due work in any time zone', () => {
  const given = fc.record({
    timezone: fc.constantFrom('Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Pago_Pago', 'Europe/Berlin', null),
    offset: fc.integer({ min: 1, max: 336 }),
    check_in_hour: fc.integer({ min: 0, max: 23 }),
    nights: fc.integer({ min: 2, max: 5 }),
    /**
     * The time of the sweep (the run that looks for due work) within the window: 0 is the first
     * instant, 1 the last.
     */
    when: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  });
  test.each(SCHEDULED_ACTION_KINDS)('%s', (work) => {
    fc.assert(
      fc.property(given, ({ timezone, offset, check_in_hour, nights, when }) => {
        const checkout_date = addDays('2026-06-15', nights);
        const row =
          work === 'auto_send'
            ? draft({ checkout_date })
            : facts({ checkout_date, sent_at: parseTimestamp('2026-01-01T00:00:00Z') });
        const settings = property({ timezone, auto_send_offset_hours: offset, check_in_hour });
        const over = getEndOfDay(checkout_date, timezone);
        const window =
          work === 'expire'
            ? { from: over, to: subtractHours(over, -1000) }
            : computeScheduledActionTimeWindows(row, settings)[work];
        const now = new Date(
          window.from.getTime() + Math.floor(when * (window.to.getTime() - window.from.getTime() - 1)),
        );
        expect(listDueScheduledActions(row, settings, now)).toContain(work);
        const range = getReservationDateRangeToSweep(work, now);
        const date = work === 'expire' ? checkout_date : row.checkin_date;
        expect(range.from === null || date >= range.from, `${date} from ${range.from}`).toBe(true);
        expect(date <= range.to, `${date} to ${range.to}`).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the moments at which work falls due', () => {
  const days = fc.integer({ min: -20, max: 20 }).map((more) => addDays('2026-06-15', more));
  const moment = fc.integer({ min: -30 * 24, max: 30 * 24 }).map((hours) => ahead(hours, hours * 61_001));

  test('lie between two times if the work is due only at the later time', () => {
    const zones = fc.constantFrom(null, 'Europe/Berlin', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Apia');
    fc.assert(
      fc.property(
        fc.record({ checkin_date: days, nights: fc.integer({ min: 1, max: 9 }), timezone: zones }),
        fc.constantFrom(...RESERVATION_STATUSES),
        fc.constantFrom(null, 1, 48, 336),
        moment,
        moment,
        ({ checkin_date, nights, timezone }, status, auto_send_offset_hours, one, other) => {
          const [earlier, later] = one < other ? [one, other] : [other, one];
          const row = facts({ status, checkin_date, checkout_date: addDays(checkin_date, nights) });
          const settings = property({ timezone, auto_send_offset_hours });
          const before = listDueScheduledActions(row, settings, earlier);
          const moments = getScheduledActionDueTimes(row, settings);
          for (const work of listDueScheduledActions(row, settings, later)) {
            if (before.includes(work)) continue;
            expect(moments[work] > earlier && moments[work] <= later, `${work} of ${JSON.stringify(row)}`).toBe(true);
          }
          // A stay with work that becomes due between the two times must be in the range of dates
          // that the sweep (the run that looks for due work) queries.
          const { checkout_from, checkin_to } = getStayDateBoundsForScheduledActions(earlier, later);
          if (SCHEDULED_ACTION_KINDS.some((work) => moments[work] > earlier && moments[work] <= later))
            expect(row.checkout_date >= checkout_from && row.checkin_date <= checkin_to).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
