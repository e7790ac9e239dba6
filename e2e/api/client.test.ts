/**
 * Tests the client that openapi-typescript generates from the OpenAPI document, as a partner would
 * use it. The compiler checks its types.
 */
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { components, paths } from '../../packages/client/src/schema';
import { type ApiTestContext, openApiTestContext } from './test-context';

let world: ApiTestContext;
beforeAll(async () => {
  world = await openApiTestContext();
});
afterAll(() => world.close());

const clientOf = (key: string) =>
  createClient<paths>({ baseUrl: world.api.url, headers: { Authorization: `Bearer ${key}` } });

it('packages/client/src/schema.ts matches the committed document (`npm run openapi` generates it)', async () => {
  const generated =
    COMMENT_HEADER +
    astToString(await openapiTS(new URL('../../docs/openapi.json', import.meta.url), { defaultNonNullable: false }));
  expect(readFileSync('packages/client/src/schema.ts', 'utf8')).toBe(generated);
}, 60_000);

it('walks the arrival-release recipe with types from end to end', async () => {
  const client = clientOf(world.team.test);
  const property = await client.POST('/properties', { body: { name: 'Harbour Loft' } });
  if (!property.data) throw new Error(property.error.error.message);
  const { id } = property.data;

  const packet = await client.PATCH('/properties/{id}/packet', {
    params: { path: { id } },
    body: {
      rules: [{ text: 'No smoking indoors.' }],
      arrival_details: { door_code: '1234' },
      arrival_release: { door_code: 'after_signing' },
    },
  });
  const release: components['schemas']['PacketArrivalRelease'] | undefined = packet.data?.arrival_release;
  expect(release?.door_code).toBe('after_signing');

  const reservation = await client.POST('/reservations', {
    params: { header: { 'Idempotency-Key': 'recipe-1' } },
    body: {
      property_id: id,
      guest_name: 'Ada Lovelace',
      guest_email: 'ada@example.com',
      checkin_date: '2030-01-01',
      checkout_date: '2030-01-04',
    },
  });
  const reservation_id = reservation.data?.id ?? '';
  const sent = await client.POST('/reservations/{id}/send', { params: { path: { id: reservation_id } } });
  expect(sent.data?.arrival_release_state).toBe('ready_to_hold');

  const events = await client.GET('/reservations/{id}/events', { params: { path: { id: reservation_id } } });
  expect(events.data?.data.map((entry) => entry.type)).toEqual(['reservation.created', 'reservation.sent']);

  const page = await client.GET('/reservations', {
    params: { query: { status: 'sent', limit: 10, 'checkin_date.gte': '2030-01-01' } },
  });
  expect(page.data?.data.map((item) => item.id)).toEqual([reservation_id]);
});

it('types errors: the code is one of the catalogue', async () => {
  const { error, response } = await clientOf(world.team.live).GET('/properties/{id}', {
    params: { path: { id: 'prop_nothing00' } },
  });
  const code: components['schemas']['Error']['error']['code'] | undefined = error?.error.code;
  expect([response.status, code]).toEqual([404, 'resource_missing']);
});

it('calls that the document forbids do not compile', () => {
  const client = clientOf(world.team.live);
  // @ts-expect-error: `name` is required.
  const missing = () => client.POST('/properties', { body: { city: 'Cascais' } });
  // @ts-expect-error: there is no such status.
  const wrong = () => client.GET('/reservations', { params: { query: { status: 'eaten' } } });
  // @ts-expect-error: there is no such path.
  const nowhere = () => client.GET('/nothing');
  expect([missing, wrong, nowhere]).toHaveLength(3);
});
