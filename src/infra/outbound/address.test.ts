import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedOutboundIpAddress, isLoopbackAddress, isPublicIpAddress } from './address';

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '99.84.1.2',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.0.1',
  '192.167.1.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '2400:cb00::1',
];

const NOT_PUBLIC: [why: string, ...addresses: string[]][] = [
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '127.1.2.3', '::1'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['link-local and metadata', '169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf::1'],
  ['carrier-grade NAT', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['Azure’s wire server', '168.63.129.16'],
  ['IETF and Oracle’s metadata', '192.0.0.1', '192.0.0.192'],
  ['documentation', '192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['reserved', '240.0.0.1', '254.1.1.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8', '::a9fe:a9fe'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::'],
  ['ORCHID and other protocol assignments', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1::1', '2001:3::1'],
  ['AS112', '192.175.48.1', '192.31.196.1', '2001:4:112::1', '2620:4f:8000::1'],
  ['automatic multicast tunnelling', '192.52.193.1'],
  ['unique local', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['site-local', 'fec0::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['outside 2000::/3', '1fff::1', '4000::1', '8000::1', '1::1'],
  ['no address at all', '', 'localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '8.8.8', '08.8.8.8', '[::1]'],
  ['with a zone', 'fe80::1%eth0', '2606:4700::1%1', '::1%lo'],
];

describe('isPublicIpAddress', () => {
  it.each(PUBLIC)('allows %s', (address) => {
    expect(isPublicIpAddress(address)).toBe(true);
  });

  it.each(NOT_PUBLIC.flatMap(([why, ...addresses]) => addresses.map((address) => [why, address] as const)))(
    'rejects %s: %s',
    (_why, address) => {
      expect(isPublicIpAddress(address)).toBe(false);
    },
  );

  it('rejects every IPv6 address that contains an IPv4 address in a well-known form', () => {
    const hex = fc.integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
    const form = fc.constantFrom(
      (a: string, b: string) => `::${a}:${b}`,
      (a: string, b: string) => `::ffff:${a}:${b}`,
      (a: string, b: string) => `::ffff:0:${a}:${b}`,
      (a: string, b: string) => `64:ff9b::${a}:${b}`,
      (a: string, b: string) => `64:ff9b:1::${a}:${b}`,
      (a: string, b: string) => `2002:${a}:${b}::1`,
      (a: string, b: string) => `2001:0:${a}:${b}::1`,
    );
    fc.assert(fc.property(form, hex, hex, (write, a, b) => !isPublicIpAddress(write(a, b))));
  });

  it('never throws, whatever the input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        expect(typeof isPublicIpAddress(text)).toBe('boolean');
      }),
    );
  });
});

describe('isAllowedOutboundIpAddress', () => {
  it('allows loopback only with its option', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1']) {
      expect(isLoopbackAddress(address)).toBe(true);
      expect(isAllowedOutboundIpAddress(address, true)).toBe(true);
      expect(isAllowedOutboundIpAddress(address, false)).toBe(false);
    }
  });

  it('allows no other private address along with loopback', () => {
    for (const address of [
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '::',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'fd00::1',
    ]) {
      expect(isAllowedOutboundIpAddress(address, true)).toBe(false);
    }
  });
});
