/** The delivery log: attempts and, in the dashboard, their requests and responses. */

import type { WebhookDelivery as DeliveryRow } from '@/generated/prisma/client';
import { createResourceMissingError } from '@/shared/errors';
import { parseStoredRefusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import type {
  DeliveryDetail,
  DeliveryEntry,
  EventDeliveryList,
  HostEventDeliveryListQuery,
  HostWebhookDeliveryListQuery,
} from './host.schemas';
import { serializeDelivery } from './serializer';
import { listEndpoints, MAX_ENDPOINTS_PER_MODE, retrieveEndpoint } from './service';

/** Lists the attempts at an endpoint, newest first. Throws resource_missing and invalid_cursor. */
export async function listDeliveryAttempts(scope: Scope, query: HostWebhookDeliveryListQuery) {
  const endpoint = await retrieveEndpoint(scope, query.id);
  return { ...(await repository.listDeliveryAttemptRows(scope, query)), endpoint };
}

/** The maximum number of attempts listed for an event. Older attempts are omitted. */
const MAX_ATTEMPTS_SHOWN = 20;

/**
 * Lists an endpoint's events with their attempts, newest first. Throws resource_missing and
 * invalid_cursor.
 */
export async function listEventDeliveries(
  scope: Scope,
  query: HostEventDeliveryListQuery,
): Promise<ResultWithUntranslatedRefusals<EventDeliveryList>> {
  const endpoint = await retrieveEndpoint(scope, query.id);
  const { data, has_more } = await repository.listFirstDeliveryAttemptOfEachEvent(scope, query);
  const attempts = await repository.findAttemptsOfEventsAtEndpoint(
    scope,
    query.id,
    data.map(({ event_id }) => event_id),
  );
  return {
    data: data.map(({ id, event_id, event_type, created_at }) => ({
      id,
      event_id,
      event_type,
      attempts: attempts
        .filter((attempt) => attempt.event_id === event_id)
        .slice(-MAX_ATTEMPTS_SHOWN)
        .map((attempt) => serializeDeliveryAttempt(attempt, endpoint)),
      created_at: created_at.toISOString(),
    })),
    has_more,
  };
}

/** Returns one attempt with its request. Throws resource_missing. */
export async function retrieveDeliveryAttempt(
  scope: Scope,
  id: string,
): Promise<ResultWithUntranslatedRefusals<DeliveryDetail>> {
  const row = await repository.findDeliveryAttempt(scope, id);
  if (!row) throw createResourceMissingError(scope, 'delivery', id);
  const [endpoint, event] = await Promise.all([
    retrieveEndpoint(scope, row.endpoint_id),
    repository.findEventBody(scope, row.event_id),
  ]);
  return serializeDeliveryAttemptWithRequest(row, endpoint, event?.body ?? '');
}

/** Returns an attempt with its request, but without secrets. */
export function serializeDeliveryAttemptWithRequest(
  row: DeliveryRow,
  endpoint: { url: string; status: string; header_names: readonly string[] },
  body: string,
): ResultWithUntranslatedRefusals<DeliveryDetail> {
  return {
    ...serializeDeliveryAttempt(row, endpoint),
    endpoint_status: endpoint.status as DeliveryDetail['endpoint_status'],
    request: { url: endpoint.url, headers: [...requestHeaders(row), ...hidden(endpoint.header_names)], body },
  };
}

/**
 * Returns the request headers of an attempt. Signatures are missing, because they are not stored.
 */
function requestHeaders(row: DeliveryRow): { name: string; value: string }[] {
  return Object.entries({
    'Content-Type': 'application/json',
    'Service-Event': row.event_type,
    'Service-Event-Id': row.event_id,
    'Service-Delivery-Id': row.id,
    'Service-Attempt': String(row.attempt_number),
    'webhook-id': row.event_id,
  }).map(([name, value]) => ({ name, value }));
}

/** Returns the host's own headers with masked values. */
const hidden = (names: readonly string[]) => names.map((name) => ({ name, value: '••••••' }));

/** Returns an event's latest attempt at each endpoint of the team. */
export async function findLatestDeliveryAttemptsOfEvent(scope: Scope, event_id: string) {
  const endpoints = (await listEndpoints(scope, { limit: MAX_ENDPOINTS_PER_MODE })).data;
  const attempts = await repository.findAttemptsOfEventAtEndpoints(
    scope,
    event_id,
    endpoints.map((endpoint) => endpoint.id),
  );
  return endpoints.flatMap((endpoint) => {
    const latest = attempts.find((attempt) => attempt.endpoint_id === endpoint.id);
    if (!latest) return [];
    const { error_message: _, ...attempt } = serializeDeliveryAttempt(latest, endpoint);
    const endpoint_status = endpoint.status as DeliveryDetail['endpoint_status'];
    return [{ ...attempt, endpoint_status, url: endpoint.url, description: endpoint.description }];
  });
}

/** Serializes an attempt for the dashboard. */
export function serializeDeliveryAttempt(
  row: DeliveryRow,
  endpoint: { status: string },
): ResultWithUntranslatedRefusals<DeliveryEntry> {
  return {
    ...serializeDelivery(row, endpoint),
    trigger: row.trigger as DeliveryEntry['trigger'],
    error_kind: row.error_kind,
    error_message: parseStoredRefusal(row.error_message),
    due_at: row.due_at.toISOString(),
  };
}
