/** Queries on shared links to an endpoint's deliveries. */
import type { WebhookDelivery, WebhookEndpoint } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** Saves a link and replaces the previous one. Null removes the link. */
export async function saveSharedDeliveriesLink(
  scope: Scope,
  id: string,
  link: { token_hash: string; expires_at: Date } | null,
): Promise<void> {
  await scopedDb(scope).webhookEndpoint.updateMany({
    where: { id },
    data: { portal_token_hash: link?.token_hash ?? null, portal_expires_at: link?.expires_at ?? null },
  });
}

export function findEndpointByDeliveriesLinkTokenHash(token_hash: string, now: Date): Promise<WebhookEndpoint | null> {
  return systemDb().webhookEndpoint.findFirst({
    where: { portal_token_hash: token_hash, portal_expires_at: { gt: now } },
  });
}

export type DeliveryAttemptWithBody = WebhookDelivery & { event: { body: string } };

/**
 * Returns an endpoint's attempts with their bodies, newest first, starting after a given attempt.
 */
export async function listDeliveryAttemptsWithBodies(
  scope: Scope,
  endpoint_id: string,
  after: string | null,
  limit: number,
): Promise<DeliveryAttemptWithBody[]> {
  const { webhookDelivery } = scopedDb(scope);
  const from = after
    ? await webhookDelivery.findFirst({ where: { id: after, endpoint_id }, select: { created_at: true, id: true } })
    : null;
  return webhookDelivery.findMany({
    where: {
      endpoint_id,
      ...(from && {
        OR: [{ created_at: { lt: from.created_at } }, { created_at: from.created_at, id: { lt: from.id } }],
      }),
    },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: limit,
    include: { event: { select: { body: true } } },
  });
}
