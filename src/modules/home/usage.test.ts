import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { createApiKey, revokeApiKey, rotateApiKey } from '@/modules/api-keys/service';
import { createPacket } from '@/modules/packets/service';
import { createProperty } from '@/modules/properties/service';
import { createEndpoint } from '@/modules/webhooks/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { getPricePlanUsage } from './usage';

beforeAll(async () => void (await openTestDatabase()));
afterAll(closeTestDatabase);

let live: Scope;
let test: Scope;
beforeEach(async () => {
  await clearDatabase();
  live = await insertTeam('live');
  test = { ...live, mode: 'test' };
});

const nothing = { properties: 0, active_packets: 0, fullest_property: null, api_keys: 0, webhook_endpoints: 0 };

describe('a team’s usage of its plan', () => {
  it('is counted separately in each mode, without other teams', async () => {
    const other = await insertTeam('live', 'otto@example.com');
    await createProperty(other, { name: 'Not ours' } as never);
    await createProperty(live, { name: 'House' } as never);
    await createEndpoint(test, { url: 'https://hooks.example/a', events: ['reservation.signed'] });
    const usage = await getPricePlanUsage(live);
    expect(usage).toMatchObject({
      plan: 'pro',
      limits: { api_keys: 3, webhook_endpoints: 16 },
      live: { ...nothing, properties: 1, active_packets: 1, fullest_property: { name: 'House', active_packets: 1 } },
      test: { ...nothing, webhook_endpoints: 1 },
    });
    expect(await getPricePlanUsage(test)).toEqual(usage);
  });

  it('names the property with the most active packets, without archived ones', async () => {
    await createProperty(live, { name: 'One packet' } as never);
    const fuller = await createProperty(live, { name: 'Three packets' } as never);
    for (const name of ['B', 'C', 'D']) await createPacket(live, fuller.id, { name } as never);
    await systemDb().packet.updateMany({
      where: { name: 'D' },
      data: { status: 'archived', archived_at: new Date(), is_default: false },
    });
    expect((await getPricePlanUsage(live)).live).toMatchObject({
      active_packets: 4,
      fullest_property: { id: fuller.id, active_packets: 3 },
    });
  });

  it('counts only active keys, not revoked ones or predecessors of rotated ones', async () => {
    const keys = [await createApiKey(live, { name: 'A' }), await createApiKey(live, { name: 'B' })];
    await rotateApiKey(live, keys[0]?.id ?? '');
    await revokeApiKey(live, keys[1]?.id ?? '');
    expect((await getPricePlanUsage(live)).live.api_keys).toBe(1);
  });

  it('follows the plan and its add-ons', async () => {
    await systemDb().team.update({ where: { id: live.team_id }, data: { property_limit: 40 } });
    expect(await getPricePlanUsage(live)).toMatchObject({
      live: { limits: { properties: 40 } },
      test: { limits: { properties: 40 } },
    });
    await systemDb().team.update({ where: { id: live.team_id }, data: { plan: 'free' } });
    expect(await getPricePlanUsage(live)).toMatchObject({
      live: { limits: { properties: 1, active_packets: 5, mails_a_day: 30 } },
      test: { limits: { properties: 25, active_packets: 5, mails_a_day: null } },
    });
  });
});
