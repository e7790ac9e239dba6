import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { findDoubleBookings, type HomeDataToCheckForProblems, listAttentionProblems } from './attention';

const page = <Row>(...data: Row[]) => ({ data, has_more: false });
const nothing: HomeDataToCheckForProblems = {
  guest_replied: page(),
  same_nights: page(),
  address_missing: page(),
  dates_changed: page(),
  calendars: [],
  endpoints: [],
};
const guest = (id: string, changes: object = {}) => ({ id, same_nights: [], ...changes });
const calendar = { id: 'src_1', enabled: true, failing_since: null, held: null, waiting_mails: 0 };
const endpoint = { id: 'we_1', status: 'enabled', consecutive_failures: 0 };
const shared = (id: string, more: object = {}) => [
  { as: 'conflict', reservation_id: id, guest_name: `Guest ${id}`, both_real: false, ...more },
];
const t = createEnglishTranslator('home');
const found = (changes: Partial<HomeDataToCheckForProblems>) =>
  listAttentionProblems({ ...nothing, ...changes }, '2026-12-24', t).map(({ label, href }) => `${label} -> ${href}`);

describe('problems', () => {
  it('are counted by kind, guests first, and a single one links directly to its object', () => {
    expect(
      found({
        same_nights: page(guest('1', { same_nights: shared('2') }), guest('2', { same_nights: shared('1') })),
        guest_replied: page(guest('3')),
        dates_changed: page(guest('4'), guest('5')),
        address_missing: { data: [guest('6')], has_more: true },
        calendars: [{ ...calendar, failing_since: '2026-12-24', waiting_mails: 2 }],
        endpoints: [
          { ...endpoint, status: 'auto_disabled' },
          { ...endpoint, id: 'we_2', consecutive_failures: 3 },
        ],
      }),
    ).toEqual([
      '1 double booking -> #double-bookings',
      '1 guest has replied -> /reservations/3',
      '2 stays whose dates changed after the house rules were sent -> /reservations?attention=dates_changed&from=2026-12-24&sort=checkin',
      '1+ guest without an email address -> /reservations?attention=address_missing&from=2026-12-24&sort=checkin',
      '1 calendar not working -> /calendars/src_1',
      '2 forwarded emails to review -> /calendars/inbox',
      '2 webhook endpoints not working -> /developers/webhooks',
    ]);
  });

  it('do not include a closure that only repeats a guest’s nights', () => {
    const repeats = [{ as: 'repeats', reservation_id: '1', both_real: false }];
    expect(found({ address_missing: page(guest('2', { same_nights: repeats })) })).toEqual([]);
  });

  it.each([
    [{ calendars: [{ ...calendar, failing_since: '2026-12-24', enabled: false }] }, []],
    [{ calendars: [{ ...calendar, held: { apply: true } }] }, []],
    [{ calendars: [{ ...calendar, held: { apply: false } }] }, ['1 calendar needs your answer -> /calendars/src_1']],
    [
      { calendars: [calendar, { ...calendar, asked: [{}] }, { ...calendar, asked: [{}, {}] }] },
      ['2 calendars need your answer -> /calendars'],
    ],
    [
      { endpoints: [{ ...endpoint, consecutive_failures: 1 }] },
      ['1 webhook endpoint not working -> /developers/webhooks/we_1'],
    ],
    [{ endpoints: [{ ...endpoint, status: 'disabled', consecutive_failures: 3 }] }, []],
    [{ endpoints: [endpoint], calendars: [calendar] }, []],
  ])('of %j are %j', (changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });
});

describe('pairs of double bookings', () => {
  const keys = (...rows: Parameters<typeof findDoubleBookings>[0]) => findDoubleBookings(rows).map(({ key }) => key);

  it('appear once, in any order of the reservations', () => {
    const [one, other] = [guest('1', { same_nights: shared('2') }), guest('2', { same_nights: shared('1') })];
    expect(keys(one, other)).toEqual(['1 2']);
    expect(keys(other)).toEqual(['1 2']);
  });

  it('include every combination of two among three overlapping stays', () => {
    const of = (id: string, ...others: string[]) =>
      guest(id, { same_nights: others.flatMap((other) => shared(other)) });
    expect(keys(of('1', '2', '3'), of('2', '1', '3'), of('3', '1', '2'))).toEqual(['1 2', '1 3', '2 3']);
  });

  it('exclude bookings that the host confirmed as real, and bookings that repeat another', () => {
    expect(keys(guest('1', { same_nights: shared('2', { both_real: true }) }))).toEqual([]);
    expect(keys(guest('1', { same_nights: shared('2', { as: 'repeated_by' }) }))).toEqual([]);
  });
});
