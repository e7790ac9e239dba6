import { expect, it } from 'vitest';
import { findLogoUrlRefusalReason } from './logo-url.rules';

const own = 'http://localhost:3000/logo/';
const refused = (text: string, allow_loopback = false) =>
  findLogoUrlRefusalReason(text, { own, allow_loopback }) !== null;

it.each([
  'http://cdn.example.com/l.png',
  'https://user:pass@cdn.example.com/l.png',
  'https://user@cdn.example.com/l.png',
  'https://192.168.1.1/l.png',
  'https://3232235777/l.png',
  'https://0x7f.1/l.png',
  'https://[2001:db8::1]/l.png',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/l.png',
  'https://localhost./l.png',
  'https://app.localhost/l.png',
  'https://intranet/l.png',
  'http://127.0.0.1:8080/l.png',
])('the logo URL %s is rejected', (text) => expect(refused(text)).toBe(true));

it.each(['https://cdn.example.com:8443/a;b,c*d.png', 'https://example.com/logo.png', `${own}0123.png`])(
  'the logo URL %s is accepted',
  (text) => expect(refused(text)).toBe(false),
);

it('a loopback logo URL is accepted only where the operator allows it, and without a password', () => {
  for (const text of ['http://127.0.0.1:8080/l.png', 'http://localhost/l.png', 'https://[::1]/l.png'])
    expect([refused(text), refused(text, true)]).toEqual([true, false]);
  expect(refused('http://user:pass@localhost/l.png', true)).toBe(true);
  expect(refused('http://192.168.1.1/l.png', true)).toBe(true);
});
