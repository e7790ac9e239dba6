/** Tests that the client accepts the product's signatures in both formats, and no others. */
import { type EventOf, WebhookSignatureError, webhooks } from '@threshold/client';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import {
  buildServiceSignatureHeaderValue,
  buildWebhookSignatureHeaders,
  generateSigningSecret,
} from '@/modules/webhooks/delivery/signature.rules';
import { buildSamplePayload } from '@/modules/webhooks/event-log/sample-payloads';

const NOW = new Date('2030-03-01T12:00:00.900Z');
const now = NOW.getTime();
const SECONDS = Math.floor(now / 1000);
const SECRET = generateSigningSecret();
const OTHER = generateSigningSecret();
const BODY = JSON.stringify({ id: 'evt_1', type: 'reservation.signed', data: { note: 'Grüße 🏠 Łódź' } });

const signed = (secrets: string[], body: string | Uint8Array = BODY, at = NOW) => ({
  ...buildWebhookSignatureHeaders({ event_id: 'evt_1', body, secrets, now: at }),
});
const ours = (headers: ReturnType<typeof signed>) => ({ 'Service-Signature': headers['Service-Signature'] });
const standard = ({ 'Service-Signature': _, ...headers }: ReturnType<typeof signed>) => headers;
const FORMS = [
  ['Service-Signature', ours],
  ['Standard Webhooks', standard],
  ['both', (headers: ReturnType<typeof signed>) => headers],
] as const;
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookSignatureError ? error.reason : String(error)),
  );

describe.each(FORMS)('a delivery signed as %s', (_name, form) => {
  const judge = (headers: ReturnType<typeof signed>, body = BODY, secret: string | string[] = SECRET) =>
    reasonOf(webhooks.verify(body, form(headers), secret, { now }));

  it('is accepted, and its event is returned', async () => {
    expect(await webhooks.verify(BODY, form(signed([SECRET])), SECRET, { now })).toEqual(JSON.parse(BODY));
  });

  it('verifies as text and as bytes, with headers of every kind', async () => {
    const headers = form(signed([SECRET]));
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const bytes = new TextEncoder().encode(BODY);
    const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY), within])
      for (const given of [headers, lower, new Headers(headers), new Request('http://a', { headers }).headers])
        expect(await reasonOf(webhooks.verify(body, given, SECRET, { now }))).toBe('verified');
  });

  it('verifies during a rotation, with either secret', async () => {
    expect(await judge(signed([OTHER, SECRET]))).toBe('verified');
    expect(await judge(signed([SECRET]), BODY, [OTHER, SECRET])).toBe('verified');
    expect(await judge(signed([SECRET]), BODY, [OTHER, generateSigningSecret()])).toBe('no_match');
  });

  it('fails with another body, with another secret, or outside the tolerance', async () => {
    const at = (seconds: number) => new Date(now + seconds * 1000);
    expect(await judge(signed([SECRET]), `${BODY} `)).toBe('no_match');
    expect(await judge(signed([OTHER]))).toBe('no_match');
    expect(await judge(signed([SECRET], BODY, at(-299)))).toBe('verified');
    expect(await judge(signed([SECRET], BODY, at(-302)))).toBe('outside_tolerance');
    expect(await judge(signed([SECRET], BODY, at(302)))).toBe('outside_tolerance');
    const later = form(signed([SECRET], BODY, at(-302)));
    expect(await reasonOf(webhooks.verify(BODY, later, SECRET, { now, toleranceSeconds: 600 }))).toBe('verified');
  });

  it('is checked against the current time by default', async () => {
    const headers = form(signed([SECRET], BODY, new Date()));
    expect(await reasonOf(webhooks.verify(BODY, headers, SECRET))).toBe('verified');
    expect(await reasonOf(webhooks.verify(BODY, form(signed([SECRET])), SECRET))).toBe('outside_tolerance');
  });

  it('verifies whatever its bytes, and fails when one of them changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), async (text, place) => {
        const bytes = Buffer.from(text);
        const headers = form(signed([SECRET], bytes));
        expect(await reasonOf(webhooks.verify(bytes, headers, SECRET, { now }))).toBe('verified');
        bytes[place % bytes.length]! ^= 1;
        expect(await reasonOf(webhooks.verify(bytes, headers, SECRET, { now }))).toBe('no_match');
      }),
      { numRuns: 50 },
    );
  });
});

