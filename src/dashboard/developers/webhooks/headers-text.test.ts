import { expect, it } from 'vitest';
import { addHeaderNameToErrorMessage, parseHeaderLines } from './headers-text';

it.each([
  ['X-Key: a', { 'X-Key': 'a' }],
  ['  X-Key:a:b \n\n Authorization :  Bearer x\r\n', { 'X-Key': 'a:b', Authorization: 'Bearer x' }],
  ['', null],
  [' \n ', null],
  ['no colon', null],
  [': no name', null],
  ['X-Key:', null],
  ['X-Key: a\nrest', null],
])('%j is read as the headers %j', (text, headers) => {
  expect(parseHeaderLines(text)).toEqual(headers);
});

it('an error message names its header', () => {
  expect(addHeaderNameToErrorMessage('headers.Host', 'is a header that deliveries set themselves')).toBe(
    'Host: is a header that deliveries set themselves',
  );
  expect(addHeaderNameToErrorMessage('headers', 'must hold at most 10 headers')).toBe('must hold at most 10 headers');
});
