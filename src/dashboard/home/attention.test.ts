import { describe, expect, it } from 'vitest';
import { englishWords } from '@/dashboard/i18n/english-words';
import { type AttentionInput, findAttention } from './attention';

const since = '2026-12-24';
const nothing: AttentionInput = {
  guest_replied: [],
  same_nights: [],
  address_missing: [],
  dates_changed: [],
  calendars: [],
  endpoints: [],
};
const guest = (id: string, changes: object = {}) => ({
  id,
  guest_name: `Guest ${id}`,
  same_nights: [],
  ...changes,
});
const calendar = {
  id: 'src_1',
  property_name: 'Casa Azul',
  enabled: true,
  failing_since: null,
  last_error: null,
  held: null,
  waiting_mails: 0,
};
const endpoint = {
  id: 'we_1',
  url: 'https://hooks.example.com/in',
  status: 'enabled',
  consecutive_failures: 0,
  waiting: 0,
};
const t = englishWords('home');
const said = englishWords('calendar_health');
const reasons = (changes: Partial<AttentionInput>) =>
  findAttention({ ...nothing, ...changes }, t, said).map(({ title, reason }) => `${title}: ${reason}`);

describe('what needs attention', () => {
  it('tells calendars and endpoints that do not work from guests, who must not crowd them out', () => {
    const found = findAttention(
      {
        ...nothing,
        dates_changed: Array.from({ length: 20 }, (_, number) => guest(String(number))),
        calendars: [{ ...calendar, failing_since: since }],
        endpoints: [{ ...endpoint, status: 'auto_disabled' }],
      },
      t,
      said,
    );
    expect(found.filter(({ broken }) => broken).map(({ key }) => key)).toEqual([calendar.id, endpoint.id]);
  });

  it('is moved dates first, then calendars, endpoints and missing addresses', () => {
    expect(
      reasons({
        dates_changed: [guest('2')],
        calendars: [{ ...calendar, failing_since: since, last_error: 'HTTP 500' }],
        endpoints: [{ ...endpoint, status: 'auto_disabled', waiting: 2 }],
        address_missing: [guest('3')],
      }),
    ).toEqual([
      'Guest 2: The dates changed after the packet was sent: send it again',
      'Casa Azul: Its calendar cannot be read: HTTP 500',
      'hooks.example.com: The webhook endpoint was disabled because its deliveries kept failing; 2 deliveries wait',
      'Guest 3: No e-mail address: the packet cannot be sent',
    ]);
  });

  it('is first of all a pair of bookings for the same nights, once, until the host has spoken', () => {
    const shared = (id: string, more: object = {}) => [
      { as: 'conflict', reservation_id: id, guest_name: `Guest ${id}`, both_real: false, ...more },
    ];
    const pair = (more: object = {}) => [
      guest('1', { same_nights: shared('2', more) }),
      guest('2', { same_nights: shared('1', more) }),
    ];
    expect(reasons({ dates_changed: pair(), same_nights: pair() })).toEqual([
      'Guest 1: Guest 2 has a booking for the same nights: cancel one, or say that both are real',
      'Guest 2: The dates changed after the packet was sent: send it again',
    ]);
    expect(findAttention({ ...nothing, same_nights: pair() }, t, said)[0]?.pair).toEqual({ id: '1', other_id: '2' });
    expect(reasons({ same_nights: pair({ both_real: true }) })).toEqual([]);
  });

  it('is not a closure that only repeats a guest’s nights', () => {
    const repeats = [{ as: 'repeats', reservation_id: '1', guest_name: 'Ana', both_real: false }];
    const row = guest('2', { same_nights: repeats });
    expect(reasons({ address_missing: [row] })).toEqual([]);
  });

  it('is a calendar that asks, until the host has answered', () => {
    const held = { reason: 'all_gone' as const, apply: false };
    expect(reasons({ calendars: [{ ...calendar, held }] })).toEqual([
      'Casa Azul: All bookings ahead are gone from its calendar: apply it, or keep everything',
    ]);
    expect(reasons({ calendars: [{ ...calendar, held: { ...held, apply: true } }] })).toEqual([]);
  });

  it('names a reservation once, for the most pressing reason', () => {
    expect(reasons({ dates_changed: [guest('1')], address_missing: [guest('1')] })).toEqual([
      'Guest 1: The dates changed after the packet was sent: send it again',
    ]);
  });

  it.each([
    [{ calendars: [{ ...calendar, failing_since: since, enabled: false }] }, []],
    [{ calendars: [{ ...calendar, waiting_mails: 1 }] }, ['Casa Azul: 1 forwarded mail waits for you']],
    [
      { endpoints: [{ ...endpoint, consecutive_failures: 3 }] },
      ['hooks.example.com: The last 3 deliveries to this webhook endpoint failed'],
    ],
    [{ endpoints: [{ ...endpoint, status: 'disabled', consecutive_failures: 3 }] }, []],
    [{ endpoints: [endpoint], calendars: [calendar] }, []],
  ])('of %j is %j', (changes, expected) => {
    expect(reasons(changes)).toEqual(expected);
  });
});
