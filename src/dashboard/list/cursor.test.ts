import { describe, expect, it } from 'vitest';
import {
  buildListInputFromCursor,
  buildQueryString,
  getNeighborCursors,
  pickAllowedValue,
  readCursorFromUrl,
  readFilterParams,
} from './cursor';

const NAMES = ['status', 'path'] as const;
const page = (ids: string[], has_more: boolean) => ({ data: ids.map((id) => ({ id })), has_more });

describe('filters and cursor in a URL', () => {
  it('survive a round trip, without empty values', () => {
    const query = buildQueryString({ status: '4xx', path: ' /v1/a b&c ', key: '', code: undefined, after: 'req_1' });
    const params = new URLSearchParams(query);
    expect([...params.keys()]).toEqual(['status', 'path', 'after']);
    expect(readFilterParams(params, NAMES)).toEqual({ status: '4xx', path: '/v1/a b&c' });
    expect(readCursorFromUrl(params)).toEqual({ after: 'req_1' });
  });

  it('only one of two cursors is used, because the server rejects both together', () => {
    expect(readCursorFromUrl(new URLSearchParams('after=a&before=b'))).toEqual({ after: 'a' });
    expect(readCursorFromUrl(new URLSearchParams('after=&before=b'))).toEqual({ before: 'b' });
    expect(readCursorFromUrl(new URLSearchParams(''))).toEqual({});
  });

  it('become the parameters of the procedures', () => {
    expect(buildListInputFromCursor({ after: 'a' })).toEqual({ starting_after: 'a' });
    expect(buildListInputFromCursor({ before: 'b' })).toEqual({ ending_before: 'b' });
    expect(buildListInputFromCursor({})).toEqual({});
  });

  it('a value that is not allowed is ignored', () => {
    expect(pickAllowedValue(['2xx', '4xx'], '4xx')).toBe('4xx');
    expect(pickAllowedValue(['2xx', '4xx'], '9xx')).toBeUndefined();
    expect(pickAllowedValue(['2xx'], undefined)).toBeUndefined();
  });
});

describe('the previous and next links of a page', () => {
  it.each([
    ['the only page', {}, page(['b', 'a'], false), { newer: null, older: null }],
    ['the first of more', {}, page(['b', 'a'], true), { newer: null, older: { after: 'a' } }],
    ['one in the middle', { after: 'c' }, page(['b', 'a'], true), { newer: { before: 'b' }, older: { after: 'a' } }],
    ['the last', { after: 'c' }, page(['b', 'a'], false), { newer: { before: 'b' }, older: null }],
    [
      'reached backwards, more before',
      { before: 'a' },
      page(['c', 'b'], true),
      { newer: { before: 'c' }, older: { after: 'b' } },
    ],
    ['reached backwards, the newest', { before: 'a' }, page(['c', 'b'], false), { newer: null, older: { after: 'b' } }],
    ['empty after its items were deleted', { after: 'c' }, page([], false), { newer: {}, older: null }],
    ['still loading', { after: 'c' }, undefined, { newer: null, older: null }],
  ])('%s', (_name, cursor, data, ways) => expect(getNeighborCursors(cursor, data)).toEqual(ways));
});
