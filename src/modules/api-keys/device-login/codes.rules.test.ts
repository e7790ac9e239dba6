import { expect, it } from 'vitest';
import {
  buildDeviceApiKeyName,
  formatDeviceLoginUserCode,
  generateDeviceCode,
  generateDeviceLoginUserCode,
  parseDeviceLoginUserCode,
  parseDeviceName,
} from './codes.rules';

it('codes differ each time, and a formatted code is parsed back', () => {
  const codes = Array.from({ length: 200 }, generateDeviceLoginUserCode);
  expect(new Set(codes).size).toBe(200);
  expect(new Set(codes.join('')).size).toBe(20);
  for (const code of codes) {
    expect(formatDeviceLoginUserCode(code)).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(parseDeviceLoginUserCode(formatDeviceLoginUserCode(code))).toBe(code);
  }
  expect(generateDeviceCode()).toMatch(/^[\w-]{43}$/);
});

it.each([
  ['BCDF-GHJK', 'BCDFGHJK'],
  [' bcdf ghjk\n', 'BCDFGHJK'],
  ['bcdfghjk', 'BCDFGHJK'],
  // Phone keyboards replace two hyphens with a long dash.
  ['BCDF—GHJK', 'BCDFGHJK'],
  ['BCDF-GHJ', null],
  ['BCDF-GHJKL', null],
  ['BCDF-GHJA', null],
  ['BCDF-GHJ1', null],
  ['', null],
  ['🙂'.repeat(8), null],
])('the typed code %j is read as %j', (text, code) => expect(parseDeviceLoginUserCode(text)).toBe(code));

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
])('the device name %j is read as %j', (text, name) => expect(parseDeviceName(text)).toBe(name));

it('a key is named after its computer, within the length limit', () => {
  expect(buildDeviceApiKeyName('ada-laptop')).toBe('Command line on ada-laptop');
  expect(buildDeviceApiKeyName(null)).toBe('Command line');
  expect(buildDeviceApiKeyName('x'.repeat(60)).length).toBeLessThanOrEqual(80);
});
