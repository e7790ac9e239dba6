/**
 * Queries on a team's endpoints and deliveries. delivery/queue.repository.ts contains the delivery
 * worker's queries.
 */
import type { Prisma, WebhookDelivery, WebhookEndpoint } from '@/generated/prisma/client';
import { listRowsByKeyset, type Page, type PageQuery } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function findEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint | null> {
  return scopedDb(scope).webhookEndpoint.findFirst({ where: { id } });
}

export function listEndpoints(scope: Scope, query: PageQuery): Promise<Page<WebhookEndpoint>> {
  return listRowsByKeyset(scopedDb(scope).webhookEndpoint, 'webhookEndpoint', 'webhook_endpoint', {}, query);
}

export function countEndpoints(scope: Scope): Promise<number> {
  return scopedDb(scope).webhookEndpoint.count({});
}

export function insertEndpoint(
  scope: Scope,
  data: Omit<Prisma.WebhookEndpointUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<WebhookEndpoint> {
  return scopedDb(scope).webhookEndpoint.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves the endpoint only if its version is still `version`. Otherwise returns null. */
export async function saveEndpoint(
  scope: Scope,
  id: string,
  version: number,
  changes: Prisma.WebhookEndpointUncheckedUpdateManyInput,
): Promise<WebhookEndpoint | null> {
  const rows = await scopedDb(scope).webhookEndpoint.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

/** Deletes the endpoint with its deliveries. */
export async function deleteEndpoint(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).webhookEndpoint.deleteMany({ where: { id } })).count === 1;
}

/** Returns the latest attempt of an event at an endpoint. */
export function findLatestDelivery(
  scope: Scope,
  endpoint_id: string,
  event_id: string,
): Promise<WebhookDelivery | null> {
  return scopedDb(scope).webhookDelivery.findFirst({
    where: { endpoint_id, event_id },
    orderBy: { attempt_number: 'desc' },
  });
}

export function insertDelivery(
  scope: Scope,
  data: Omit<Prisma.WebhookDeliveryUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<WebhookDelivery> {
  return scopedDb(scope).webhookDelivery.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Inserts an attempt. Returns null when an attempt with the same number already exists. */
export async function insertDeliveryUnlessExists(
  scope: Scope,
  data: Omit<Prisma.WebhookDeliveryCreateManyInput, 'team_id' | 'mode'>,
): Promise<WebhookDelivery | null> {
  const rows = await scopedDb(scope).webhookDelivery.createManyAndReturn({
    data: [{ ...data, team_id: scope.team_id, mode: scope.mode }],
    skipDuplicates: true,
  });
  return rows[0] ?? null;
}

/** Makes a pending attempt due now. */
export async function rescheduleDeliveryToNow(scope: Scope, id: string, now: Date): Promise<WebhookDelivery | null> {
  const rows = await scopedDb(scope).webhookDelivery.updateManyAndReturn({
    where: { id, status: 'pending' },
    data: { due_at: now, trigger: 'redelivery' },
  });
  return rows[0] ?? null;
}
