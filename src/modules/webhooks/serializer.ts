/** Converts rows to WebhookEndpoint and WebhookDelivery field by field. */
import type { WebhookDelivery as DeliveryRow, WebhookEndpoint as EndpointRow } from '@/generated/prisma/client';
import { clock } from '@/shared/clock';
import type { WebhookDelivery, WebhookEndpoint } from './schemas';

const iso = (date: Date | null) => date?.toISOString() ?? null;

export function serializeEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    description: row.description,
    header_names: row.header_names,
    events: row.events,
    status: row.status as WebhookEndpoint['status'],
    mode: row.mode,
    signing_secret_last4: row.secret_last4,
    consecutive_failures: row.consecutive_failures,
    last_delivery_at: iso(row.last_delivery_at),
    last_success_at: iso(row.last_success_at),
    rotated_until: row.rotated_until && row.rotated_until > clock().now() ? iso(row.rotated_until) : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * Serializes an attempt. `next_retry_at` is null unless the endpoint is enabled, because a disabled
 * endpoint receives nothing.
 */
export function serializeDelivery(row: DeliveryRow, endpoint: { status: string }): WebhookDelivery {
  const next = row.next_retry_at ?? (row.status === 'pending' && row.attempt_number > 1 ? row.due_at : null);
  return {
    id: row.id,
    object: 'webhook_delivery',
    event_id: row.event_id,
    endpoint_id: row.endpoint_id,
    event_type: row.event_type,
    attempt_number: row.attempt_number,
    status: row.status as WebhookDelivery['status'],
    status_code: row.status_code,
    response_body_truncated: row.response_body_truncated,
    duration_ms: row.duration_ms,
    attempted_at: iso(row.attempted_at),
    next_retry_at: endpoint.status === 'enabled' ? iso(next) : null,
    delivered_at: iso(row.delivered_at),
    created_at: row.created_at.toISOString(),
  };
}
