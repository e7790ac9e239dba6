import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedByMailProvider } from './provider-signature.rules';

/** The secret and the values below are the examples that Svix publishes. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNED_S = 1_614_265_330;
const PUBLISHED = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: String(SIGNED_S),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: '{"test": 2432232314}',
};
const at = (seconds: number) => new Date((SIGNED_S + seconds) * 1_000);
const signature = (id: string, timestamp: string, body: string, key = SECRET.slice(6)) =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64');

it.each([-300, 0, 300])('the published signature is valid %i s after it was made', (seconds) => {
  expect(isSignedByMailProvider(PUBLISHED, SECRET, at(seconds))).toBe(true);
});

it('a valid signature may be one of several, and the secret may lack its prefix', () => {
  const several = { ...PUBLISHED, signature: `v1a,xyz v1,AAAA ${PUBLISHED.signature} v2,x` };
  expect(isSignedByMailProvider(several, SECRET, at(0))).toBe(true);
  expect(isSignedByMailProvider(PUBLISHED, SECRET.slice(6), at(0))).toBe(true);
});

describe('an invalid signature', () => {
  it.each([-301, 301])('is one seen %i s after it was made', (seconds) => {
    expect(isSignedByMailProvider(PUBLISHED, SECRET, at(seconds))).toBe(false);
  });
  it.each([
    ['of another body', { body: `${PUBLISHED.body} ` }],
    ['of another id', { id: 'msg_2' }],
    ['without an id', { id: null }],
    ['without a time', { timestamp: null }],
    ['without a signature', { signature: null }],
    ['of another version', { signature: PUBLISHED.signature.replace('v1,', 'v2,') }],
    ['that was truncated', { signature: PUBLISHED.signature.slice(0, 20) }],
    ['that is empty', { signature: 'v1,' }],
    // The signature is correct, so the request is refused only because of its time.
    [
      'with a time that is not an integer',
      { timestamp: '1614265330.0', signature: `v1,${signature(PUBLISHED.id, '1614265330.0', PUBLISHED.body)}` },
    ],
    ['with a time of thirteen digits', { timestamp: '1614265330000' }],
  ])('is one %s', (_name, changes) => {
    expect(isSignedByMailProvider({ ...PUBLISHED, ...changes }, SECRET, at(0))).toBe(false);
  });
  it('is one with another secret, or with none', () => {
    expect(isSignedByMailProvider(PUBLISHED, `whsec_${Buffer.from('another').toString('base64')}`, at(0))).toBe(false);
    const empty = { ...PUBLISHED, signature: `v1,${signature(PUBLISHED.id, PUBLISHED.timestamp, PUBLISHED.body, '')}` };
    expect(isSignedByMailProvider(empty, 'whsec_', at(0))).toBe(false);
  });
});
