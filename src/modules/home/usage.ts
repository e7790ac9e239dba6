/** A team's usage of its plan's limits in each mode. */
import { config } from '@/config';
import { getPricePlanLimits, type TeamPricePlanColumns } from '@/modules/accounts/plans.rules';
import type { PricingPlan } from '@/modules/accounts/schemas';
import { loadTeamPricePlanColumns } from '@/modules/accounts/team.service';
import { getApiKeyState, MAX_API_KEYS_PER_MODE } from '@/modules/api-keys/rules';
import { MAX_ENDPOINTS_PER_MODE } from '@/modules/webhooks/service';
import { clock } from '@/shared/clock';
import type { Mode, Scope } from '@/shared/scope';
import * as repository from './repository';
import type { PricePlanUsage, PricePlanUsageInMode } from './schemas';

export async function getPricePlanUsage(scope: Scope): Promise<PricePlanUsage> {
  const team = await loadTeamPricePlanColumns(scope);
  const { rate_limit_read_per_minute, rate_limit_write_per_minute } = config();
  return {
    plan: team.plan as PricingPlan,
    limits: {
      api_keys: MAX_API_KEYS_PER_MODE,
      webhook_endpoints: MAX_ENDPOINTS_PER_MODE,
      reads_per_minute: rate_limit_read_per_minute,
      writes_per_minute: rate_limit_write_per_minute,
    },
    live: await modeUsage(scope, team, 'live'),
    test: await modeUsage(scope, team, 'test'),
  };
}

async function modeUsage(
  { team_id, actor }: Scope,
  team: TeamPricePlanColumns,
  mode: Mode,
): Promise<PricePlanUsageInMode> {
  const { keys, ...counts } = await repository.countPricePlanUsage({ team_id, mode, actor });
  const now = clock().now();
  return {
    ...counts,
    limits: getPricePlanLimits(team, mode),
    api_keys: keys.filter((key) => getApiKeyState(key, now) === 'active').length,
  };
}
