import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCustomHeaderProblem, isDifferentOrigin } from './custom-headers.rules';
import { buildWebhookSignatureHeaders } from './signature.rules';

describe('custom headers', () => {
  it.each([
    [{}],
    [{ Authorization: 'Bearer of-the-receivers-gateway' }],
    [{ 'X-Api-Key': 'k', 'x-tenant_id': 'a b' }],
    [{ 'CF-Access-Client-Id': '~!@#' }],
    [{ ['X'.repeat(64)]: 'x'.repeat(1_000) }],
    [Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-${index}`, 'x']))],
  ])('the headers %o are accepted', (headers) => {
    expect(findCustomHeaderProblem(headers)).toBeNull();
  });

  it.each([
    ['Host', 'x'],
    ['CONNECTION', 'close'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Type', 'text/plain'],
    ['content-length', '0'],
    ['Content-Encoding', 'gzip'],
    ['User-Agent', 'curl'],
    ['Proxy-Authorization', 'x'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Forwarded', 'for=10.0.0.1'],
    ['Service-Anything', 'x'],
    ['webhook-extra', 'x'],
    ['Expect', '100-continue'],
    ['__proto__', 'x'],
    ['', 'x'],
    ['Two Words', 'x'],
    ['Colon:', 'x'],
    ['Line\nBreak', 'x'],
    ['X-Ümlaut', 'x'],
    ['X'.repeat(65), 'x'],
    ['X-Ok', ''],
    ['X-Ok', ' around '],
    ['X-Ok', 'line\r\nX-Injected: 1'],
    ['X-Ok', 'Zoë'],
    ['X-Ok', '\u0000'],
    ['X-Ok', 'x'.repeat(1_001)],
  ])('the header %j with the value %j is refused', (name, value) => {
    expect(findCustomHeaderProblem({ [name]: value })?.name).toBe(name);
  });

  it('cannot replace a header that the delivery itself sends', () => {
    const ours = buildWebhookSignatureHeaders({
      event_id: 'evt_1',
      body: '{}',
      secrets: ['whsec_AAAA'],
      now: new Date(),
    });
    for (const name of [...Object.keys(ours), 'Content-Type', 'User-Agent', 'Service-Event', 'Service-Attempt'])
      expect(findCustomHeaderProblem({ [name]: 'x' }), name).not.toBeNull();
  });

  it('are unique regardless of case, and limited to ten', () => {
    expect(findCustomHeaderProblem({ 'X-Key': 'a', 'x-key': 'b' })?.message).toContain('twice');
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'x']));
    expect(findCustomHeaderProblem(many)?.name).toBeNull();
  });

  it('that are accepted are sent unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        if (findCustomHeaderProblem({ [name]: value })) return;
        expect(new Headers({ [name]: value }).get(name)).toBe(value);
      }),
    );
  });
});

it.each([
  ['https://a.example/x', 'https://a.example/y', false],
  ['https://a.example/x', 'https://A.example:443/x', false],
  ['https://a.example/x', 'https://b.example/x', true],
  ['https://a.example/x', 'https://a.example:8443/x', true],
  ['http://a.example/x', 'https://a.example/x', true],
])('%s and %s are different receivers: %s', (before, after, other) => {
  expect(isDifferentOrigin(before, after)).toBe(other);
});
