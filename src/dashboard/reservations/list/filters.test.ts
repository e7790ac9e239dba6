import { describe, expect, it } from 'vitest';
import { readFilterParams } from '../../list/cursor';
import {
  buildReservationListInput,
  countSetReservationFilters,
  formatReservationFilters,
  parseReservationFilters,
  parseReservationSortOrder,
  RESERVATION_FILTER_NAMES,
  toggleReservationSortOrder,
} from './filters';

const read = (query: string) =>
  parseReservationFilters(readFilterParams(new URLSearchParams(query), RESERVATION_FILTER_NAMES));
const kept = (query: string) => JSON.parse(JSON.stringify(read(query)));

describe('the filters of a URL', () => {
  it.each([
    ['status=signed&from=2026-12-01&to=2026-12-24', { status: ['signed'], from: '2026-12-01', to: '2026-12-24' }],
    ['status=nonsense&source=channel_z', {}],
    ['status=clicked,sent,sent,nonsense', { status: ['sent', 'clicked'] }],
    ['status=not_signed', { status: ['draft', 'synced', 'sent', 'opened', 'clicked'] }],
    ['status=signed,not_signed', { status: ['draft', 'synced', 'sent', 'opened', 'clicked', 'signed'] }],
    ['arrives=week&from=2026-12-01', { arrives: 'week' }],
    ['arrives=someday&from=2026-12-01', { from: '2026-12-01' }],
    ['from=2026-13-45&to=tomorrow', {}],
    ['property=%20prop_1%20', { property: 'prop_1' }],
    ['q=%20ada%20&sort=checkin&attention=dates_changed', { q: 'ada', sort: 'checkin', attention: 'dates_changed' }],
    ['sort=price&attention=everything&q=%20', {}],
    ['sort=-created', {}],
  ])('%s is read as %j', (query, filters) => {
    expect(kept(query)).toEqual(filters);
  });

  it('survive a round trip through the URL', () => {
    const filters = {
      status: ['sent', 'clicked'],
      source: 'direct',
      property: 'prop_9',
      from: '2026-01-02',
    } as const;
    expect(kept(formatReservationFilters(filters))).toEqual(filters);
  });

  it.each([
    ['status=draft,synced,sent,opened,clicked', 'status=not_signed'],
    ['status=clicked,opened,sent,synced,draft,expired', 'status=not_signed%2Cexpired'],
    ['status=sent,opened', 'status=sent%2Copened'],
    ['status=not_signed,signed,expired,ignored', ''],
  ])('%s is written as "%s"', (query, written) => {
    expect(formatReservationFilters(read(query))).toBe(written);
  });

  it.each([
    ['arrives=today', '2026-12-24', '2026-12-24'],
    ['arrives=week', '2026-12-24', '2026-12-30'],
    ['arrives=month', '2026-12-24', '2027-01-22'],
  ])('%s on 24 December is from %s to %s', (query, from, to) => {
    expect(buildReservationListInput(read(query), '2026-12-24')).toMatchObject({
      'checkin_date.gte': from,
      'checkin_date.lte': to,
    });
  });

  it('become the operation’s parameters', () => {
    expect(buildReservationListInput(read('status=sent&from=2026-12-01'), '2026-12-24')).toEqual({
      limit: 25,
      sort: { by: 'created', descending: true },
      statuses: ['sent'],
      'checkin_date.gte': '2026-12-01',
    });
  });

  it('are counted without the search and the sort order', () => {
    expect(countSetReservationFilters(read('q=ada&sort=guest'))).toBe(0);
    expect(countSetReservationFilters(read('status=sent,opened&from=2026-12-01'))).toBe(2);
  });
});

describe('the sort order', () => {
  it('is newest first unless the URL specifies another', () => {
    expect(parseReservationSortOrder(read('').sort)).toEqual({ by: 'created', descending: true });
    expect(parseReservationSortOrder(read('sort=-guest').sort)).toEqual({ by: 'guest', descending: true });
  });

  it.each([
    ['guest', undefined, 'guest'],
    ['guest', 'guest', '-guest'],
    ['guest', '-guest', 'guest'],
    ['created', 'guest', '-created'],
    ['created', undefined, 'created'],
    ['checkin', '-guest', 'checkin'],
  ] as const)('after a click on %s while sorted by %s is %s', (by, current, next) => {
    expect(toggleReservationSortOrder(by, current)).toBe(next);
  });
});
