import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getClientIpAddress,
  getIpAddressRateLimitKey,
  isIpAddressAllowed,
  isIpAddressInRanges,
  normalizeIpAddress,
  normalizeIpRange,
} from './ip';

describe('allowlist entries', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ])('%s is stored as %s', (text, canonical) => expect(normalizeIpRange(text)).toBe(canonical));

  it.each([
    '',
    'localhost',
    '10.1',
    '0x7f.1',
    '2130706433',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/',
    '192.0.2.1/8/8',
    '192.0.2.256',
    '2001:db8::1/129',
    '::ffff:10.0.0.0/64',
    'fe80::1%eth0/64',
    '192.0.2.1/a',
    '010.0.0.1',
    '*',
  ])('%j is rejected', (text) => expect(normalizeIpRange(text)).toBeNull());
});

describe('allowlist matching', () => {
  it.each([
    ['192.0.2.1', ['192.0.2.1'], true],
    ['192.0.2.2', ['192.0.2.1'], false],
    ['192.0.2.255', ['192.0.2.0/24'], true],
    ['192.0.3.0', ['192.0.2.0/24'], false],
    ['192.0.2.77', ['192.0.2.64/26'], true],
    ['192.0.2.128', ['192.0.2.64/26'], false],
    ['::ffff:192.0.2.1', ['192.0.2.0/24'], true],
    ['::ffff:c000:201', ['192.0.2.1'], true],
    ['192.0.2.1', ['::ffff:192.0.2.1'], true],
    ['192.0.2.1', ['::ffff:192.0.2.0/120'], true],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:0db8:0000::5', ['2001:db8::5'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['192.0.2.1', ['::/0'], false],
    ['2001:db8::5', ['0.0.0.0/0'], false],
    ['192.0.2.1', ['10.0.0.0/8', '192.0.2.1'], true],
    ['192.0.2.1', ['rubbish'], false],
    ['rubbish', ['0.0.0.0/0', '::/0'], false],
  ])('%s in %j: %s', (address, ranges, expected) => expect(isIpAddressInRanges(address, ranges)).toBe(expected));

  it('an empty list allows every address, and any other list rejects an unknown one', () => {
    expect(isIpAddressAllowed('192.0.2.1', [])).toBe(true);
    expect(isIpAddressAllowed(null, [])).toBe(true);
    expect(isIpAddressAllowed(null, ['0.0.0.0/0'])).toBe(false);
    expect(isIpAddressAllowed('192.0.2.1', ['192.0.2.0/24'])).toBe(true);
    expect(isIpAddressAllowed('198.51.100.1', ['192.0.2.0/24'])).toBe(false);
  });

  it('agrees with bit arithmetic for every IPv4 address and prefix', () => {
    const bits = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, base, prefix) => {
        const size = 2 ** (32 - prefix);
        const expected = Math.floor(bits(address) / size) === Math.floor(bits(base) / size);
        expect(isIpAddressInRanges(address, [`${base}/${prefix}`])).toBe(expected);
        expect(isIpAddressInRanges(`::ffff:${address}`, [normalizeIpRange(`${base}/${prefix}`)!])).toBe(expected);
      }),
    );
  });
});

describe('getClientIpAddress', () => {
  const proxies = ['10.0.0.0/8', '::1'];
  it.each([
    ['no proxy is trusted by default', '10.0.0.1', '203.0.113.9', [], '10.0.0.1'],
    ['the header of an untrusted client is ignored', '198.51.100.1', '203.0.113.9', proxies, '198.51.100.1'],
    ['a trusted proxy names the client', '10.0.0.1', '203.0.113.9', proxies, '203.0.113.9'],
    ['entries that the client prepended are ignored', '10.0.0.1', '127.0.0.1, 203.0.113.9', proxies, '203.0.113.9'],
    [
      'several trusted proxies are skipped',
      '10.0.0.1',
      '1.1.1.1, 203.0.113.9, 10.2.2.2, 10.3.3.3',
      proxies,
      '203.0.113.9',
    ],
    ['if all are trusted, the left-most is used', '10.0.0.1', '10.9.9.9, 10.2.2.2', proxies, '10.9.9.9'],
    ['without a header the proxy is used', '10.0.0.1', undefined, proxies, '10.0.0.1'],
    ['with an empty header the proxy is used', '10.0.0.1', '', proxies, '10.0.0.1'],
    ['an invalid entry ends the search', '10.0.0.1', '203.0.113.9, unknown', proxies, '10.0.0.1'],
    ['an invalid entry further left is never reached', '10.0.0.1', 'unknown, 203.0.113.9', proxies, '203.0.113.9'],
    ['ports are dropped', '10.0.0.1', '203.0.113.9:4711', proxies, '203.0.113.9'],
    ['brackets are dropped', '10.0.0.1', '"[2001:db8::1]:4711"', proxies, '2001:db8::1'],
    ['several headers are read as one list', '10.0.0.1', ['1.1.1.1', '203.0.113.9'], proxies, '203.0.113.9'],
    ['an IPv4-mapped socket address is read as IPv4', '::ffff:10.0.0.1', '203.0.113.9', proxies, '203.0.113.9'],
    ['IPv6 proxies are trusted too', '::1', '::ffff:203.0.113.9', proxies, '203.0.113.9'],
    ['a closed socket has no address', undefined, '203.0.113.9', proxies, null],
  ])('%s', (_name, remote, header, trusted, expected) => {
    expect(getClientIpAddress(remote, header, trusted)).toBe(expected);
  });

  it('returns an address or null, whatever the header contains', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const address = getClientIpAddress('10.0.0.1', header, proxies);
        expect(address).toBe(normalizeIpAddress(address!));
      }),
    );
  });
});

describe('getIpAddressRateLimitKey', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    [null, 'unknown'],
  ])('%s counts under %s', (address, bucket) => expect(getIpAddressRateLimitKey(address)).toBe(bucket));
});
