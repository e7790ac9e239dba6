/**
 * Queries on endpoints, keys, links and settings that a member set up, in both modes. The audit log
 * names the author of an endpoint, link or setting. A key's row names the author of the key.
 */
import { systemDb } from '@/infra/db/client';

export const findMember = (team_id: string, id: string) =>
  systemDb().member.findFirst({
    where: { id, organizationId: team_id },
    select: { userId: true, role: true, sees_guests: true, user: { select: { email: true } } },
  });

export const countOwners = (team_id: string) =>
  systemDb().member.count({ where: { organizationId: team_id, role: 'owner' } });

export const findTeamEndpoints = (team_id: string) =>
  systemDb().webhookEndpoint.findMany({
    where: { team_id },
    select: { id: true, mode: true, url: true, status: true, portal_expires_at: true },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });

export const findActiveApiKeysCreatedByMember = (team_id: string, user_id: string, now: Date) =>
  systemDb().apiKey.findMany({
    where: { team_id, created_by: user_id, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] },
    select: { id: true, mode: true, name: true },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });

export const findPropertiesThatMayUseMemberResources = (team_id: string, addresses: readonly string[]) =>
  systemDb().property.findMany({
    where: {
      team_id,
      OR: [
        { reply_to_email: { in: [...addresses], mode: 'insensitive' } },
        { embed_origins: { isEmpty: false } },
        { custom_domain_verified_at: { not: null } },
      ],
    },
    select: {
      id: true,
      mode: true,
      name: true,
      reply_to_email: true,
      embed_origins: true,
      custom_domain: true,
      custom_domain_verified_at: true,
    },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });

/** Returns audit entries with these actions and objects, oldest first. */
export const findAuditEntries = (team_id: string, actions: readonly string[], object_ids: readonly string[]) =>
  systemDb().auditLog.findMany({
    where: { team_id, action: { in: [...actions] }, object_id: { in: [...object_ids] } },
    select: { action: true, actor: true, object_id: true, data: true },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
