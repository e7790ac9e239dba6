/** Manages webhook endpoints (specification, "Webhook endpoints"; design "Webhooks"). */

import { config, getAppSecret } from '@/config';
import { announceEndpointStopped, notifyEventRelay } from '@/events/process-listeners';
import type { WebhookDelivery, WebhookEndpoint } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction, runAfterCommit } from '@/infra/db/transaction';
import { encryptSecret } from '@/infra/encryption';
import { assertOutboundUrlAllowed } from '@/infra/outbound/url';
import { lockMembership } from '@/modules/accounts/lock-membership';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { assertMemberCanManageIntegrations } from '@/shared/assert-may-connect';
import { assertReadOnlyFieldsUnchanged } from '@/shared/assert-read-only';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { type CustomWebhookHeaders, isDifferentOrigin } from './delivery/custom-headers.rules';
import { generateSigningSecret } from './delivery/signature.rules';
import { retrieveEvent } from './event-log/service';
import * as repository from './repository';
import { previousSigningSecretsJsonColumn, type WebhookEndpointCreate, type WebhookEndpointUpdate } from './schemas';
import { serializeEndpoint } from './serializer';

/** The maximum number of endpoints per mode (design "Webhooks"). */
export const MAX_ENDPOINTS_PER_MODE = 16;
const ROTATION_GRACE_MS = 24 * 60 * 60 * 1000;
/** The encryption purposes of signing secrets and of the hosts' headers. */
export const SIGNING_SECRET_ENCRYPTION_PURPOSE = 'webhook-secret';
export const CUSTOM_HEADERS_ENCRYPTION_PURPOSE = 'webhook-headers';

const checkUrl = (url: string) =>
  assertOutboundUrlAllowed(url, { param: 'url', allow_loopback: config().outbound_allow_loopback }).href;

/** Returns an endpoint. Throws resource_missing. */
export async function retrieveEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint> {
  const row = await repository.findEndpoint(scope, id);
  if (!row) throw createResourceMissingError(scope, 'webhook endpoint', id);
  return row;
}

export const { listEndpoints } = repository;

/**
 * Creates an endpoint. Returns it with its secret, which is never shown again. Throws
 * url_not_https, url_not_allowed and endpoint_limit_reached.
 */
export async function createEndpoint(
  scope: Scope,
  input: WebhookEndpointCreate,
): Promise<{ row: WebhookEndpoint; secret: string }> {
  assertMemberCanManageIntegrations(scope);
  const url = checkUrl(input.url);
  const secret = generateSigningSecret();
  const row = await inTransaction(scope, async () => {
    await lockMembership(scope);
    const newest_sequence = await lockTeam(scope);
    if ((await repository.countEndpoints(scope)) >= MAX_ENDPOINTS_PER_MODE)
      throw new AppError('endpoint_limit_reached');
    const now = clock().now();
    const id = newId('webhook_endpoint');
    const headers = sealedHeaders(input.headers ?? {});
    const { header_names } = headers;
    await recordAuditEntry(scope, { action: 'webhook_endpoint.created', object_id: id, data: { url, header_names } });
    return repository.insertEndpoint(scope, {
      id,
      url,
      events: input.events,
      description: input.description ?? null,
      ...headers,
      ...sealed(secret),
      after_sequence: newest_sequence,
      created_at: now,
      updated_at: now,
    });
  });
  return { row, secret };
}

function sealed(secret: string) {
  return {
    secret: encryptSecret(getAppSecret(), SIGNING_SECRET_ENCRYPTION_PURPOSE, secret),
    secret_last4: secret.slice(-4),
  };
}

function sealedHeaders(headers: CustomWebhookHeaders) {
  const header_names = Object.keys(headers);
  const custom_headers =
    header_names.length > 0
      ? encryptSecret(getAppSecret(), CUSTOM_HEADERS_ENCRYPTION_PURPOSE, JSON.stringify(headers))
      : null;
  return { custom_headers, header_names };
}

