import { expect, it } from 'vitest';
import { safeNext } from './paths';

it.each([
  ['/reservations?status=sent', '/reservations?status=sent'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [null, '/'],
  [undefined, '/'],
])('after signing in, %s leads to %s', (next, target) => {
  expect(safeNext(next)).toBe(target);
});
