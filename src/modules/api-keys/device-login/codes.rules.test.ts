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
  ['ada-laptop.local', 'ada-laptop'],
  ['Adas-MacBook-Pro-2', 'Adas-MacBook-Pro-2'],
  ['DESKTOP-AB12CD3', 'DESKTOP-AB12CD3'],
  ['ip-10-0-0', 'ip-10-0-0'],
  ['x'.repeat(30), 'x'.repeat(30)],
  ['x'.repeat(31), null],
  ['Threshold Support - press Allow', null],
  ['threshold-laptop', null],
  ['press-allow', null],
  ['your-host-wants-to-log-in', null],
  ['Zoë’s MacBook', null],
  ['аdmin', null],
  ['a\u202eb', null],
  ['a\nb', null],
  ['-', null],
  ['', null],
  [null, null],
])('a computer that says it is %j is %j', (text, name) => expect(readDeviceName(text)).toBe(name));

it('a key is called after its computer, and fits', () => {
  expect(keyName('ada-laptop')).toBe('Command line on ada-laptop');
  expect(keyName(null)).toBe('Command line');
  expect(keyName('x'.repeat(60)).length).toBeLessThanOrEqual(80);
});
