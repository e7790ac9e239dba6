/**
 * Tests the client against the real API, with every response validated: the arrival-release recipe,
 * lists, errors, idempotency and ETags.
 */
import { NotFoundError, responseOf, Threshold } from '@threshold/client';
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import {
  type ApiTestContext,
  createScopeForTestTeam,
  getIsoDateDaysFromNow,
  openApiTestContext,
  signAsGuest,
} from '../api/test-context';

let world: ApiTestContext;
let threshold: Threshold;
beforeAll(async () => {
  world = await openApiTestContext();
  threshold = new Threshold({ apiKey: world.team.test, baseUrl: world.api.url });
});
afterAll(() => world.close());

const stay = (property_id: string, guest_name = 'Ada Lovelace') => ({
  property_id,
  guest_name,
  guest_email: 'ada@example.com',
  checkin_date: getIsoDateDaysFromNow(world.clock, 10),
  checkout_date: getIsoDateDaysFromNow(world.clock, 14),
});

it('walks the arrival-release recipe', async () => {
  const property = await threshold.properties.create({ name: 'Harbour Loft' });
  const packet = await threshold.packets.updateDefault(property.id, {
    rules: [{ text: 'No smoking indoors.' }],
    arrival_details: { door_code: '1234' },
    arrival_release: { door_code: 'after_signing' },
  });
  expect(packet.arrival_release.door_code).toBe('after_signing');
  const endpoint = await threshold.webhookEndpoints.create({
    url: 'https://example.com/hooks',
    events: ['reservation.arrival_details_released'],
  });
  expect(endpoint.signing_secret).toMatch(/^whsec_/);

  const reservation = await threshold.reservations.create(stay(property.id));
  const sent = await threshold.reservations.send(reservation.id);
  expect([sent.status, sent.arrival_release_state]).toEqual(['sent', 'ready_to_hold']);
  expect((await threshold.reservations.copyLink(reservation.id)).signingUrl).toContain('/sign/');
  expect((await threshold.reservations.emailPreview(reservation.id)).would_send_to).toBe('ada@example.com');

  const signature = await signAsGuest(createScopeForTestTeam(world.team, 'test'), reservation.id);
  const certificate = await threshold.certificates.retrieve(signature);
  expectTypeOf(certificate.audit_trail.content_hash).toEqualTypeOf<string>();
  expect(certificate.reservation_id).toBe(reservation.id);
  const timeline = await threshold.reservations.events(reservation.id);
  expect(timeline.data.map(({ type }) => type)).toContain('reservation.arrival_details_released');
});

it('iterates over lists without a cursor and over packet lists like any other list', async () => {
  const { id } = await threshold.properties.create({ name: 'Two Packets' });
  await threshold.packets.create(id, { name: 'Winter' });
  const names: string[] = [];
  for await (const { name } of threshold.packets.list(id)) names.push(name);
  expect(names).toHaveLength(2);
  for await (const endpoint of threshold.webhookEndpoints.list()) expect(endpoint.object).toBe('webhook_endpoint');
  for await (const _ of threshold.syncSources.list()) expect.fail('There is none.');
  for await (const _ of threshold.smsMessages.list()) expect.fail('There is none.');
});

it('a repeated idempotency key returns the first response', async () => {
  const options = { idempotencyKey: 'job-7' };
  const first = await threshold.properties.create({ name: 'Once' }, options);
  const again = await threshold.properties.create({ name: 'Once' }, options);
  expect(again).toEqual(first);
  expect(responseOf(again)?.headers.get('idempotent-replay')).toBe('true');
});

it('an ETag rejects a write that would overwrite another', async () => {
  const property = await threshold.properties.create({ name: 'Shared' });
  const etag = responseOf(await threshold.properties.retrieve(property.id))?.headers.get('etag') ?? '';
  await threshold.properties.update(property.id, { name: 'Theirs' });
  await expect(threshold.properties.update(property.id, { name: 'Ours' }, { ifMatch: etag })).rejects.toMatchObject({
    name: 'ConflictError',
    code: 'etag_mismatch',
  });
});

it('an error has the class, code and request id of the API’s response', async () => {
  const error = await threshold.reservations.retrieve('res_nothing00').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ code: 'resource_missing', status: 404, requestId: expect.stringMatching(/^req_/) });
  await expect(threshold.reservations.create({ ...stay('prop_nothing00'), guest_name: '' })).rejects.toMatchObject({
    name: 'InvalidRequestError',
    param: 'guest_name',
  });
});

it('delete returns what the operation responds with', async () => {
  const { id } = await threshold.properties.create({ name: 'Short-lived' });
  const packet = await threshold.packets.create(id, { name: 'Spare' });
  expect(await threshold.packets.delete(packet.id)).toBeUndefined();
  expect(await threshold.properties.delete(id, { force: true })).toEqual({ id, object: 'property', deleted: true });
});

it('calls that the document forbids do not compile', () => {
  const refused = [
    // @ts-expect-error: `name` is required.
    () => threshold.properties.create({ city: 'Cascais' }),
    // @ts-expect-error: there is no such status.
    () => threshold.reservations.list({ status: 'eaten' }),
    // @ts-expect-error: an id is needed.
    () => threshold.reservations.send(),
    // @ts-expect-error: there is no such operation.
    () => threshold.certificates.create({}),
    // @ts-expect-error: options are no body.
    () => threshold.packets.archive('pkt_1', { name: 'Winter' }),
  ];
  expect(refused).toHaveLength(5);
});
