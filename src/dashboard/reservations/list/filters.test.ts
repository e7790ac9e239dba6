import { describe, expect, it } from 'vitest';
import { countFilters, listInput, readFilters, readSort, toggleSort, waysFrom, writeFilters } from './filters';

const read = (query: string) => readFilters(new URLSearchParams(query));
const kept = (query: string) => JSON.parse(JSON.stringify(read(query)));

describe('the filters of a URL', () => {
  it.each([
    ['status=signed&from=2026-12-01&to=2026-12-24', { status: 'signed', from: '2026-12-01', to: '2026-12-24' }],
    ['status=nonsense&source=channel_z', {}],
    ['from=2026-13-45&to=tomorrow', {}],
    ['property=%20prop_1%20', { property: 'prop_1' }],
    ['after=res_1&before=res_2', { after: 'res_1' }],
    ['q=%20ada%20&sort=checkin&attention=dates_changed', { q: 'ada', sort: 'checkin', attention: 'dates_changed' }],
    ['sort=price&attention=everything&q=%20', {}],
    ['sort=-created', {}],
  ])('%s is read as %j', (query, filters) => {
    expect(kept(query)).toEqual(filters);
  });

  it('come back from the URL they were written to', () => {
    const filters = {
      status: 'clicked',
      source: 'direct',
      property: 'prop_9',
      from: '2026-01-02',
      before: 'res_7',
    } as const;
    expect(kept(writeFilters(filters))).toEqual(filters);
  });

  it('become the operation’s own parameters', () => {
    expect(listInput(read('status=sent&from=2026-12-01&after=res_5'))).toEqual({
      limit: 25,
      sort: { by: 'created', descending: true },
      status: 'sent',
      'checkin_date.gte': '2026-12-01',
      starting_after: 'res_5',
    });
  });

  it('do not count a cursor as a filter', () => {
    expect(countFilters(read('after=res_1&q=ada&sort=guest'))).toBe(0);
    expect(countFilters(read('status=sent&from=2026-12-01&after=res_1'))).toBe(2);
  });
});

describe('the ways from a page', () => {
  const page = (has_more: boolean) => ({ data: [{ id: 'res_9' }, { id: 'res_5' }], has_more });

  it.each([
    ['', false, null, null],
    ['', true, null, 'after=res_5'],
    ['after=res_10', false, 'before=res_9', null],
    ['after=res_10', true, 'before=res_9', 'after=res_5'],
    ['before=res_4', true, 'before=res_9', 'after=res_5'],
    ['before=res_4', false, null, 'after=res_5'],
  ])('reached by "%s" with more=%s are newer %s and older %s', (query, has_more, newer, older) => {
    const ways = waysFrom(read(query), page(has_more));
    expect(ways.newer && writeFilters(ways.newer)).toBe(newer);
    expect(ways.older && writeFilters(ways.older)).toBe(older);
  });

  it('lead back to the first page from one that has become empty', () => {
    const ways = waysFrom(read('status=sent&after=res_1'), { data: [], has_more: false });
    expect(ways.newer && writeFilters(ways.newer)).toBe('status=sent');
    expect(ways.older).toBeNull();
  });
});

describe('the order', () => {
  it('is the newest first unless the URL says otherwise', () => {
    expect(readSort(read('').sort)).toEqual({ by: 'created', descending: true });
    expect(readSort(read('sort=-guest').sort)).toEqual({ by: 'guest', descending: true });
  });

  it.each([
    ['guest', undefined, 'guest'],
    ['guest', 'guest', '-guest'],
    ['guest', '-guest', 'guest'],
    ['created', 'guest', '-created'],
    ['created', undefined, 'created'],
    ['checkin', '-guest', 'checkin'],
  ] as const)('of a press on %s while sorted by %s is %s', (by, current, next) => {
    expect(toggleSort(by, current)).toBe(next);
  });
});