/**
 * Updates an endpoint. Throws resource_missing, endpoint_auto_disabled, url_not_https,
 * url_not_allowed, invalid_field, etag_mismatch and concurrent_edit.
 */
export async function updateEndpoint(
  scope: Scope,
  id: string,
  changes: WebhookEndpointUpdate,
  if_match: string | null,
  read_only: Record<string, unknown> = {},
): Promise<WebhookEndpoint> {
  assertMemberCanManageIntegrations(scope);
  const url = changes.url === undefined ? {} : { url: checkUrl(changes.url) };
  return inTransaction(scope, async () => {
    await lockMembership(scope);
    const before = await retrieveEndpoint(scope, id);
    assertEtagMatches(if_match, serializeEndpoint(before));
    assertReadOnlyFieldsUnchanged(read_only, serializeEndpoint(before));
    if (changes.status && before.status === 'auto_disabled')
      throw new AppError('endpoint_auto_disabled', { param: 'status' });
    const moves = url.url !== undefined && isDifferentOrigin(before.url, url.url);
    // A URL on another server requires new headers. Without this rule, a member could send the
    // headers' secret values to any server.
    if (moves && changes.headers === undefined && before.custom_headers)
      throw new AppError('invalid_field', { param: 'headers', message: createRefusal('headers_on_another_host') });
    const { headers: given, ...others } = changes;
    const headers: Partial<ReturnType<typeof sealedHeaders>> = given === undefined ? {} : sealedHeaders(given ?? {});
    const data = {
      url: url.url ?? before.url,
      ...(changes.status && { status: changes.status }),
      ...(headers.header_names && { header_names: headers.header_names }),
    };
    await recordAuditEntry(scope, { action: 'webhook_endpoint.updated', object_id: id, data });
    // The shared link belongs to the developer of the previous receiver, so it is withdrawn.
    const portal = moves && before.portal_token_hash ? { portal_token_hash: null, portal_expires_at: null } : null;
    if (portal) {
      const was = { url: before.url };
      await recordAuditEntry(scope, { action: 'webhook_endpoint.portal_withdrawn', object_id: id, data: was });
    }
    return save(scope, before, { ...others, ...url, ...headers, ...portal });
  });
}

async function save(
  scope: Scope,
  before: WebhookEndpoint,
  changes: Parameters<typeof repository.saveEndpoint>[3],
): Promise<WebhookEndpoint> {
  const switched = changes.status !== undefined && changes.status !== before.status;
  const row = await repository.saveEndpoint(scope, before.id, before.version, {
    ...changes,
    // A stored request for a run was made for the previous status, so it is removed.
    ...(switched && { wake_at: null }),
    updated_at: clock().now(),
  });
  if (!row) throw new AppError('concurrent_edit');
  // Enabling the endpoint makes its waiting deliveries due.
  if (switched) runAfterCommit(row.status === 'enabled' ? notifyEventRelay : () => announceEndpointStopped(row.id));
  return row;
}

/**
 * Enables an endpoint that is `auto_disabled`, from the dashboard. Throws resource_missing and
 * concurrent_edit.
 */
export async function enableEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint> {
  return inTransaction(scope, async () => {
    const before = await retrieveEndpoint(scope, id);
    await recordAuditEntry(scope, { action: 'webhook_endpoint.enabled', object_id: id, data: { url: before.url } });
    return save(scope, before, {
      status: 'enabled',
      consecutive_failures: 0,
      failing_since: null,
      disabled_reason: null,
      disabled_at: null,
      warned_at: null,
      circuit_open_until: null,
    });
  });
}

/**
 * Enables or disables the daily mail about failed deliveries. Throws resource_missing and
 * concurrent_edit.
 */
export async function setFailureDigestEnabled(scope: Scope, id: string, digest: boolean): Promise<void> {
  await inTransaction(scope, async () => {
    const before = await retrieveEndpoint(scope, id);
    await recordAuditEntry(scope, {
      action: 'webhook_endpoint.updated',
      object_id: id,
      data: { url: before.url, digest },
    });
    await save(scope, before, { digest });
  });
}

