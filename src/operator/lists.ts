/** The operator's lists, over all teams, newest first. They contain no secrets. */
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';

interface Which {
  readonly team?: string;
  readonly mode?: Mode;
  readonly limit: number;
}

const newest = [{ created_at: 'desc' }, { id: 'desc' }] as const;
const of = ({ team, mode }: Which) => ({ ...(team && { team_id: team }), ...(mode && { mode }) });
const iso = (at: Date | null) => at?.toISOString() ?? null;

/** Throws when the given team does not exist, because an empty list would be misleading. */
async function assertTeam({ team }: Which): Promise<void> {
  if (team && !(await systemDb().team.findUnique({ where: { id: team }, select: { id: true } })))
    throw new Error(`There is no team ${team}.`);
}

export async function listTeams({ limit }: { limit: number }) {
  const rows = await systemDb().team.findMany({
    where: { plan: { not: 'deleted' } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    include: { members: { include: { user: { select: { email: true } } } } },
  });
  return rows.map(({ id, name, plan, members, createdAt }) => ({
    id,
    name,
    plan,
    owners: members.filter(({ role }) => role === 'owner').map(({ user }) => user.email),
    members: members.length,
    created_at: createdAt.toISOString(),
  }));
}

export async function listApiKeysForOperator(which: Which) {
  await assertTeam(which);
  const rows = await systemDb().apiKey.findMany({ where: of(which), orderBy: [...newest], take: which.limit });
  return rows.map((row) => ({
    id: row.id,
    team: row.team_id,
    mode: row.mode,
    name: row.name,
    type: row.type,
    scopes: row.scopes,
    ip_allow: row.ip_allow,
    last4: row.last4,
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    revoked_at: iso(row.revoked_at),
    created_at: row.created_at.toISOString(),
  }));
}

export async function listWebhookEndpoints(which: Which) {
  await assertTeam(which);
  const rows = await systemDb().webhookEndpoint.findMany({ where: of(which), orderBy: [...newest], take: which.limit });
  return rows.map((row) => ({
    id: row.id,
    team: row.team_id,
    mode: row.mode,
    url: row.url,
    status: row.status,
    events: row.events,
    consecutive_failures: row.consecutive_failures,
    last_success_at: iso(row.last_success_at),
    created_at: row.created_at.toISOString(),
  }));
}

export async function listSyncSources(which: Which) {
  await assertTeam(which);
  const rows = await systemDb().syncSource.findMany({ where: of(which), orderBy: [...newest], take: which.limit });
  return rows.map((row) => ({
    id: row.id,
    team: row.team_id,
    mode: row.mode,
    property: row.property_id,
    kind: row.kind,
    enabled: row.enabled,
    last_status: row.last_status,
    last_synced_at: iso(row.last_synced_at),
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
  }));
}