describe('a signature header', () => {
  const good = buildServiceSignatureHeaderValue([SECRET], SECONDS, BODY);
  const digest = good.split('v1=')[1];
  it.each([
    ['', 'missing'],
    ['nonsense', 'malformed'],
    [`v1=${digest}`, 'malformed'],
    [`t=${SECONDS}`, 'malformed'],
    [`t=${SECONDS},v0=${digest}`, 'malformed'],
    [`t=${SECONDS},v1=é`, 'malformed'],
    [`t=${SECONDS},v1=${digest?.toUpperCase()}`, 'malformed'],
    [`t=${SECONDS},v1=${digest}00`, 'malformed'],
    [`t=x,v1=${digest}`, 'malformed'],
    [`t=1e9,v1=${digest}`, 'malformed'],
    [`t=-5,v1=${digest}`, 'malformed'],
    [`t=${SECONDS},t=${SECONDS},v1=${digest}`, 'malformed'],
    [`t=${'9'.repeat(400)},v1=${digest}`, 'malformed'],
    [`t=${SECONDS},v1=${'0'.repeat(64)}`, 'no_match'],
    [`t=${SECONDS},v1=${'0'.repeat(64)},v1=${digest}`, 'verified'],
    [` t=${SECONDS} , v1=${digest} `, 'verified'],
  ])('%s is %s', async (header, reason) => {
    expect(await reasonOf(webhooks.verify(BODY, { 'service-signature': header }, SECRET, { now }))).toBe(reason);
  });

  it.each([
    [{ 'webhook-timestamp': undefined }, 'malformed'],
    [{ 'webhook-id': 'evt_2' }, 'no_match'],
    [{ 'webhook-id': undefined }, 'no_match'],
    [{ 'webhook-signature': 'v1,***' }, 'malformed'],
    [{ 'webhook-signature': 'v1a,AAAA' }, 'malformed'],
    [{ 'webhook-signature': 'v1,AAAA' }, 'no_match'],
  ])('of Standard Webhooks with %o is %s', async (change, reason) => {
    const headers = { ...standard(signed([SECRET])), ...change };
    expect(await reasonOf(webhooks.verify(BODY, headers, SECRET, { now }))).toBe(reason);
  });

  it('with thousands of signatures is checked in little time', async () => {
    const began = performance.now();
    const header = `t=${SECONDS},${`v1=${'0'.repeat(64)},`.repeat(20_000)}`;
    await reasonOf(webhooks.verify(BODY, { 'service-signature': header }, SECRET, { now }));
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('an invalid secret', () => {
  it.each(['', [], ['']])('%o throws, because otherwise every delivery would fail silently', async (secret) => {
    await expect(webhooks.verify(BODY, signed([SECRET]), secret as string, { now })).rejects.toThrow(TypeError);
  });

  it('that is not base64 matches nothing, and does not affect the other secrets', async () => {
    const headers = standard(signed([SECRET]));
    expect(await reasonOf(webhooks.verify(BODY, headers, 'whsec_***', { now }))).toBe('no_match');
    expect(await reasonOf(webhooks.verify(BODY, headers, ['whsec_***', SECRET], { now }))).toBe('verified');
  });
});

it('the event’s type determines the type of its data, at compile time and at run time', async () => {
  for (const type of EVENT_TYPE_NAMES) {
    const body = JSON.stringify({ id: 'evt_1', type, data: buildSamplePayload(type, NOW) });
    const event = await webhooks.verify(body, signed([SECRET], body), SECRET, { now });
    expect(event.type).toBe(type);
    if (event.type === 'reservation.signed') {
      expectTypeOf(event.data.certificate_id).toEqualTypeOf<string | null>();
      expectTypeOf(event.data.object.signed_at).toEqualTypeOf<string | null>();
      expect(event.data.certificate_id).toMatch(/^sig_/);
    }
    if (event.type === 'reservation.arrival_details_released') {
      expectTypeOf(event).toEqualTypeOf<EventOf<'reservation.arrival_details_released'>>();
      expect(event.data.arrival_release.released.length).toBeGreaterThan(0);
    }
    // @ts-expect-error: a property's event has no certificate.
    if (event.type === 'property.created') expect(event.data.certificate_id).toBeUndefined();
  }
});
