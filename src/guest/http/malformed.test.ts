/**
 * Posts malformed forms to a guest's link. The response must be a page that refuses the form, never
 * an internal error.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { createShareableSigningLink } from '@/modules/reservations/host.service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleSignPageViewEvent, handleSignSubmit } from './sign';

let scope: Scope;
let tokens: { signing: string; share: string };

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: 'http://localhost:3000' });
  scope = await insertTeam();
  const { reservation_id } = await insertSentReservation(scope);
  const shared = (await insertSentReservation(scope)).reservation_id;
  await systemDb().reservation.update({
    where: { id: shared },
    data: { guest_email: null, status: 'synced', initial_status: 'synced', sent_at: null, signing_token_hash: null },
  });
  tokens = {
    signing: deriveLinkToken('signing', reservation_id),
    share: (await createShareableSigningLink(scope, shared)).split('/').at(-1) ?? '',
  };
});
afterAll(closeTestDatabase);

const post = (token: string, body: BodyInit | null, headers: Record<string, string>) =>
  new Request(`http://localhost:3000/sign/${token}?lang=en`, {
    method: 'POST',
    body,
    headers: { host: 'localhost:3000', ...headers },
  });

describe.each(['signing', 'share'] as const)('a %s link', (kind) => {
  it.each<[string, BodyInit | null, Record<string, string>]>([
    ['JSON', '{"intent":"sign"}', { 'content-type': 'application/json' }],
    ['an empty body', null, {}],
    ['plain text', 'intent=sign', { 'content-type': 'text/plain' }],
    ['bytes without a content type', new Uint8Array([1, 2, 3]), {}],
    ['a broken multipart form', '--x\r\nnothing', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a multipart form without a boundary', 'x', { 'content-type': 'multipart/form-data' }],
    ...['http://', '::', 'localhost:3000', 'https://evil.example', 'http://[', '\u00e9', 'null'].map(
      (origin): [string, BodyInit, Record<string, string>] => [
        `a form from the origin ${origin}`,
        new URLSearchParams({ intent: 'sign' }),
        { origin },
      ],
    ),
    ...['cross-site', 'same-site', 'none'].map((site): [string, BodyInit, Record<string, string>] => [
      `a form with Sec-Fetch-Site: ${site}`,
      new URLSearchParams({ intent: 'sign' }),
      { 'sec-fetch-site': site },
    ]),
  ])('returns a page with 400 for %s', async (_what, body, headers) => {
    const response = await handleSignSubmit(post(tokens[kind], body, headers), tokens[kind]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This form could not be read');
  });

  it('returns 422 for a form with files or NUL characters in text fields', async () => {
    const form = new FormData();
    for (const name of ['intent', 'typed_name', 'consent', 'photo', 'drawn_signature', 'otp_code', 'email'])
      form.set(name, new File(['x'], 'a.txt'));
    for (const body of [form, new URLSearchParams({ intent: '\0', typed_name: '\0\ud800', email: '\0@x.example' })])
      expect((await handleSignSubmit(post(tokens[kind], body, {}), tokens[kind])).status).toBe(422);
  });
});

it('a view reported from a malformed or foreign origin is not recorded', async () => {
  const { reservation_id } = await insertSentReservation(scope);
  const token = deriveLinkToken('signing', reservation_id);
  for (const origin of ['http://', '::', 'https://evil.example', 'null'])
    expect((await handleSignPageViewEvent(post(token, null, { origin }), token)).status).toBe(204);
  expect(await systemDb().reservation.findUnique({ where: { id: reservation_id } })).toMatchObject({
    clicked_at: null,
  });
});
