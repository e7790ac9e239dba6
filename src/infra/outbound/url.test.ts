import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/shared/errors';
import { assertOutboundUrlAllowed, validateAndNormalizeOutboundUrl } from './url';

const codeOf = (raw: string, rules = {}) => {
  const verdict = validateAndNormalizeOutboundUrl(raw, rules);
  return verdict.ok ? 'ok' : verdict.code;
};

const ACCEPTED = [
  'https://hooks.partner.example/threshold',
  'https://example.com',
  'https://example.com:8443/x?y=1',
  'https://example.com:1024/',
  'https://example.com:443/',
  'HTTPS://EXAMPLE.COM/Path',
  'https://bücher.example/',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://example.com./',
  'https://localhost.example.com/',
];

const NOT_HTTPS = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_x',
  'javascript:alert(1)',
  'data:text/calendar,BEGIN',
  'webcal://example.com/feed.ics',
  '//example.com/',
  'example.com',
  'https:example.com',
  'https:/example.com',
  '',
  '   ',
];

const LOOPBACK_SPELLINGS = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.255.255.254/',
  'https://0x7f.1/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.0.0.01/',
  'https://127.0.0.1./',
  'https://127。0。0。1/',
  'https://127.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://app.localhost/',
  'https://localhost.localdomain/',
];

const OTHER_REFUSED = [
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fd00:ec2::254]/',
  'https://168.63.129.16/',
  'https://100.100.100.200/',
  'https://100.64.0.1/',
  'https://192.0.0.192/',
  'https://metadata.google.internal/',
  'https://metadata.google.internal./',
  'https://METADATA.GOOGLE.INTERNAL/',
  'https://metadata/',
  'https://instance-data/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://printer.local/',
  'https://router.home.arpa/',
  'https://10.0.0.1/',
  'https://172.16.5.4/',
  'https://192.168.1.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://203.0.113.5/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://:secret@example.com/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:1023/',
  'https://example.com:0/',
  'https://example.com:99999/',
  'https://example.com\\@127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https://exam ple.com/',
  'https://example.com/a b',
  'https://exam\tple.com/',
  'https://example.com/\r\nHost: other',
  'https://example.com/\u0000',
  'https:///example.com/',
  'https:////127.0.0.1/',
  'https://',
  'https://.example.com/',
  'https://a..example.com/',
  'https://.',
  'https://[::1',
  'https://[fe80::1%25eth0]/',
  `https://example.com/${'a'.repeat(2048)}`,
];

describe('URLs that a customer may have us call', () => {
  it.each(ACCEPTED)('accepts %s', (raw) => expect(codeOf(raw)).toBe('ok'));
  it.each(NOT_HTTPS)('rejects %j as not https', (raw) => expect(codeOf(raw)).toBe('url_not_https'));
  it.each(LOOPBACK_SPELLINGS)('rejects this machine spelt %s', (raw) => expect(codeOf(raw)).toBe('url_not_allowed'));
  it.each(OTHER_REFUSED)('rejects %j', (raw) => expect(codeOf(raw)).not.toBe('ok'));

  it('reads webcal as https for feeds only', () => {
    for (const raw of [
      'webcal://example.com/feed.ics?s=1',
      'WEBCAL://example.com/feed.ics?s=1',
      'webcals://example.com/feed.ics?s=1',
    ]) {
      expect(assertOutboundUrlAllowed(raw, { param: 'feed_url', allow_webcal: true }).href).toBe(
        'https://example.com/feed.ics?s=1',
      );
      expect(codeOf(raw)).toBe('url_not_https');
    }
    expect(codeOf('webcal://127.0.0.1/', { allow_webcal: true })).toBe('url_not_allowed');
  });

  it('drops the fragment and surrounding spaces', () => {
    expect(assertOutboundUrlAllowed('  https://example.com/a#b ', { param: 'url' }).href).toBe('https://example.com/a');
  });

  it('throws the error code with the caller’s param', () => {
    const thrown = (raw: string) => {
      try {
        assertOutboundUrlAllowed(raw, { param: 'url' });
      } catch (error) {
        return error;
      }
    };
    expect(thrown('http://example.com')).toBeInstanceOf(AppError);
    expect(thrown('http://example.com')).toMatchObject({ code: 'url_not_https', param: 'url' });
    expect(thrown('https://10.0.0.1')).toMatchObject({ code: 'url_not_allowed', param: 'url' });
  });

  describe('in development (allow_loopback)', () => {
    const rules = { allow_loopback: true };
    it.each([
      'http://127.0.0.1:4000/x',
      'http://localhost:4000/',
      'http://localhost/',
      'https://[::1]:8443/',
      'http://example.com/',
      'https://app.localhost/',
    ])('accepts %s', (raw) => expect(codeOf(raw, rules)).toBe('ok'));
    it.each([
      'http://10.0.0.1:4000/',
      'http://169.254.169.254/',
      'http://0.0.0.0:4000/',
      'http://[::ffff:127.0.0.1]/',
      'http://metadata.google.internal/',
      'http://u:p@localhost:4000/',
      'http://127.0.0.1:22/',
      'http://db/',
      'ftp://localhost/',
    ])('still rejects %s', (raw) => expect(codeOf(raw, rules)).not.toBe('ok'));
  });

  it('never throws, and accepts no non-public literal, whatever its notation', () => {
    const loopback = fc.tuple(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom(10, 16, 8)).map(([rest, base]) => {
      const address = 0x7f000000 + rest;
      return base === 10 ? String(address) : base === 16 ? `0x${address.toString(16)}` : `0${address.toString(8)}`;
    });
    fc.assert(fc.property(loopback, (host) => codeOf(`https://${host}/`) === 'url_not_allowed'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          expect(typeof validateAndNormalizeOutboundUrl(text).ok).toBe('boolean');
        },
      ),
    );
  });
});
