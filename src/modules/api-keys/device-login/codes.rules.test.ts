import { expect, it } from 'vitest';
import { keyName, newDeviceCode, newUserCode, readDeviceName, readUserCode, showUserCode } from './codes.rules';

it('codes are new each time, and a shown one is read as it was made', () => {
  const codes = Array.from({ length: 200 }, newUserCode);
  expect(new Set(codes).size).toBe(200);
  expect(new Set(codes.join('')).size).toBe(20);
  for (const code of codes) {
    expect(showUserCode(code)).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(readUserCode(showUserCode(code))).toBe(code);
  }
  expect(newDeviceCode()).toMatch(/^[\w-]{43}$/);
});

it.each([
  ['BCDF-GHJK', 'BCDFGHJK'],
  [' bcdf ghjk\n', 'BCDFGHJK'],
  ['bcdfghjk', 'BCDFGHJK'],
  // A phone's keyboard makes a long dash of two short ones.
  ['BCDF—GHJK', 'BCDFGHJK'],
  ['BCDF-GHJ', null],
  ['BCDF-GHJKL', null],
  ['BCDF-GHJA', null],
  ['BCDF-GHJ1', null],
  ['', null],
  ['🙂'.repeat(8), null],
])('%j typed is %j', (text, code) => expect(readUserCode(text)).toBe(code));

it.each([
  ['ada-laptop.local', 'ada-laptop.local'],
  ['Zoë’s MacBook', 'Zoë’s MacBook'],
  [' <b>Threshold</b>: press “Allow” ', 'bThresholdb press Allow'],
  ['a\u202eb\u0000\n', 'ab'],
  ['x'.repeat(100), 'x'.repeat(60)],
  ['<>', null],
  ['', null],
  [null, null],
])('a computer that says it is %j is %j', (text, name) => expect(readDeviceName(text)).toBe(name));

it('a key is called after its computer, and fits', () => {
  expect(keyName('ada-laptop')).toBe('Command line on ada-laptop');
  expect(keyName(null)).toBe('Command line');
  expect(keyName('x'.repeat(60)).length).toBeLessThanOrEqual(80);
});