/** Deletes an endpoint. Throws resource_missing and etag_mismatch. */
export async function deleteEndpoint(scope: Scope, id: string, if_match: string | null): Promise<void> {
  assertMemberCanManageIntegrations(scope);
  await inTransaction(scope, async () => {
    const before = await retrieveEndpoint(scope, id);
    assertEtagMatches(if_match, serializeEndpoint(before));
    await repository.deleteEndpoint(scope, id);
    await recordAuditEntry(scope, { action: 'webhook_endpoint.deleted', object_id: id, data: { url: before.url } });
    runAfterCommit(() => announceEndpointStopped(id));
  });
}

/**
 * Creates a new secret. The previous secret also signs for 24 hours. Older secrets stop signing at
 * once, so that a delivery has at most two signatures. Throws resource_missing and concurrent_edit.
 */
export async function rotateSigningSecret(
  scope: Scope,
  id: string,
): Promise<{ row: WebhookEndpoint; secret: string; grace_until: Date }> {
  assertMemberCanManageIntegrations(scope);
  const secret = generateSigningSecret();
  const now = clock().now();
  const grace_until = new Date(now.getTime() + ROTATION_GRACE_MS);
  const row = await inTransaction(scope, async () => {
    const before = await retrieveEndpoint(scope, id);
    await recordAuditEntry(scope, {
      action: 'webhook_endpoint.secret_rotated',
      object_id: id,
      data: { url: before.url },
    });
    const retired = { secret: before.secret, until: grace_until.toISOString() };
    const previous_secrets = previousSigningSecretsJsonColumn.write([retired]);
    return save(scope, before, { ...sealed(secret), previous_secrets, rotated_until: grace_until });
  });
  return { row, secret, grace_until };
}

/** Returns the latest attempt of an event. Throws resource_missing. */
export async function retrieveLatestDelivery(scope: Scope, endpoint_id: string, event_id: string) {
  const endpoint = await retrieveEndpoint(scope, endpoint_id);
  const row = await repository.findLatestDelivery(scope, endpoint_id, event_id);
  if (!row) throw noDelivery(event_id);
  return { row, endpoint };
}

const noDelivery = (id: string) =>
  new AppError('resource_missing', { message: createRefusal('endpoint_has_no_delivery', { id }) });

/**
 * Queues a new attempt for an event. If an attempt is pending, makes that attempt due now. Also
 * delivers events that occurred while the endpoint was disabled. Throws resource_missing when the
 * event or endpoint does not exist, or when the endpoint neither received the event nor subscribes
 * to its type.
 */
export async function redeliverEvent(scope: Scope, endpoint_id: string, event_id: string) {
  return inTransaction(scope, async () => {
    const endpoint = await retrieveEndpoint(scope, endpoint_id);
    const event = await retrieveEvent(scope, event_id);
    const subscribed = endpoint.events.includes('*') || endpoint.events.includes(event.type);
    if (!subscribed && !(await repository.findLatestDelivery(scope, endpoint_id, event_id))) throw noDelivery(event_id);
    runAfterCommit(notifyEventRelay);
    return { row: await queueAttempt(scope, endpoint.id, event), endpoint };
  });
}

async function queueAttempt(
  scope: Scope,
  endpoint_id: string,
  event: { id: string; type: string },
): Promise<WebhookDelivery> {
  const now = clock().now();
  // The loop repeats when the worker ends an attempt or queues the next attempt at the same time.
  for (let round = 1; round <= 3; round++) {
    const latest = await repository.findLatestDelivery(scope, endpoint_id, event.id);
    const queued =
      latest?.status === 'pending'
        ? await repository.rescheduleDeliveryToNow(scope, latest.id, now)
        : await repository.insertDeliveryUnlessExists(scope, {
            id: newId('webhook_delivery'),
            event_id: event.id,
            endpoint_id,
            event_type: event.type,
            attempt_number: (latest?.attempt_number ?? 0) + 1,
            delivery_began_at: now,
            trigger: 'redelivery',
            due_at: now,
            created_at: now,
          });
    if (queued) return queued;
  }
  throw new AppError('concurrent_edit');
}
