/** The delivery log: attempts, and for a host what was sent and what came back. */

import type { WebhookDelivery as DeliveryRow } from '@/generated/prisma/client';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import type { DeliveryDetail, DeliveryEntry, DeliveryQuery, EventDeliveries, EventDeliveryQuery } from './host.schemas';
import { serializeDelivery } from './serializer';
import { listEndpoints, retrieveEndpoint } from './service';

/** More than a mode can have. */
const EVERY_ENDPOINT = 100;

/** Attempts at one endpoint, newest first. Throws resource_missing and invalid_cursor. */
export async function listAttempts(scope: Scope, query: DeliveryQuery) {
  const endpoint = await retrieveEndpoint(scope, query.id);
  return { ...(await repository.listAttempts(scope, query)), endpoint };
}

/** Of an event so many of its latest attempts are shown; each redelivery adds up to nine. */
const MOST_ATTEMPTS = 20;

/** Events that an endpoint was to get, newest first, each with its attempts. Throws resource_missing and invalid_cursor. */
export async function listEventDeliveries(scope: Scope, query: EventDeliveryQuery): Promise<EventDeliveries> {
  const endpoint = await retrieveEndpoint(scope, query.id);
  const { data, has_more } = await repository.listFirstAttempts(scope, query);
  const attempts = await repository.findAttemptsAt(
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
        .slice(-MOST_ATTEMPTS)
        .map((attempt) => serializeAttempt(attempt, endpoint)),
      created_at: created_at.toISOString(),
    })),
    has_more,
  };
}

/** One attempt with its request. Throws resource_missing. */
export async function retrieveAttempt(scope: Scope, id: string): Promise<DeliveryDetail> {
  const row = await repository.findAttempt(scope, id);
  if (!row)
    throw new AppError('resource_missing', {
      message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'delivery', id }),
    });
  const [endpoint, event] = await Promise.all([
    retrieveEndpoint(scope, row.endpoint_id),
    repository.findEventBody(scope, row.event_id),
  ]);
  return attemptWithRequest(row, endpoint, event?.body ?? '');
}

/** An attempt with what it sends: no secret is in it. */
export function attemptWithRequest(
  row: DeliveryRow,
  endpoint: { url: string; status: string; header_names: readonly string[] },
  body: string,
): DeliveryDetail {
  return {
    ...serializeAttempt(row, endpoint),
    endpoint_status: endpoint.status as DeliveryDetail['endpoint_status'],
    request: { url: endpoint.url, headers: [...requestHeaders(row), ...hidden(endpoint.header_names)], body },
  };
}

/** The headers of an attempt that can still be known; the signatures are made at the moment of sending and not kept. */
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

/** What the host added; the values are shown to nobody. */
const hidden = (names: readonly string[]) => names.map((name) => ({ name, value: '••••••' }));

/** The latest attempt of an event at each of the team's endpoints that got it. */
export async function latestAttemptsOfEvent(scope: Scope, event_id: string) {
  const endpoints = (await listEndpoints(scope, { limit: EVERY_ENDPOINT })).data;
  const attempts = await repository.findAttemptsOfEvent(
    scope,
    event_id,
    endpoints.map((endpoint) => endpoint.id),
  );
  return endpoints.flatMap((endpoint) => {
    const latest = attempts.find((attempt) => attempt.endpoint_id === endpoint.id);
    if (!latest) return [];
    const { id, endpoint_id, status, status_code, attempt_number, created_at, error_kind, due_at } = serializeAttempt(
      latest,
      endpoint,
    );
    const endpoint_status = endpoint.status as DeliveryDetail['endpoint_status'];
    const { url, description } = endpoint;
    return [
      {
        id,
        endpoint_id,
        endpoint_status,
        url,
        description,
        status,
        status_code,
        error_kind,
        due_at,
        attempt_number,
        created_at,
      },
    ];
  });
}

/** An attempt as a host sees it. */
export function serializeAttempt(row: DeliveryRow, endpoint: { status: string }): DeliveryEntry {
  return {
    ...serializeDelivery(row, endpoint),
    trigger: row.trigger as DeliveryEntry['trigger'],
    error_kind: row.error_kind,
    error_message: row.error_message,
    due_at: row.due_at.toISOString(),
  };
}
