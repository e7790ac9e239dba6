import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isRequestPathDecodable, rewriteTargetToOriginForm } from './request-target';

function rewrite(url: string, method = 'GET') {
  const request = { url, method, headers: { host: 'threshold.example' } } as IncomingMessage;
  return rewriteTargetToOriginForm(request) ? [request.headers.host, request.url] : null;
}

describe('a request target', () => {
  it.each<[string, [string, string] | null]>([
    ['/sign/abc?lang=de', ['threshold.example', '/sign/abc?lang=de']],
    ['//elsewhere.example/', ['threshold.example', '//elsewhere.example/']],
    ['http://elsewhere.example/sign-in?a=b', ['elsewhere.example', '/sign-in?a=b']],
    ['HTTPS://elsewhere.example:8443', ['elsewhere.example:8443', '/']],
    ['http://elsewhere.example//twice', ['elsewhere.example', '//twice']],
    ['http://user:pass@elsewhere.example/', null],
    ['http:///nothing', null],
    ['http://[::1/', null],
    ['http://a b/', null],
    ['ftp://elsewhere.example/', null],
    ['*', null],
    ['', null],
  ])('%s is split into host and path, or rejected: %j', (url, expected) => {
    expect(rewrite(url)).toEqual(expected);
  });

  it('may be an asterisk for OPTIONS', () => {
    expect(rewrite('*', 'OPTIONS')).toEqual(['threshold.example', '*']);
  });
});

it.each([
  ['/portal/abc', true],
  ['/portal/%C3%A9?q=100%', true],
  ['/portal/%ff', false],
  ['/portal/%', false],
  ['/portal/%e0%80%80', false],
  ['/portal/a%00', false],
  ['/portal/a?after=%00', false],
])('the path of %s is valid: %s', (url, expected) => expect(isRequestPathDecodable(url)).toBe(expected));
