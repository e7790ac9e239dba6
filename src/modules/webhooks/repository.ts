/** Queries on webhook endpoints and deliveries, for a team; the delivery worker's are in queue.repository.ts. */
import type { Event, Prisma, WebhookDelivery, WebhookEndpoint } from '@/generated/prisma/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function findEndpoint(scope: Scope, id: string, db = scopedDb(scope)): Promise<WebhookEndpoint | null> {
  return db.webhookEndpoint.findFirst({ where: { id } });
}

export function listEndpoints(scope: Scope, limit: number): Promise<Page<WebhookEndpoint>> {
  return listKeyset(scopedDb(scope).webhookEndpoint, 'webhookEndpoint', 'webhook_endpoint', {}, { limit });
}

export function countEndpoints(_scope: Scope, db: ScopedDb): Promise<number> {
  return db.webhookEndpoint.count({});
}

export function insertEndpoint(
  scope: Scope,
  data: Omit<Prisma.WebhookEndpointUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<WebhookEndpoint> {
  return db.webhookEndpoint.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`; null when another change came first. */
export async function saveEndpoint(
  _scope: Scope,
  id: string,
  version: number,
  changes: Prisma.WebhookEndpointUncheckedUpdateManyInput,
  db: ScopedDb,
): Promise<WebhookEndpoint | null> {
  const rows = await db.webhookEndpoint.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

/** Its deliveries go with it. */
export async function deleteEndpoint(_scope: Scope, id: string, db: ScopedDb): Promise<boolean> {
  return (await db.webhookEndpoint.deleteMany({ where: { id } })).count === 1;
}

/** Attempts, newest first. */
export function listDeliveries(scope: Scope, endpoint_id: string, limit: number): Promise<Page<WebhookDelivery>> {
  return listKeyset(scopedDb(scope).webhookDelivery, 'webhookDelivery', 'webhook_delivery', { endpoint_id }, { limit });
}

/** The latest attempt of an event at an endpoint. */
export function findLatestDelivery(
  scope: Scope,
  endpoint_id: string,
  event_id: string,
  db = scopedDb(scope),
): Promise<WebhookDelivery | null> {
  return db.webhookDelivery.findFirst({ where: { endpoint_id, event_id }, orderBy: { attempt_number: 'desc' } });
}

export function findEvent(scope: Scope, id: string, db = scopedDb(scope)): Promise<Event | null> {
  return db.event.findFirst({ where: { id } });
}

export function insertDelivery(
  scope: Scope,
  data: Omit<Prisma.WebhookDeliveryUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<WebhookDelivery> {
  return db.webhookDelivery.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Inserts unless another attempt took the number meanwhile: then null. */
export async function insertDeliveryUnlessTaken(
  scope: Scope,
  data: Omit<Prisma.WebhookDeliveryCreateManyInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<WebhookDelivery | null> {
  const rows = await db.webhookDelivery.createManyAndReturn({
    data: [{ ...data, team_id: scope.team_id, mode: scope.mode }],
    skipDuplicates: true,
  });
  return rows[0] ?? null;
}

/** Makes a pending attempt due now. */
export async function hastenDelivery(
  _scope: Scope,
  id: string,
  now: Date,
  db: ScopedDb,
): Promise<WebhookDelivery | null> {
  const rows = await db.webhookDelivery.updateManyAndReturn({
    where: { id, status: 'pending' },
    data: { due_at: now, trigger: 'redelivery' },
  });
  return rows[0] ?? null;
}
