/**
 * Removing a member ends the endpoints, keys and links that would still send the member the team's
 * data, unless the owner chooses to keep them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { createTeam } from '@/modules/accounts/service';
import { authenticateApiKey, createApiKey } from '@/modules/api-keys/service';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, updateProperty } from '@/modules/properties/service';
import { createSharedDeliveriesLink } from '@/modules/webhooks/portal/portal';
import { createEndpoint, rotateSigningSecret, updateEndpoint } from '@/modules/webhooks/service';
import type { Scope } from '@/shared/scope';
import { callDashboardRoute, DASHBOARD_TEST_ORIGIN, signIn } from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, commitTestEvent } from '@/testing/team';
import { listMemberOwnedResources } from './service';

const PASSWORD = 'a long password';
let team_id: string;
let eve: { user: string; member: string };
let scope: Scope;
let owner: Headers;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  setConfig({ rate_limit_read_per_minute: 100_000, rate_limit_write_per_minute: 100_000 });
  await clearDatabase();
  const made = await createTeam({
    name: 'One',
    owner_email: 'olga@example.com',
    owner_password: PASSWORD,
    plan: 'pro',
  });
  team_id = made.team.id;
  // Creates Eve's account with a second team, then moves her to the first team.
  await createTeam({ name: 'Two', owner_email: 'eve@example.com', owner_password: PASSWORD });
  const { id: user } = await systemDb().user.findUniqueOrThrow({ where: { email: 'eve@example.com' } });
  await systemDb().member.deleteMany({ where: { userId: user } });
  await systemDb().member.create({
    data: { id: 'mem_eve', organizationId: team_id, userId: user, role: 'owner' },
  });
  eve = { user, member: 'mem_eve' };
  scope = { team_id, mode: 'live', actor: { kind: 'user', id: user, name: 'Eve', role: 'owner' } };
  owner = await signIn('olga@example.com', PASSWORD);
});

/** Sets up one connection of each kind as Eve, and an endpoint and a key as another member. */
async function setUp() {
  const { row } = await createEndpoint(scope, { url: 'https://eve.example/in', events: ['*'] });
  await createSharedDeliveriesLink(scope, row.id, 7);
  const { key, id: key_id } = await createApiKey(scope, { name: 'Eve', created_by: eve.user });
  const property = await createProperty(
    scope,
    PropertyCreate.parse({
      ...{ name: 'Casa', reply_to_email: 'Eve@example.com', embed_origins: ['https://eve.example'] },
    }),
  );
  const { id: olga_id } = await systemDb().user.findUniqueOrThrow({ where: { email: 'olga@example.com' } });
  const olga = { ...scope, actor: { ...scope.actor, id: olga_id } } as Scope;
  const others = await createEndpoint(olga, { url: 'https://olga.example/in', events: ['*'] });
  const others_key = await createApiKey(olga, { name: 'Olga', created_by: olga_id });
  return { endpoint: row.id, key, key_id, property: property.id, others: others.row.id, others_key: others_key.key };
}

const remove = (end?: unknown) =>
  callDashboardRoute(owner, 'mutation', 'accounts.remove_member', { id: eve.member, ...(end ? { end } : {}) });
