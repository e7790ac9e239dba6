import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  buildServiceSignatureHeaderValue,
  buildWebhookSignatureHeaders,
  generateSigningSecret,
  listActiveSigningSecrets,
} from './signature.rules';

const NOW = new Date('2026-03-01T12:00:00.900Z');
const seconds = Math.floor(NOW.getTime() / 1000);
const later = (ms: number) => new Date(NOW.getTime() + ms);
const BODY = JSON.stringify({ id: 'evt_1', type: 'reservation.signed', data: { note: 'Grüße 🏠' } });
const sign = (secrets: string[], body = BODY, now = NOW) =>
  buildWebhookSignatureHeaders({ event_id: 'evt_01hxyz', body, secrets, now });

describe('generateSigningSecret', () => {
  it('returns whsec_ followed by the base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, () => generateSigningSecret());
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});

describe('Service-Signature', () => {
  const secret = generateSigningSecret();

  it('is a hex HMAC-SHA-256 of `<t>.<raw_body>` under the secret, for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
        expect(sign([secret], body)['Service-Signature']).toBe(`t=${seconds},v1=${expected}`);
      }),
    );
  });

  it('contains two v1 values during a rotation', () => {
    expect(sign([secret, generateSigningSecret()])['Service-Signature']).toMatch(
      /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
    );
  });

  it('is accepted by Stripe’s library with the old and the new secret during a rotation', () => {
    const stripe = new Stripe('sk_test_unused');
    const old = generateSigningSecret();
    const header = buildWebhookSignatureHeaders({
      event_id: 'evt_1',
      body: BODY,
      secrets: [secret, old],
      now: new Date(),
    });
    for (const key of [secret, old]) {
      expect(stripe.webhooks.constructEvent(BODY, header['Service-Signature'], key)).toMatchObject({ id: 'evt_1' });
    }
    expect(() => stripe.webhooks.constructEvent(BODY, header['Service-Signature'], generateSigningSecret())).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${BODY} `, header['Service-Signature'], secret)).toThrow();
  });

  it('is the same for bytes and their text', () => {
    expect(buildServiceSignatureHeaderValue([secret], seconds, Buffer.from(BODY))).toBe(
      buildServiceSignatureHeaderValue([secret], seconds, BODY),
    );
  });
});

describe('the Standard Webhooks headers', () => {
  /**
   * Verifies signatures as specified by Standard Webhooks 1.0, without the product's code. The key
   * is the decoded base64 after `whsec_`.
   */
  function verify(headers: ReturnType<typeof sign>, body: string, secret: string): boolean {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', key).update(content).digest('base64');
    return headers['webhook-signature'].split(' ').some((part) => {
      const [version, signature] = part.split(',');
      return version === 'v1' && signature === expected;
    });
  }

  it('are verified by the old and the new secret during a rotation', () => {
    const [secret, old] = [generateSigningSecret(), generateSigningSecret()];
    const headers = sign([secret, old]);
    expect(headers['webhook-id']).toBe('evt_01hxyz');
    expect(headers['webhook-timestamp']).toBe(String(seconds));
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    expect(verify(headers, BODY, secret)).toBe(true);
    expect(verify(headers, BODY, old)).toBe(true);
    expect(verify(headers, BODY, generateSigningSecret())).toBe(false);
    expect(verify(headers, `${BODY}x`, secret)).toBe(false);
  });

  it('match the specification’s published example', () => {
    const headers = buildWebhookSignatureHeaders({
      event_id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      now: new Date(1614265330_000),
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('have a new timestamp for every attempt, and the same id', () => {
    const secret = generateSigningSecret();
    const [first, second] = [sign([secret]), sign([secret], BODY, later(60_000))];
    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['webhook-timestamp']).not.toBe(first['webhook-timestamp']);
    expect(second['Service-Signature']).not.toBe(first['Service-Signature']);
  });
});

describe('listActiveSigningSecrets', () => {
  it.each([
    ['never rotated', [], ['c']],
    ['in its grace period', [['b', 1]], ['c', 'b']],
    ['at the end of its grace period', [['b', 0]], ['c']],
    ['after its grace period', [['b', -1]], ['c']],
    [
      'rotated twice',
      [
        ['b', 9],
        ['a', 1],
      ],
      ['c', 'b'],
    ],
    [
      'whose first rotation is over',
      [
        ['b', 9],
        ['a', 0],
      ],
      ['c', 'b'],
    ],
  ] as [string, [string, number][], string[]][])(
    'returns the valid secrets for a secret %s',
    (_name, previous, secrets) => {
      const previous_secrets = previous.map(([secret, ms]) => ({ secret, until: later(ms).toISOString() }));
      expect(listActiveSigningSecrets({ secret: 'c', previous_secrets }, NOW)).toEqual(secrets);
    },
  );
});
