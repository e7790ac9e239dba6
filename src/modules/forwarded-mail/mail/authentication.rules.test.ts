/** Parses Authentication-Results headers (RFC 8601). For whole mails, see mail.test.ts. */
import { describe, expect, it } from 'vitest';
import { checkDkimAlignment, isSameOrSubdomain, parseAuthenticationResults } from './authentication.rules';

const CHANNEL = 'channel-a.example';
const verdict = (headers: string | string[], from: string | null = CHANNEL, trusted: string | null = 'mx.t') =>
  checkDkimAlignment([headers].flat(), trusted, from, ['channel-b.example', CHANNEL]);
const PASS = 'mx.t; dkim=pass header.d=channel-a.example';

describe('a mail is proven to be a channel’s', () => {
  it.each([
    [PASS, CHANNEL],
    ['mx.t; dkim=pass header.d=Mail.Channel-A.example', 'mail.channel-a.example'],
    [
      'MX.T 1; spf=fail; DKIM=PASS (good; signature) header.i=@mail.channel-a.example header.b="a;b"',
      'mail.channel-a.example',
    ],
    ['mx.t; dkim=pass header.i=no-reply@channel-a.example', CHANNEL],
    ['mx.t; dkim=fail header.d=channel-a.example; dkim=pass header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass header.d=mailer.example; dkim=pass header.d=channel-a.example', CHANNEL],
    ['"mx.t"; dkim = pass header.d = "channel-a.example"', CHANNEL],
    ['mx.t;\r\n\tdkim=pass\r\n\theader.d=channel-a.example', CHANNEL],
    ['mx.t (our (own) server); dkim=pass (2048-bit key) header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass (a \\) b) header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass reason="a (b" header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass reason="a \\" (b" header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass ) header.d=channel-a.example', CHANNEL],
    ['mx.t; dkim=pass (a "b) header.d=channel-a.example', CHANNEL],
    ['mx.t  12; dkim  =  pass header.d \r\n = channel-a.example', CHANNEL],
  ])('by %j', (header, domain) => {
    expect(verdict(header)).toEqual({ aligned: true, domain });
  });

  it('from a subdomain of the signing domain', () => {
    expect(verdict(PASS, 'messages.channel-a.example').aligned).toBe(true);
  });

  it('by the trusted server’s first header among the topmost ten', () => {
    const other = 'mx.other.example; dkim=fail';
    expect(verdict([...Array(9).fill(other), PASS]).aligned).toBe(true);
    expect(verdict([...Array(10).fill(other), PASS])).toEqual({ aligned: false, reason: 'no_trusted_result' });
    expect(verdict(['mx.t; dkim=fail', PASS])).toEqual({ aligned: false, reason: 'no_dkim_pass' });
    expect(verdict(['; dkim=pass', PASS], CHANNEL, ' MX.T ').aligned).toBe(true);
  });
});

describe('a mail is not proven to be a channel’s', () => {
  it.each([
    ['mx.t; dkim=fail header.d=channel-a.example', 'no_dkim_pass'],
    ['mx.t; dkim=pass', 'other_domain'],
    ['mx.t; dkim=pass header.d=notchannel-a.example', 'other_domain'],
    ['mx.t; dkim=pass header.d=channel-b.example', 'other_domain'],
    ['mx.t; dkim=pass header.d=evil.example header.d=channel-a.example', 'other_domain'],
    ['mx.t; dkim=pass header.d=evil.example header.i=@channel-a.example', 'other_domain'],
    ['mx.t; dkim=pass header.i=x@channel-a.example@evil.example', 'other_domain'],
    ['mx.t; dkim=pass header.d=evil.example (header.d=channel-a.example)', 'other_domain'],
    ['mx.t; dkim=pass (\\) header.d=channel-a.example) header.d=evil.example', 'other_domain'],
    ['mx.t; dkim=pass (a (b) header.d=channel-a.example) header.d=evil.example', 'other_domain'],
    ['mx.t; dkim=pass reason="header.d=channel-a.example" header.d=evil.example', 'other_domain'],
    ['mx.t; dkim=pass reason="; dkim=pass header.d=channel-a.example"', 'other_domain'],
    ['mx.t; spf=pass smtp.mailfrom="\\"; dkim=pass header.d=channel-a.example; x=\\""@evil.example', 'no_dkim_pass'],
    ['mx.t; dkim=pass header.i="\\" header.d=channel-a.example x=\\""@evil.example', 'other_domain'],
    ['mx.t; spf=pass smtp.mailfrom="; dkim=pass header.d=channel-a.example', 'no_dkim_pass'],
    ['mx.t; dkim=pass header.d=channel-a.example (', 'no_dkim_pass'],
    ['mx.t; dkim=pass x.header.d=channel-a.example header.d=evil.example', 'other_domain'],
    ['mx.t; spf=pass header.d=channel-a.example', 'no_dkim_pass'],
    ['mx.t; spf=pass; dmarc=pass header.from=channel-a.example', 'no_dkim_pass'],
    ['mx.t; none', 'no_dkim_pass'],
    ['mx.t', 'no_dkim_pass'],
    ['mx.t (dkim=pass; header.d=channel-a.example)', 'no_dkim_pass'],
    ['mx.t.evil.example; dkim=pass header.d=channel-a.example', 'no_trusted_result'],
    ['mx.t evil; dkim=pass header.d=channel-a.example', 'no_trusted_result'],
    ['evil mx.t; dkim=pass header.d=channel-a.example', 'no_trusted_result'],
    ['', 'no_trusted_result'],
  ])('by %j', (header, reason) => {
    expect(verdict(header)).toEqual({ aligned: false, reason });
  });

  it.each([
    [null, 'mx.t', 'not_from_a_channel'],
    ['host.example', 'mx.t', 'not_from_a_channel'],
    [CHANNEL, null, 'no_trusted_result'],
    [CHANNEL, ' ', 'no_trusted_result'],
    [CHANNEL, 'mx.other.example', 'no_trusted_result'],
  ])('from %j, with %j as the trusted server', (from, trusted, reason) => {
    expect(verdict(PASS, from, trusted)).toEqual({ aligned: false, reason });
  });

  it('by a result beyond the maximum length of the header', () => {
    expect(verdict(`mx.t; x=${'y'.repeat(8_000)}; dkim=pass header.d=channel-a.example`)).toMatchObject({
      aligned: false,
    });
  });
});

it('an authentication header is parsed into the server’s name and each result with its properties', () => {
  const header =
    'Example.com 1; SPF=Pass smtp.mailfrom=example.net; dkim=fail reason="bad; signature" Header.D=Example.com';
  expect(parseAuthenticationResults(header)).toEqual({
    authserv_id: 'example.com',
    results: [
      { method: 'spf', result: 'pass', properties: new Map([['smtp.mailfrom', 'example.net']]) },
      {
        method: 'dkim',
        result: 'fail',
        properties: new Map([
          ['reason', 'bad; signature'],
          ['header.d', 'Example.com'],
        ]),
      },
    ],
  });
  expect(parseAuthenticationResults('; dkim=pass')).toBeNull();
});

it.each([
  ['a.example', 'a.example', true],
  ['b.a.example', 'a.example', true],
  [' B.A.Example. ', ' A.example ', true],
  ['ba.example', 'a.example', false],
  ['a.example', 'b.a.example', false],
  ['a.example.evil', 'a.example', false],
  ['', '', false],
  ['a.', '', false],
])('%j is within %j: %j', (domain, parent, within) => {
  expect(isSameOrSubdomain(domain, parent)).toBe(within);
});