async function receivers() {
  await systemDb().webhookDelivery.deleteMany();
  await commitTestEvent(scope);
  while ((await relayEventBatch(async () => {})) > 0);
  const deliveries = await systemDb().webhookDelivery.findMany({ select: { endpoint_id: true } });
  return [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
}

describe('removing a member', () => {
  it('ends everything that still gives the member data, and nothing of other members', async () => {
    const made = await setUp();
    expect((await receivers()).sort()).toEqual([made.endpoint, made.others].sort());
    expect((await remove()).status).toBe(200);
    expect(await receivers()).toEqual([made.others]);
    await expect(authenticateApiKey(`Bearer ${made.key}`, null)).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect(await authenticateApiKey(`Bearer ${made.others_key}`, null)).toMatchObject({ scope: { team_id } });
    const endpoint = await systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id: made.endpoint } });
    expect(endpoint).toMatchObject({ status: 'disabled', portal_token_hash: null });
    const property = await systemDb().property.findUniqueOrThrow({ where: { id: made.property } });
    // Embedding gives the member no data, so it stays allowed unless the owner chooses to end it.
    expect(property).toMatchObject({ reply_to_email: null, embed_origins: ['https://eve.example'] });
    const actions = await systemDb().auditLog.findMany({
      where: { actor_name: { not: 'Eve' } },
      select: { action: true },
    });
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'webhook_endpoint.updated',
        'webhook_endpoint.portal_withdrawn',
        'api_key.revoked',
        'member.removed',
      ]),
    );
  });

  it('ends exactly the chosen items, and none that are not the member’s', async () => {
    const made = await setUp();
    const end = [
      { kind: 'embed_origins', id: made.property },
      { kind: 'webhook_endpoint', id: made.others },
    ];
    expect((await remove(end)).status).toBe(200);
    expect((await receivers()).sort()).toEqual([made.endpoint, made.others].sort());
    expect(await systemDb().property.findUniqueOrThrow({ where: { id: made.property } })).toMatchObject({
      embed_origins: [],
      reply_to_email: 'Eve@example.com',
    });
  });

  it('lists everything it would end, including others’ endpoints that the member redirected', async () => {
    const made = await setUp();
    await systemDb().property.update({
      where: { id: made.property },
      data: { custom_domain: 'stay.eve.example', custom_domain_verified_at: new Date() },
    });
    await updateEndpoint(scope, made.others, { url: 'https://eve.example/other' }, null);
    const answer = await callDashboardRoute(owner, 'query', 'accounts.member_belongings', { id: eve.member });
    const listed = answer.data as { kind: string; name: string; gives_data: boolean }[];
    expect(listed.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'webhook_endpoint https://eve.example/in',
      'webhook_endpoint https://eve.example/other',
      'portal_link https://eve.example/in',
      'api_key Eve',
      'reply_address Casa',
      'embed_origins Casa: https://eve.example',
      'custom_domain stay.eve.example',
    ]);
    expect(listed.filter(({ gives_data }) => !gives_data)).toHaveLength(2);
  });

  it('lists reply addresses that match a former email address of the account', async () => {
    await setUp();
    await systemDb().user.update({ where: { id: eve.user }, data: { email: 'eva@example.com' } });
    await recordTeamAuditEntry({
      ...{ team_id, action: 'user.email_changed', actor: eve.user, actor_name: 'Eve', object_id: eve.user, ip: null },
      data: { from: 'eve@example.com', to: 'eva@example.com' },
    });
    const listed = await listMemberOwnedResources(team_id, eve.member);
    expect(listed.map(({ kind, name }) => `${kind} ${name}`)).toContain('reply_address Casa');
  });

  it('also ends what the member creates concurrently', async () => {
    const making = Array.from({ length: 8 }, (_, index) =>
      createEndpoint(scope, { url: `https://eve.example/${index}`, events: ['*'] }).catch(() => null),
    );
    const [removed] = await Promise.all([remove(), ...making]);
    expect(removed.status).toBe(200);
    const enabled = { team_id, status: 'enabled', url: { startsWith: 'https://eve.example' } } as const;
    expect(await systemDb().webhookEndpoint.count({ where: enabled })).toBe(0);
    await expect(createEndpoint(scope, { url: 'https://eve.example/late', events: ['*'] })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it('is refused for the last owner, and another team’s member is not found', async () => {
    await setUp();
    await systemDb().member.deleteMany({ where: { user: { email: 'olga@example.com' } } });
    const { removeMember } = await import('./service');
    const doer = { team_id, user: { id: eve.user, name: 'Eve', email: 'eve@example.com' }, ip: null };
    await expect(removeMember(doer, { id: eve.member })).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await systemDb().webhookEndpoint.count({ where: { status: 'enabled' } })).toBe(2);
    await expect(listMemberOwnedResources('team_other', eve.member)).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});

describe('lowering a role', () => {
  const change = (input: object) =>
    callDashboardRoute(owner, 'mutation', 'accounts.update_member', { id: eve.member, ...input });
  const state = async () => ({
    enabled: await systemDb().webhookEndpoint.count({ where: { status: 'enabled' } }),
    portals: await systemDb().webhookEndpoint.count({ where: { portal_token_hash: { not: null } } }),
    keys: await systemDb().apiKey.count({ where: { revoked_at: null, created_by: eve.user } }),
    replies: await systemDb().property.count({ where: { reply_to_email: { not: null } } }),
  });

  it('ends what the new role may not set up, and nothing of other members', async () => {
    await setUp();
    expect(await state()).toEqual({ enabled: 2, portals: 1, keys: 1, replies: 1 });
    expect(await change({ role: 'manager' })).toMatchObject({ status: 200 });
    expect(await state()).toEqual({ enabled: 1, portals: 0, keys: 0, replies: 1 });
    expect(await change({ role: 'co_host', property_ids: [] })).toMatchObject({ status: 200 });
    expect(await state()).toMatchObject({ replies: 0 });
  });

  it('keeps a developer’s connections while an owner allows access to guest data', async () => {
    await setUp();
    await change({ role: 'developer', sees_guests: true });
    expect(await state()).toEqual({ enabled: 2, portals: 1, keys: 1, replies: 1 });
    await change({ role: 'developer', sees_guests: false });
    expect(await state()).toEqual({ enabled: 1, portals: 0, keys: 0, replies: 0 });
  });

  it('also ends what the member creates concurrently', async () => {
    const making = Array.from({ length: 8 }, (_, index) =>
      createEndpoint(scope, { url: `https://eve.example/${index}`, events: ['*'] }).catch(() => null),
    );
    const [changed] = await Promise.all([change({ role: 'manager' }), ...making]);
    expect(changed.status).toBe(200);
    expect(await state()).toMatchObject({ enabled: 0 });
    await expect(createEndpoint(scope, { url: 'https://eve.example/late', events: ['*'] })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it('assigns a co-host only properties of this team and mode', async () => {
    const { property } = await setUp();
    await change({ role: 'co_host', property_ids: [property] });
    expect(await systemDb().memberProperty.findMany()).toMatchObject([
      { member_id: eve.member, property_id: property },
    ]);
    expect(await change({ role: 'co_host', property_ids: ['prop_of_nobody'] })).not.toMatchObject({ status: 200 });
    expect(await systemDb().memberProperty.count()).toBe(1);
    await change({ role: 'manager' });
    expect(await systemDb().memberProperty.count()).toBe(0);
  });
});

it('a member who is not an owner cannot change where data is sent, by any procedure', async () => {
  const made = await setUp();
  await systemDb().member.update({ where: { id: eve.member }, data: { role: 'member' } });
  const headers = await signIn('eve@example.com', PASSWORD);
  const refused = { status: 403, error: { code: 'insufficient_scope' } };
  const { endpoint: id } = made;
  for (const [path, input] of Object.entries({
    'webhook_endpoints.create': { url: 'https://eve.example/2', events: ['*'] },
    'webhook_endpoints.update': { id, url: 'https://eve.example/3' },
    'webhook_endpoints.rotate': { id },
    'webhook_endpoints.delete': { id },
    'webhook_endpoints.enable': { id },
    'webhook_endpoints.share_portal': { id, days: 7 },
    'webhook_endpoints.withdraw_portal': { id },
    'properties.update': { id: made.property, embed_origins: ['https://eve.example', 'https://two.example'] },
    'properties.create': { name: 'Casa', embed_origins: ['https://eve.example'] },
    'accounts.remove_member': { id: eve.member },
    'accounts.member_belongings': { id: eve.member },
  })) {
    const kind = path.endsWith('belongings') ? 'query' : 'mutation';
    const answer = await callDashboardRoute(headers, kind, path, input);
    expect([path, answer.status, answer.error?.code]).toEqual([path, refused.status, refused.error.code]);
  }
  const member: Scope = { ...scope, actor: { kind: 'user', id: eve.user, name: 'Eve', role: 'manager' } };
  await expect(rotateSigningSecret(member, id)).rejects.toMatchObject({ code: 'insufficient_scope' });
  // Members may still change the property's other fields.
  expect(await updateProperty(member, made.property, { name: 'Casa Sol' }, null)).toMatchObject({ name: 'Casa Sol' });
});
