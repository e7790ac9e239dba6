import { expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { buildSearchResultGroups, isCommandMatchingTypedText } from './results';

const found = {
  reservations: [
    {
      ...{ id: 'res_1', guest_name: 'Grace Hopper', property_name: 'Casa Azul', booking_code: 'HM1' },
      ...{ checkin_date: '2026-12-24', checkout_date: '2026-12-27', status: 'sent' as const },
    },
  ],
  certificates: [{ id: 'sig_1', signer_name: 'Grace Hopper', property_name: null, signed_at: '2026-05-03T10:00:00Z' }],
  properties: [],
  ids: [
    { kind: 'packet' as const, id: 'pkt_1', label: 'House rules', parent_id: 'prop_1' },
    { kind: 'sync_source' as const, id: 'ss_1', label: null, parent_id: null },
  ],
  near: false,
};

const t = createEnglishTranslator('shell');

it('results are grouped, and each line links to its page', () => {
  expect(buildSearchResultGroups(undefined, t, 'en-GB')).toEqual([]);
  const groups = buildSearchResultGroups(found, t, 'en-GB');
  expect(groups.map(({ label, lines }) => [label, ...lines.map(({ href }) => href)])).toEqual([
    ['Guests', '/reservations/res_1'],
    ['Certificates', '/certificates/sig_1'],
    ['By ID', '/properties/prop_1/packets/pkt_1', '/calendars/ss_1'],
  ]);
  expect(groups[0]?.lines[0]?.detail).toBe('Casa Azul · 24 Dec 2026 · HM1');
  expect(groups[2]?.lines[1]).toMatchObject({ label: 'Calendar', detail: 'Calendar · ss_1' });
  expect(buildSearchResultGroups({ ...found, near: true }, t, 'en-GB')[0]?.label).toBe('Guests with similar names');
});

it.each([
  ['new', 'New reservation', [], true],
  ['res ne', 'New reservation', [], true],
  ['create', 'New reservation', ['create'], true],
  ['e-mail', 'Emails', ['e-mail'], true],
  ['mail', 'Emails', ['e-mail'], true],
  ['grace', 'New reservation', ['create'], false],
  ['', 'New reservation', [], true],
])('typing %j matches %s with the keywords %j: %s', (typed, label, keywords, meant) => {
  expect(isCommandMatchingTypedText(typed, label, keywords)).toBe(meant);
});
