/** Tests combinations of the specification's rules. Other tests cover each rule separately. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ApiCaller,
  type ApiTestContext,
  buildReservationInput,
  createApiCaller,
  createScopeForTestTeam,
  DAY_MS,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  HOUR_MS,
  makeProperty,
  makeReservation,
  makeSignedReservation,
  makeUniqueText,
  makeWebhookEndpoint,
  openApiTestContext,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
let test: ApiCaller;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  test = createApiCaller(world.api, world.team.test);
});
afterAll(() => world.close());

const codeOf = ({ status, body }: TestResponse) => `${status} ${body?.error?.code}`;

it('rejects a time zone whose dates cannot be computed, so that no later request fails on it', async () => {
  for (const timezone of ['PST', 'jst', 'IST', 'Mars/Olympus'])
    expect(codeOf(await live.post('/properties', { name: 'Z', timezone })), timezone).toBe('400 invalid_field');
  for (const timezone of ['EST', 'Asia/Kolkata', 'Europe/Lisbon', 'utc']) {
    const property = await makeProperty(test, { timezone });
    const { id } = await makeReservation(test, world.clock, property.id);
    expectHttpStatus(await test.post(`/reservations/${id}/send`), 200);
    expectHttpStatus(await test.del(`/properties/${property.id}?force=true`), 200);
  }
});

it('a property stored earlier with such a time zone is treated as UTC', async () => {
  const { systemDb } = await import('@/infra/db/client');
  const property = await makeProperty(test);
  await systemDb().property.update({ where: { id: property.id }, data: { timezone: 'PST' } });
  const { id } = await makeReservation(test, world.clock, property.id);
  expectHttpStatus(await test.post(`/reservations/${id}/send`), 200);
  const { findDueScheduledActions } = await import('@/modules/reservations/timed/due-work');
  await expect(findDueScheduledActions()).resolves.toBeInstanceOf(Array);
  expectHttpStatus(await test.del(`/properties/${property.id}?force=true`), 200);
});

async function entriesOf(reservation_id: string): Promise<number> {
  const { systemDb } = await import('@/infra/db/client');
  return systemDb().trailEntry.count({ where: { reservation_id } });
}

it('stores a name of 120 characters in full, whatever the characters', async () => {
  const property = await makeProperty(test);
  for (const guest_name of ['𠮷'.repeat(120), `${'😀'.repeat(119)}A`, 'é'.repeat(120)]) {
    const { id } = await makeReservation(test, world.clock, property.id, { guest_name });
    const { body } = await test.get(`/reservations/${id}`);
    expect(body.guest_name).toBe(guest_name);
    const before = await entriesOf(id);
    expectHttpStatus(await test.patch(`/reservations/${id}`, { guest_name }), 200);
    expect(await entriesOf(id)).toBe(before);
  }
});

it('rejects a subdomain or custom domain that is not a valid host name', async () => {
  for (const subdomain of ['xn--a', 'xn--aaaa', 'xn--zz9'])
    expect(codeOf(await live.post('/properties', { name: 'S', subdomain })), subdomain).toBe('400 invalid_field');
  expect(codeOf(await live.post('/properties', { name: 'S', custom_domain: 'xn--a.example.com' }))).toBe(
    '400 invalid_field',
  );
});

it('arrival details added after the signature were never held, and announce no release', async () => {
  const property = await makeProperty(live);
  const { reservation_id } = await makeSignedReservation(
    live,
    world.clock,
    createScopeForTestTeam(world.team, 'live'),
    property.id,
  );
  await live.patch(`/properties/${property.id}/packet`, {
    arrival_details: { door_code: '4711' },
    arrival_release: { door_code: 'after_signing' },
  });
  const { body } = await live.get(`/reservations/${reservation_id}`);
  expect(body.arrival_release).toMatchObject({ state: 'not_held', next_events: [] });
});

it('on the free plan the mail limit rejects only requests that would send a mail', async () => {
  const { systemDb } = await import('@/infra/db/client');
  const team = await world.api.createTeam({ name: 'Free Stays' });
  const caller = createApiCaller(world.api, team.live);
  const property = await makeProperty(caller);
  const sent = await makeReservation(caller, world.clock, property.id);
  expectHttpStatus(await caller.post(`/reservations/${sent.id}/send`), 200);
  const { autoSendReservation, sendReservation } = await import('@/modules/reservations/send');
  const scope = createScopeForTestTeam(team, 'live');
  await systemDb().team.update({ where: { id: scope.team_id }, data: { plan: 'free' } });
  const mails = await systemDb().mailMessage.findMany({ where: { team_id: scope.team_id } });
  for (let n = 0; n < 40; n++)
    await systemDb().mailMessage.create({
      data: {
        ...mails[0]!,
        content: undefined,
        open_token_hash: null,
        provider_id: null,
        id: `mail_${makeUniqueText('limit')}`,
      },
    });
  await expect(sendReservation(scope, sent.id)).resolves.toBeTruthy();
  await expect(sendReservation(scope, 'res_nothing00')).rejects.toMatchObject({ code: 'resource_missing' });
  const draft = await makeReservationIn(scope, property.id);
  await expect(sendReservation(scope, draft)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await expect(autoSendReservation(scope, draft, () => false)).resolves.toBe(false);
});

async function makeReservationIn(
  scope: ReturnType<typeof createScopeForTestTeam>,
  property_id: string,
): Promise<string> {
  const { createReservation } = await import('@/modules/reservations/service');
  const { row } = await createReservation(scope, {
    ...buildReservationInput(world.clock, property_id),
    source: 'direct',
  });
  return row.id;
}

it('in test mode the 409 for a live property’s subdomain comes after a 404 and after the plan’s 402', async () => {
  const subdomain = makeUniqueText('held-').toLowerCase();
  await makeProperty(live, { subdomain });
  const own = await makeProperty(test);
  expect(codeOf(await test.patch('/properties/prop_nothing00', { subdomain }))).toBe('404 resource_missing');
  expect(codeOf(await test.patch(`/properties/${own.id}`, { subdomain }))).toBe('409 subdomain_taken');
  expect(codeOf(await test.post('/properties', { name: 'T', subdomain }))).toBe('409 subdomain_taken');
  const { systemDb } = await import('@/infra/db/client');
  const { id } = await systemDb().team.findFirstOrThrow({
    where: { id: createScopeForTestTeam(world.team, 'test').team_id },
  });
  const { property_limit } = await systemDb().team.findUniqueOrThrow({ where: { id } });
  await systemDb().team.update({ where: { id }, data: { property_limit: 1 } });
  expect(codeOf(await test.post('/properties', { name: 'T', subdomain }))).toBe('402 property_limit_reached');
  await systemDb().team.update({ where: { id }, data: { property_limit } });
});

it('the email preview shows the packet mail for 24 hours after the send, even if a reminder follows', async () => {
  const property = await makeProperty(test, { auto_reminders: true, timezone: 'UTC' });
  const { id } = await makeReservation(test, world.clock, property.id, {
    checkin_date: getIsoDateDaysFromNow(world.clock, 2),
    checkout_date: getIsoDateDaysFromNow(world.clock, 5),
  });
  expectHttpStatus(await test.post(`/reservations/${id}/send`), 200);
  const { body: preview } = await test.get(`/reservations/${id}/email_preview`);
  const { performDueScheduledActions } = await import('@/modules/reservations/timed/due-work');
  const start = world.clock.now().getTime();
  // Advances the clock hour by hour until a reminder is due.
  while ((await performDueScheduledActions('reminder_24h', id)) !== 'done') world.clock.advance(HOUR_MS);
  expect(world.clock.now().getTime() - start).toBeGreaterThan(0);
  const after = await test.get(`/reservations/${id}/email_preview`);
  if (world.clock.now().getTime() - start < DAY_MS) expect(after.body.subject).toBe(preview.subject);
  world.clock.advance(Math.max(0, DAY_MS - (world.clock.now().getTime() - start)) + SECOND_MS);
  expect(codeOf(await test.get(`/reservations/${id}/email_preview`))).toBe('404 email_preview_unavailable');
});

it('rejects a URL that exceeds the length limit once percent-encoded', async () => {
  for (const text of ['日'.repeat(300), 'é'.repeat(500)])
    expect(codeOf(await live.post('/webhook_endpoints', { url: `https://example.com/${text}` }))).toBe(
      '400 url_not_allowed',
    );
});

it('reports an invalid body before a missing resource', async () => {
  const nowhere = buildReservationInput(world.clock, 'prop_nothing00', { guest_email: 'x@guest.invalid' });
  expect(codeOf(await live.post('/reservations', nowhere))).toBe('400 invalid_field');
  expect(codeOf(await live.patch('/packets/pkt_nothing00', { welcome_message: '{{nope}}' }))).toBe('400 invalid_field');
  const rules = [
    { id: 'rule_same', text: 'a' },
    { id: 'rule_same', text: 'b' },
  ];
  expect(codeOf(await live.patch('/packets/pkt_nothing00', { rules }))).toBe('400 invalid_field');
  const property = await makeProperty(live);
  const other = expectHttpStatus(await live.post(`/properties/${property.id}/packets`, { name: 'Other' }), 201);
  expectHttpStatus(await live.post(`/packets/${other.id}/archive`), 200);
  expect(codeOf(await live.patch(`/packets/${other.id}`, { rules }))).toBe('400 invalid_field');
});

it('a consumer of the packet events always ends up with exactly one default', async () => {
  await makeWebhookEndpoint(live);
  const property = await makeProperty(live);
  const main = expectHttpStatus(await live.get(`/properties/${property.id}/packet`), 200);
  const other = expectHttpStatus(await live.post(`/properties/${property.id}/packets`, { name: 'Other' }), 201);
  expectHttpStatus(await live.post(`/packets/${other.id}/set-default`), 200);
  const { systemDb } = await import('@/infra/db/client');
  const events = await systemDb().event.findMany({ where: { type: 'packet.updated' }, orderBy: { id: 'asc' } });
  const mirror = new Map<string, boolean>([[main.id, true]]);
  for (const { object_id, body } of events) mirror.set(object_id, JSON.parse(body).data.object.is_default);
  expect([mirror.get(main.id), mirror.get(other.id)]).toEqual([false, true]);
});

it('previous_attributes include the domain verification that a new custom domain ends', async () => {
  const { systemDb } = await import('@/infra/db/client');
  const property = await makeProperty(live, { custom_domain: `${makeUniqueText('a')}.example.com` });
  const verified = new Date(world.clock.now());
  await systemDb().property.update({ where: { id: property.id }, data: { custom_domain_verified_at: verified } });
  expectHttpStatus(await live.patch(`/properties/${property.id}`, { custom_domain: null }), 200);
  const event = await systemDb().event.findFirstOrThrow({
    where: { type: 'property.updated', object_id: property.id },
    orderBy: { created_at: 'desc' },
  });
  expect(JSON.parse(event.body).data.previous_attributes).toMatchObject({
    custom_domain_verified_at: verified.toISOString(),
  });
});
