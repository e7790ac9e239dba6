import { describe, expect, it } from 'vitest';
import { formatAuditEntryDetails } from './actions';
import { formatCsvCell, formatCsvLine } from './csv';

describe('a CSV cell', () => {
  it.each([
    ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['  =1', `"'  =1"`],
    ['\u00a0=1', `"'\u00a0=1"`],
    ['＝1', `"'＝1"`],
    ['Eva;=HYPERLINK("http://evil.example")', `"Eva;'=HYPERLINK(""http://evil.example"")"`],
    ['a; -1', `"a; '-1"`],
    ['a,@b\tc\n+1', `"a,'@b\tc\n'+1"`],
    ['a\t＝1', `"a\t'＝1"`],
  ])('is never evaluated as a formula: %j', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });

  it.each([
    ['Olga', '"Olga"'],
    ['a=b', '"a=b"'],
    ['a; b, c-d', '"a; b, c-d"'],
    ['203.0.113.9', '"203.0.113.9"'],
    ['say "hi",\nthere', '"say ""hi"",\nthere"'],
    [null, '""'],
    ['', '""'],
  ])('keeps other text unchanged: %j', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });
});

it('a CSV line ends with CRLF, as RFC 4180 requires', () => {
  expect(formatCsvLine(['a', null])).toBe('"a",""\r\n');
});

it('details omit empty values', () => {
  expect(formatAuditEntryDetails({ name: 'CI', scopes: [], ip_allow: ['10.0.0.0/8', '::1/128'], note: null })).toEqual([
    { name: 'name', value: 'CI' },
    { name: 'ip_allow', value: '10.0.0.0/8, ::1/128' },
  ]);
});
