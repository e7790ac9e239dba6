/**
 * Triggers every event with a real action. Checks that its body matches the OpenAPI document's
 * `webhooks` and contains no other fields.
 */
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { systemDb } from '@/infra/db/client';
import {
  type ApiCaller,
  type ApiTestContext,
  buildIcalendarText,
  createApiCaller,
  createScopeForTestTeam,
  DAY_MS,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  makeProperty,
  makeReservation,
  makeSyncSource,
  openApiTestContext,
  signAsGuest,
} from './test-context';

let world: ApiTestContext;
let caller: ApiCaller;

beforeAll(async () => {
  world = await openApiTestContext();
  caller = createApiCaller(world.api, world.team.live);
});
afterAll(() => world.close());

/** Returns a validator with the document's schemas. It refuses additional properties. */
async function strictValidator() {
  const { buildOpenApiDocument } = await import('@/api/openapi');
  const document = JSON.parse(JSON.stringify(buildOpenApiDocument()), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi', undefined, false);
  return (type: string, body: unknown): string | null => {
    const { $ref } = document.webhooks[type].post.requestBody.content['application/json'].schema;
    const validate = ajv.compile({ $ref: `openapi${$ref}` });
    return validate(body) ? null : ajv.errorsText(validate.errors);
  };
}

/** Triggers every event. */
async function live(): Promise<void> {
  const scope = createScopeForTestTeam(world.team, 'live');
  const property = await makeProperty(caller);
  expectHttpStatus(await caller.patch(`/properties/${property.id}`, { name: 'Harbour Loft', city: 'Cascais' }), 200);
  const packet = expectHttpStatus(
    await caller.patch(`/properties/${property.id}/packet`, {
      rules: [{ text: 'No smoking indoors.' }],
      fees: [{ label: 'Late check-out', amount_cents: 5000 }],
      arrival_details: { door_code: '4711', wifi: { network: 'Loft', password: 'secret' }, parking_notes: 'Behind.' },
      arrival_release: { door_code: 'after_signing', wifi: 'after_signing', parking_notes: 'manual' },
    }),
    200,
  );
  const spare = expectHttpStatus(
    await caller.post(`/properties/${property.id}/packets`, { name: 'Spare', copy_from: packet.id }),
    201,
  );
  expectHttpStatus(await caller.del(`/packets/${spare.id}`), 204);

  const signed = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.post(`/reservations/${signed.id}/send`), 200);
  await signAsGuest(scope, signed.id);
  const { recordGuestPageView } = await import('@/modules/signing/service');
  await recordGuestPageView({ ...scope, actor: { kind: 'guest' } }, signed.id, { ip: '192.0.2.7' });
  const { sealCertificate } = await import('@/modules/certificates/seal/sealing');
  const { signature_id } = expectHttpStatus(await caller.get(`/reservations/${signed.id}`), 200);
  await sealCertificate(scope, signature_id);

  const cancelled = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.post(`/reservations/${cancelled.id}/cancel`), 200);

  const draft = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.patch(`/reservations/${draft.id}`, { metadata: { unit: '4b' } }), 200);
  expectHttpStatus(await caller.del(`/reservations/${draft.id}`), 200);

  const early = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.post(`/reservations/${early.id}/send`), 200);
  const host = await import('@/modules/reservations/host.service');
  await host.releaseArrivalDetails(scope, early.id, { reason: 'The guest called from the door.' });
  await host.markReservationSigned(scope, early.id);

  const source = await makeSyncSource(scope, property.id);
  world.feed.text = buildIcalendarText([
    {
      uid: 'one@example.com',
      start: getIsoDateDaysFromNow(world.clock, 20),
      end: getIsoDateDaysFromNow(world.clock, 24),
    },
  ]);
  expectHttpStatus(await caller.post(`/sync_sources/${source}/run`), 200);
  const sources = await import('@/modules/sync-sources/host.service');
  await sources.updateSyncSource(scope, { id: source, enabled: false });

  const unsigned = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.post(`/reservations/${unsigned.id}/send`), 200);
  world.clock.advance(365 * DAY_MS);
  const { performDueScheduledActions } = await import('@/modules/reservations/timed/due-work');
  expect(await performDueScheduledActions('expire', unsigned.id)).toBe('done');
  const empty = await makeProperty(caller);
  expectHttpStatus(await caller.del(`/properties/${empty.id}`), 200);
}

it('every event type is emitted, and its payload matches its own schema', async () => {
  const problems = await strictValidator();
  await live();
  const events = await systemDb().event.findMany({ where: { team_id: world.team.id }, orderBy: { sequence: 'asc' } });
  const found = events.flatMap(({ type, body }) => {
    const problem = problems(type, JSON.parse(body));
    return problem ? [{ type, problem }] : [];
  });
  expect(found).toEqual([]);
  expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
});
