/** What a team uses of what its plan allows, in each mode: caps count a mode's own things. */
import { config } from '@/config';
import { scopedDb } from '@/infra/db/scoped-client';
import { KEYS_PER_MODE, keyState } from '@/modules/api-keys/rules';
import { MAX_ENDPOINTS } from '@/modules/webhooks/service';
import { clock } from '@/shared/clock';
import type { Mode, Scope } from '@/shared/scope';
import { loadTeamPlan } from './plan';
import { planLimits } from './plans.rules';
import type { ModeUsage, Plan, PlanUsage } from './schemas';

/** Reads the plan, its limits and the usage of both modes. */
export async function planUsage(scope: Scope): Promise<PlanUsage> {
  const team = await loadTeamPlan(scope);
  const allowed = planLimits(team);
  const { rate_limit_read_per_minute, rate_limit_write_per_minute } = config();
  return {
    plan: team.plan as Plan,
    limits: {
      properties: allowed?.properties ?? null,
      active_packets: allowed?.active_packets ?? null,
      api_keys: KEYS_PER_MODE,
      webhook_endpoints: MAX_ENDPOINTS,
      reads_per_minute: rate_limit_read_per_minute,
      writes_per_minute: rate_limit_write_per_minute,
    },
    live: await modeUsage(scope, 'live'),
    test: await modeUsage(scope, 'test'),
  };
}

async function modeUsage({ team_id, actor }: Scope, mode: Mode): Promise<ModeUsage> {
  const db = scopedDb({ team_id, mode, actor });
  const now = clock().now();
  const packets = await db.packet.groupBy({
    by: ['property_id'],
    where: { status: 'active' },
    _count: { id: true },
    orderBy: { _count: { id: 'desc' } },
  });
  const [fullest] = packets;
  const property = fullest && (await db.property.findFirst({ where: { id: fullest.property_id } }));
  const keys = await db.apiKey.findMany({ where: { revoked_at: null } });
  return {
    properties: await db.property.count({}),
    active_packets: packets.reduce((sum, { _count }) => sum + _count.id, 0),
    fullest_property: property ? { id: property.id, name: property.name, active_packets: fullest._count.id } : null,
    api_keys: keys.filter((key) => keyState(key, now) === 'active').length,
    webhook_endpoints: await db.webhookEndpoint.count({}),
  };
}
