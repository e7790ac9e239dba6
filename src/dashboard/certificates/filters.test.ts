import { expect, it } from 'vitest';
import { buildCertificateFilters } from './filters';

const moment = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString();

it.each([
  [{}, {}],
  [
    { q: 'Grace', property: 'prop_1' },
    { search: 'Grace', property: 'prop_1' },
  ],
  [
    { from: '2026-05-01', to: '2026-05-31' },
    { 'signed_at.gte': moment(2026, 5, 1), 'signed_at.lt': moment(2026, 6, 1) },
  ],
  [{ from: 'May', to: '2026-5-1' }, {}],
])('the values %j become the query %j', (values, filters) => {
  expect(buildCertificateFilters(values)).toEqual(filters);
});
